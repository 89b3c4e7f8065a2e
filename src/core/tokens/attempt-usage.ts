import { isCount } from "../data/count.ts"
import type { JsonObject } from "../data/json.ts"
import { ownValue } from "../data/json.ts"

/** Tokens of one call as its provider reported them; null for what it did not say. */
export interface AttemptUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number | null
  readonly cacheWriteTokens: number | null
  /** A part of the output. */
  readonly reasoningTokens: number | null
  readonly totalTokens: number
}

const optional = (report: JsonObject, key: string): number | null | undefined => {
  const value = ownValue(report, key)
  if (value === undefined) return null
  return isCount(value) ? value : undefined
}

/**
 * What a report says of one call, if it is exact and contradicts nothing; null otherwise.
 *
 * shape   the total is the one that was reported, or the sum of buckets where none of them is missing
 * source  turn usage of the agent
 */
export const exactUsage = (report: JsonObject): AttemptUsage | null => {
  const inputTokens = ownValue(report, "inputTokens")
  const outputTokens = ownValue(report, "outputTokens")
  const cacheReadTokens = optional(report, "cacheReadTokens")
  const cacheWriteTokens = optional(report, "cacheWriteTokens")
  const reasoningTokens = optional(report, "reasoningTokens")
  const total = optional(report, "totalTokens")
  if (!isCount(inputTokens) || !isCount(outputTokens)) return null
  if (cacheReadTokens === undefined || cacheWriteTokens === undefined) return null
  if (reasoningTokens === undefined || total === undefined) return null
  if (reasoningTokens !== null && reasoningTokens > outputTokens) return null
  const known = inputTokens + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0) + outputTokens
  const isComplete = cacheReadTokens !== null && cacheWriteTokens !== null
  const totalTokens = total ?? (isComplete ? known : null)
  if (totalTokens === null || !isCount(known)) return null
  if (totalTokens < known || (isComplete && totalTokens !== known)) return null
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
    totalTokens,
  }
}

const fields = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
  "totalTokens",
] as const

type Sums = { -readonly [Key in keyof AttemptUsage]: AttemptUsage[Key] }

/**
 * The sums over some calls: null for what one of them did not report; null altogether where a sum is
 * no count any more.
 */
export const sumOfAttempts = (attempts: readonly AttemptUsage[]): AttemptUsage | null => {
  const sums: Sums = {
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    totalTokens: 0,
  }
  for (const attempt of attempts)
    for (const field of fields) {
      const sum = sums[field]
      const more = attempt[field]
      if (sum !== null && more !== null && !isCount(sum + more)) return null
      // the two that are never null stay numbers
      sums[field] = (sum === null || more === null ? null : sum + more) as number
    }
  return sums
}
