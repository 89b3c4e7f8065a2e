import { isCount } from "../data/count.ts"
import type { JsonValue } from "../data/json.ts"
import { isJsonArray } from "../data/json.ts"

/**
 * The events that an event cites, as runs; never expanded, so that a citation of a whole log costs
 * what its text costs.
 *
 *     [3, [7, 9], 12]  →  runs  3 3  7 9  12 12      length 5
 */
export interface SourceRuns {
  /** Pairs of first and last seq, flat, in the order written. */
  readonly runs: readonly number[]
  /** Number of cited events. */
  readonly length: number
  /** Whether the citations grow strictly, so that none is repeated and the runs are sorted. */
  readonly isAscending: boolean
}

/**
 * Reads `sourceEventSeqs`: seqs and `[first, last]` pairs, mixed.
 *
 * shape   null when it is no list of them, or when a list with a pair does not grow strictly
 * source  storage form of the log format, versions 0 to 4
 */
export const sourceRunsOf = (value: JsonValue): SourceRuns | null => {
  if (!isJsonArray(value)) return null
  const only = value[0]
  // most citations name one event
  if (value.length === 1 && isCount(only))
    return { runs: [only, only], length: 1, isAscending: true }
  const runs: number[] = []
  let length = 0
  let isAscending = true
  let hasPair = false
  let last = -1
  for (const item of value) {
    let start: number
    let end: number
    if (typeof item === "number") start = end = item
    else {
      if (!isJsonArray(item) || item.length !== 2) return null
      hasPair = true
      start = item[0] as number
      end = item[1] as number
    }
    if (!isCount(start) || !isCount(end) || start > end) return null
    if (start <= last) isAscending = false
    if (runs.length > 0 && start === last + 1) runs[runs.length - 1] = end
    else runs.push(start, end)
    length += end - start + 1
    last = end
  }
  return hasPair && !isAscending ? null : { runs, length, isAscending }
}

/** The first cited seq that is not before `seq`, or null. */
export const citedFrom = (sources: SourceRuns, seq: number): number | null => {
  const { runs } = sources
  for (let i = 0; i < runs.length; i += 2) {
    const end = runs[i + 1] as number
    if (end >= seq) return Math.max(runs[i] as number, seq)
  }
  return null
}

/** A seq that is cited twice, or null. */
export const citedTwice = (sources: SourceRuns): number | null => {
  if (sources.isAscending) return null
  const sorted = sortedRuns(sources)
  for (let i = 2; i < sorted.length; i += 2) {
    const start = sorted[i] as number
    if (start <= (sorted[i - 1] as number)) return start
  }
  return null
}

/**
 * The runs by growing first seq; the written ones where they grow already. Of runs that overlap,
 * one begins before the one before it ends.
 */
export const sortedRuns = (sources: SourceRuns): readonly number[] => {
  if (sources.isAscending) return sources.runs
  const count = sources.runs.length >> 1
  const starts = new Float64Array(count)
  const ends = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    starts[i] = sources.runs[i * 2] as number
    ends[i] = sources.runs[i * 2 + 1] as number
  }
  // each for itself: where no runs overlap they stay pairs, and where some do, one still shows
  starts.sort()
  ends.sort()
  const sorted: number[] = []
  for (let i = 0; i < count; i++) sorted.push(starts[i] as number, ends[i] as number)
  return sorted
}

/** Whether sorted runs that do not overlap hold `seq`; cost: the logarithm of their number. */
export const runsHold = (sorted: readonly number[], seq: number): boolean => {
  let low = 0
  let high = sorted.length >> 1
  // the last run that begins at or before seq ends up at low − 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle * 2] as number) <= seq) low = middle + 1
    else high = middle
  }
  return low > 0 && seq <= (sorted[low * 2 - 1] as number)
}
