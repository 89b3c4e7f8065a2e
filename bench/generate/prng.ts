const twoTo32 = 4_294_967_296

const hexBytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

const hexByte = (word: number, shift: number): string => hexBytes[(word >>> shift) & 255] ?? ""

const rotateLeft = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

// FNV-1a, 32 bits, over UTF-16 code units: turns a seed of any length into one word.
const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/**
 * A stream of pseudo-random numbers that depends on nothing but its seed.
 *
 * shape   xoshiro128**, its four words filled by splitmix32 from the FNV-1a hash of the seed text
 * law     32-bit integer steps only, so every platform and Node version draws the same numbers
 * source  Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021
 */
export class Prng {
  private readonly seed: string
  private s0: number
  private s1: number
  private s2: number
  private s3: number

  constructor(seed: string, state?: readonly [number, number, number, number]) {
    this.seed = seed
    let word = hashText(seed)
    const splitMix = (): number => {
      word = (word + 0x9e3779b9) | 0
      let mixed = Math.imul(word ^ (word >>> 16), 0x21f0aaad)
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
      return (mixed ^ (mixed >>> 15)) | 0
    }
    ;[this.s0, this.s1, this.s2, this.s3] = state ?? [
      splitMix(),
      splitMix(),
      splitMix(),
      splitMix(),
    ]
  }

  /** An independent stream for one named part; does not depend on how much was drawn before. */
  split(label: string): Prng {
    return new Prng(`${this.seed}/${label}`)
  }

  /** The next 32 bits, as a count below 2^32. */
  uint32(): number {
    const result = Math.imul(rotateLeft(Math.imul(this.s1, 5), 7), 9)
    const shifted = this.s1 << 9
    this.s2 ^= this.s0
    this.s3 ^= this.s1
    this.s1 ^= this.s2
    this.s0 ^= this.s3
    this.s2 ^= shifted
    this.s3 = rotateLeft(this.s3, 11)
    return result >>> 0
  }

  /** A number in [0, 1) with 32 random bits. */
  unit(): number {
    return this.uint32() / twoTo32
  }

  /** A whole number between `low` and `high`, both included. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.unit() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.unit() < probability
  }

  pick<A>(items: readonly A[]): A {
    if (items.length === 0) throw new RangeError("pick from an empty list")
    return items[this.integer(0, items.length - 1)] as A
  }

  /** `count` groups of eight lower-case hex digits. */
  hex(count: number): string {
    let text = ""
    for (let i = 0; i < count; i++) {
      const word = this.uint32()
      text += hexByte(word, 24) + hexByte(word, 16) + hexByte(word, 8) + hexByte(word, 0)
    }
    return text
  }

  /** An identifier in the form of a version 4 UUID. */
  uuid(): string {
    const hex = this.hex(4)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  }
}
