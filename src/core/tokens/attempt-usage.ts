import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { isCount } from "../data/count.ts"
import type { JsonObject } from "../data/json.ts"
import { ownValue } from "../data/json.ts"

/** Figures of reported usage; null where not all that is added up reports them. */
export interface UsageFigures {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
  readonly cacheReadTokens: number | null
  readonly cacheWriteTokens: number | null
  readonly reasoningTokens: number | null
}

/** Why a report cannot be believed. */
export type UsageFault = "usage-count" | "usage-total-unknown" | "usage-total" | "usage-reasoning"

const optional = ["cacheReadTokens", "cacheWriteTokens", "reasoningTokens", "totalTokens"] as const

/** A count where there is one, null where there is nothing, undefined for anything else. */
const countAt = (report: JsonObject, key: string): number | null | undefined => {
  const value = ownValue(report, key)
  return value === undefined ? null : isCount(value) ? value : undefined
}

/**
 * The figures of one report.
 *
 * errors  usage-count: something is no count, or the counts add up to none; usage-total-unknown:
 *         no total, and not both buckets of the cache; usage-total: a total below the prompt and the
 *         output that are known, or other than their sum where all buckets are there;
 *         usage-reasoning: more reasoning than output
 */
export const usageFigures = (report: JsonObject): Either<UsageFault, UsageFigures> => {
  const [inputTokens, outputTokens] = [
    countAt(report, "inputTokens"),
    countAt(report, "outputTokens"),
  ]
  const [cacheReadTokens, cacheWriteTokens, reasoningTokens, given] = optional.map((key) =>
    countAt(report, key),
  )
  if (typeof inputTokens !== "number" || typeof outputTokens !== "number")
    return left("usage-count")
  if (
    cacheReadTokens === undefined ||
    cacheWriteTokens === undefined ||
    reasoningTokens === undefined ||
    given === undefined
  )
    return left("usage-count")
  const known = inputTokens + (cacheReadTokens ?? 0) + (cacheWriteTokens ?? 0) + outputTokens
  if (!isCount(known)) return left("usage-count")
  const isComplete = cacheReadTokens !== null && cacheWriteTokens !== null
  if (given === null && !isComplete) return left("usage-total-unknown")
  const totalTokens = given ?? known
  if (totalTokens < known || (isComplete && totalTokens !== known)) return left("usage-total")
  if (reasoningTokens !== null && reasoningTokens > outputTokens) return left("usage-reasoning")
  return right({
    inputTokens,
    outputTokens,
    totalTokens,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
  })
}

const both = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b

/** The sum of two figures; null where it leaves what a count can say. */
export const addFigures = (a: UsageFigures, b: UsageFigures): UsageFigures | null => {
  // each bucket is a part of the total
  const totalTokens = a.totalTokens + b.totalTokens
  if (!isCount(totalTokens)) return null
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens,
    cacheReadTokens: both(a.cacheReadTokens, b.cacheReadTokens),
    cacheWriteTokens: both(a.cacheWriteTokens, b.cacheWriteTokens),
    reasoningTokens: both(a.reasoningTokens, b.reasoningTokens),
  }
}
