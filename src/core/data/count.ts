/** A whole number from 0 to 2^53−1, and not −0: what the format calls a count. */
export const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && !Object.is(value, -0)

/** A whole number of either sign within ±(2^53−1), and not −0. */
export const isSafeInt = (value: unknown): value is number =>
  Number.isSafeInteger(value) && !Object.is(value, -0)
