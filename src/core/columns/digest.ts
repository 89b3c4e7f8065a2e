/** Two secret numbers of one run: without them nobody can make two texts of one digest. */
export type DigestKey = readonly [low: number, high: number]

/** A key from eight random bytes. */
export const digestKeyOf = (random: Uint8Array): DigestKey => {
  const view = new DataView(random.buffer, random.byteOffset, random.byteLength)
  return [view.getInt32(0), view.getInt32(4)]
}

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

// the four words of the state; one digest is made at a time
let a = 0
let b = 0
let c = 0
let d = 0

const round = (): void => {
  a = (a + b) | 0
  b = rotate(b, 5) ^ a
  a = rotate(a, 16)
  c = (c + d) | 0
  d = rotate(d, 8) ^ c
  a = (a + d) | 0
  d = rotate(d, 7) ^ a
  c = (c + b) | 0
  b = rotate(b, 13) ^ c
  c = rotate(c, 16)
}

const absorbWord = (word: number): void => {
  d ^= word
  round()
  a ^= word
}

// all bytes, and then how many there were, so that no two texts end alike
const absorb = (view: DataView, from: number, to: number): void => {
  let at = from
  for (; at + 4 <= to; at += 4) absorbWord(view.getInt32(at, true))
  let last = 0
  for (; at < to; at++) last = (last << 8) | view.getUint8(at)
  absorbWord(last)
  absorbWord(to - from)
}

const finish = (mark: number): number => {
  c ^= mark
  round()
  round()
  round()
  return (b ^ d) >>> 0
}

/**
 * The digest of a payload but for a part of it.
 *
 * shape   a whole number from 1 to 2^53−1; 0 is left for "none". Equal digests mean equal bytes
 *         but for a chance of about 2^−52; unequal ones may still be equal data
 * source  HalfSipHash-1-3 with a result of 64 bits (Aumasson and Bernstein), of which 53 are kept
 */
export const digestWithout = (
  key: DigestKey,
  view: DataView,
  from: number,
  cutFrom: number,
  cutTo: number,
  to: number,
): number => {
  const [low, high] = key
  a = low
  b = high ^ 0xee
  c = low ^ 0x6c796765
  d = high ^ 0x74656462
  absorb(view, from, cutFrom)
  absorb(view, cutTo, to)
  const lower = finish(0xee)
  b ^= 0xdd
  const upper = finish(0) & 0x1fffff
  return upper * 0x1_0000_0000 + lower || 1
}
