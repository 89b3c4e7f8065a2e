import type { Prng } from "./prng.ts"

/** A distribution of lengths: `median`, the spread of its logarithm, and a hard upper end. */
export type LengthLaw = {
  readonly median: number
  readonly spread: number
  readonly cap: number
}

const ln2 = 0.6931471805599453
const log2e = 1.4426950408889634

// Math.exp may differ in the last bit between engines; additions, products and halvings may not.
const portableExp = (x: number): number => {
  const whole = Math.floor(x * log2e)
  const rest = x - whole * ln2
  let term = 1
  let sum = 1
  for (let k = 1; k <= 16; k++) {
    term = (term * rest) / k
    sum += term
  }
  for (let i = 0; i < whole; i++) sum *= 2
  for (let i = 0; i > whole; i--) sum /= 2
  return sum
}

// Irwin-Hall: twelve uniforms less six have mean 0 and variance 1, and need no logarithm.
const standardNormal = (prng: Prng): number => {
  let sum = -6
  for (let i = 0; i < 12; i++) sum += prng.unit()
  return sum
}

/**
 * A log-normal length.
 *
 * units   whatever the median counts; whole, between 1 and the cap
 */
export const drawLength = (prng: Prng, law: LengthLaw): number => {
  const length = Math.round(law.median * portableExp(law.spread * standardNormal(prng)))
  return Math.max(1, Math.min(law.cap, length))
}
