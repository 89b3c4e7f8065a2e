/**
 * The tokens of a byte-pair vocabulary: text of bytes (one code unit a byte) to its rank. Lower
 * ranks are merged first.
 */
export type ByteRanks = ReadonlyMap<string, number>

// a rank and a place in one number: both fit, and the lower rank, then the place, comes first
const placeLimit = 2 ** 27

/** A heap of numbers, the smallest on top. */
class SmallestFirst {
  private readonly items: number[] = []

  add(item: number): void {
    const { items } = this
    let at = items.push(item) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = items[parent] as number
      if (above <= item) break
      items[at] = above
      at = parent
    }
    items[at] = item
  }

  take(): number | undefined {
    const { items } = this
    const first = items[0]
    const last = items.pop()
    if (last === undefined || items.length === 0) return first
    let at = 0
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && (items[child + 1] as number) < (items[child] as number))
        child++
      if ((items[child] as number) >= last) break
      items[at] = items[child] as number
      at = child
    }
    items[at] = last
    return first
  }
}

/**
 * The number of tokens that one piece of a text comes to.
 *
 * @param bytes  the piece as text of bytes
 * cost    n log n, also for a piece without a break: what a tokeniser that looks for the next pair
 *         in all of it needs minutes for
 * source  byte-pair encoding: of adjacent tokens the pair of the lowest rank, the first of equals,
 *         becomes one, until no pair is in the vocabulary
 */
export const pieceTokens = (ranks: ByteRanks, bytes: string): number => {
  const { length } = bytes
  if (length < 2 || ranks.has(bytes)) return Math.min(length, 1)
  // tokens as a list of their first bytes, in both directions
  const nexts = new Int32Array(length + 1)
  const befores = new Int32Array(length + 1)
  const pairRanks = new Int32Array(length)
  const open = new SmallestFirst()
  const rank = (at: number): void => {
    const next = nexts[at] as number
    const end = next < length ? (nexts[next] as number) : -1
    const found = end < 0 ? undefined : ranks.get(bytes.slice(at, end))
    pairRanks[at] = found ?? -1
    if (found !== undefined) open.add(found * placeLimit + at)
  }
  for (let at = 0; at <= length; at++) {
    nexts[at] = at + 1
    befores[at] = at - 1
  }
  for (let at = 0; at < length; at++) rank(at)
  let tokens = length
  for (let item = open.take(); item !== undefined; item = open.take()) {
    const at = item % placeLimit
    // what was merged meanwhile has another rank now
    if (pairRanks[at] !== Math.floor(item / placeLimit)) continue
    const next = nexts[at] as number
    const end = nexts[next] as number
    pairRanks[next] = -1
    nexts[at] = end
    befores[end] = at
    tokens--
    rank(at)
    const before = befores[at] as number
    if (before >= 0) rank(before)
  }
  return tokens
}
