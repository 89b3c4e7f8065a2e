import { emptyTable, readTable } from "./fse-table.ts"

/** Longest code, in bits. */
const maxBits = 11
const maxWeights = 255
const weightAccuracy = 6

/** A table that is indexed by the next `bits` bits: their symbol, and how long its code is. */
export interface HuffmanTable {
  bits: number
  readonly symbols: Uint8Array
  readonly lengths: Uint8Array
}

export const emptyHuffman = (): HuffmanTable => ({
  bits: 0,
  symbols: new Uint8Array(1 << maxBits),
  lengths: new Uint8Array(1 << maxBits),
})

const weights = new Uint8Array(256)
const weightTable = emptyTable(weightAccuracy)

/** Weights that are coded by two states in turns; how many, or −1. */
const readWeights = (bytes: Uint8Array, from: number, end: number): number => {
  const start = readTable(weightTable, bytes, from, end, weightAccuracy, maxBits + 1)
  const last = bytes[end - 1] ?? 0
  if (start < 0 || start >= end || last === 0) return -1
  const { symbols, bits, bases, accuracy } = weightTable
  // bits are read backwards, from the one below the highest set bit of the last byte
  let left = (end - 1 - start) * 8 + 31 - Math.clz32(last)
  const read = (count: number): number => {
    left -= count
    const at = start * 8 + left
    const byte = at >> 3
    return (((bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8)) >>> (at & 7)) & ((1 << count) - 1)
  }
  if (left < 2 * accuracy) return -1
  let state = read(accuracy)
  let other = read(accuracy)
  let count = 0
  // at most 255, as a table that reads no bits would go on for ever
  while (count < maxWeights - 1) {
    weights[count++] = symbols[state] ?? 0
    const wanted = bits[state] ?? 0
    if (wanted > left) {
      weights[count++] = symbols[other] ?? 0
      return count
    }
    const following = (bases[state] ?? 0) + read(wanted)
    state = other
    other = following
  }
  return -1
}

/**
 * Reads the description of a table at `from` and fills the table; the byte behind it, or −1 where it
 * is none.
 *
 * source  RFC 8878, 4.2.1
 */
export const readHuffman = (
  table: HuffmanTable,
  bytes: Uint8Array,
  from: number,
  end: number,
): number => {
  const head = bytes[from] ?? 0
  let at = from + 1
  let count: number
  if (head < 128) {
    if (at + head > end) return -1
    count = readWeights(bytes, at, at + head)
    at += head
  } else {
    count = head - 127
    for (let i = 0; i < count; i++) {
      const pair = bytes[at + (i >> 1)] ?? 0
      weights[i] = i % 2 === 0 ? pair >>> 4 : pair & 15
    }
    at += (count + 1) >> 1
  }
  if (count < 0 || at > end) return -1
  let sum = 0
  for (let i = 0; i < count; i++) {
    const weight = weights[i] ?? 0
    if (weight > maxBits) return -1
    sum += weight === 0 ? 0 : 1 << (weight - 1)
  }
  if (sum === 0) return -1
  const bits = 32 - Math.clz32(sum)
  // the last weight is what makes the sum a power of two
  const rest = (1 << bits) - sum
  if (bits > maxBits || (rest & (rest - 1)) !== 0) return -1
  weights[count++] = 32 - Math.clz32(rest)
  table.bits = bits
  let entry = 0
  for (let weight = 1; weight <= bits; weight++)
    for (let symbol = 0; symbol < count; symbol++) {
      if (weights[symbol] !== weight) continue
      const to = entry + (1 << (weight - 1))
      table.symbols.fill(symbol, entry, to)
      table.lengths.fill(bits + 1 - weight, entry, to)
      entry = to
    }
  return at
}

/** Decodes exactly the bytes `from` to `end` to exactly the places `to` to `toEnd`; whether it can. */
export const decodeHuffman = (
  table: HuffmanTable,
  bytes: Uint8Array,
  from: number,
  end: number,
  output: Uint8Array,
  to: number,
  toEnd: number,
): boolean => {
  const last = bytes[end - 1] ?? 0
  if (from >= end || last === 0) return false
  const { bits, symbols, lengths } = table
  const mask = (1 << bits) - 1
  const start = from * 8
  let at = start + (end - 1 - from) * 8 + 31 - Math.clz32(last)
  let out = to
  while (out < toEnd && at - start >= bits) {
    const first = at - bits
    const byte = first >> 3
    const index =
      (((bytes[byte] ?? 0) | ((bytes[byte + 1] ?? 0) << 8) | ((bytes[byte + 2] ?? 0) << 16)) >>>
        (first & 7)) &
      mask
    output[out++] = symbols[index] ?? 0
    at -= lengths[index] ?? 0
  }
  // the last codes are shorter than what is looked at: what is missing is zeros
  while (out < toEnd && at > start) {
    const left = at - start
    const low = ((bytes[from] ?? 0) | ((bytes[from + 1] ?? 0) << 8)) & ((1 << left) - 1)
    const index = (low << (bits - left)) & mask
    output[out++] = symbols[index] ?? 0
    at -= lengths[index] ?? 0
  }
  return out === toEnd && at === start
}
