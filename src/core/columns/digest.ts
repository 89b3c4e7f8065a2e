/** Two secret numbers of one run: without them nobody can make two texts of one digest. */
export type DigestKey = readonly [low: number, high: number]

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

/**
 * Adds bytes to a running digest.
 *
 * shape   two 32-bit halves, mixed in place
 * source  the mixing steps of MurmurHash3 (public domain), with a key for each half
 */
const absorb = (halves: Int32Array, view: DataView, from: number, to: number): void => {
  let low = halves[0] as number
  let high = halves[1] as number
  let at = from
  for (; at + 4 <= to; at += 4) {
    const four = view.getInt32(at, true)
    low = (Math.imul(rotate(low ^ four, 13), 0x5bd1e995) + 0x561ccd1b) | 0
    high = Math.imul(rotate((high + four) | 0, 17), 0x1b873593) ^ low
  }
  // the rest, and how long the text was, so that no two texts end alike
  let rest = to - from
  for (; at < to; at++) rest = (rest << 8) | view.getUint8(at)
  low = (Math.imul(rotate(low ^ rest, 13), 0x5bd1e995) + 0x561ccd1b) | 0
  high = Math.imul(rotate((high + rest) | 0, 17), 0x1b873593) ^ low
  halves[0] = low
  halves[1] = high
}

const finish = (value: number): number => {
  let mixed = value
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

const halves = new Int32Array(2)

/**
 * The digest of a payload but for a part of it.
 *
 * shape   a whole number from 1 to 2^53−1; 0 is left for "none". Equal digests mean equal bytes
 *         but for a chance of about 2^−52; unequal ones may still be equal data
 */
export const digestWithout = (
  key: DigestKey,
  view: DataView,
  from: number,
  cutFrom: number,
  cutTo: number,
  to: number,
): number => {
  halves[0] = key[0]
  halves[1] = key[1]
  absorb(halves, view, from, cutFrom)
  absorb(halves, view, cutTo, to)
  const low = finish(halves[0])
  const high = finish(halves[1]) & 0x1fffff
  return high * 0x1_0000_0000 + low || 1
}
