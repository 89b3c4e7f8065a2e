import type { RequestPoint } from "./request-points.ts"

/** A place in a log, as people write it: `42`, `2.1` or `2.1.3`. */
export type Address =
  | { readonly is: "seq"; readonly seq: number }
  | {
      readonly is: "step"
      readonly turn: number
      readonly step: number
      /** Null for the last attempt: the one whose answer the step kept. */
      readonly attempt: number | null
    }

const part = /^(0|[1-9][0-9]{0,15})$/

/** Reads an address; null when it is none. */
export const addressOf = (text: string): Address | null => {
  const parts = text.split(".")
  if (parts.length > 3 || !parts.every((each) => part.test(each))) return null
  const [first = 0, second, third] = parts.map(Number)
  if (![first, second ?? 0, third ?? 0].every(Number.isSafeInteger)) return null
  return second === undefined
    ? { is: "seq", seq: first }
    : { is: "step", turn: first, step: second, attempt: third ?? null }
}

/** The address of a request, as a person would write it. */
export const addressText = (point: RequestPoint): string =>
  `${point.turn}.${point.step}.${point.attempt}`

/** The request that an address names, or null. */
export const pointAt = (
  points: readonly RequestPoint[],
  address: Address & { readonly is: "step" },
): RequestPoint | null =>
  points.findLast(
    ({ turn, step, attempt }) =>
      turn === address.turn &&
      step === address.step &&
      (address.attempt === null || attempt === address.attempt),
  ) ?? null
