import type { Timing } from "./rounds.ts"
import type { LogCase, Way } from "./cases.ts"

/** A case as it was measured, set against the other cases of its run. */
export interface MeasuredCase {
  readonly case: Way
  readonly workers: number
  readonly medianMs: number
  readonly minMs: number
  readonly maxMs: number
  readonly megabytesPerSecond: number
  /** How many times faster than `JSON.parse` of each line on one thread. */
  readonly timesJsonParse: number
  /**
   * How many times faster than the public packages, where these were measured: on as many workers
   * if they can use them, on one otherwise.
   */
  readonly timesPublicPackages: number | null
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** Sets the timings of cases, in their order, against each other. */
export const measuredCases = (
  cases: readonly LogCase[],
  timings: readonly Timing[],
  byteCount: number,
): readonly MeasuredCase[] => {
  const medianOf = (way: Way, workers: number): number | null => {
    const i = cases.findIndex((each) => each.way === way && each.workers === workers)
    return timings[i]?.medianMs ?? null
  }
  const parseMs = medianOf("json-parse", 1) ?? 0
  return cases.map(({ way, workers }, i): MeasuredCase => {
    const { medianMs = 0, minMs = 0, maxMs = 0 } = timings[i] ?? {}
    const publicMs = medianOf("public-packages", workers) ?? medianOf("public-packages", 1)
    return {
      case: way,
      workers,
      medianMs: rounded(medianMs, 3),
      minMs: rounded(minMs, 3),
      maxMs: rounded(maxMs, 3),
      megabytesPerSecond: rounded(byteCount / 1000 / medianMs, 1),
      timesJsonParse: rounded(parseMs / medianMs, 3),
      timesPublicPackages: publicMs === null ? null : rounded(publicMs / medianMs, 3),
    }
  })
}
