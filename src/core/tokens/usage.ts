import { isCount, isSafeInt } from "../data/count.ts"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"

/**
 * Tokens that a provider reported.
 *
 * units   disjoint buckets: `inputTokens` is the input that no cache held. `reasoningTokens` is a
 *         part of `outputTokens` and never added to it
 */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly reasoningTokens: number
}

/** The buckets as numbers, in the order of the columns. */
export const bucketsOf = (usage: Usage): readonly number[] => [
  usage.inputTokens,
  usage.outputTokens,
  usage.cacheReadTokens,
  usage.cacheWriteTokens,
  usage.reasoningTokens,
]

export const noUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
}

export const addUsage = (a: Usage, b: Usage, sign: 1 | -1 = 1): Usage => ({
  inputTokens: a.inputTokens + sign * b.inputTokens,
  outputTokens: a.outputTokens + sign * b.outputTokens,
  cacheReadTokens: a.cacheReadTokens + sign * b.cacheReadTokens,
  cacheWriteTokens: a.cacheWriteTokens + sign * b.cacheWriteTokens,
  reasoningTokens: a.reasoningTokens + sign * b.reasoningTokens,
})

export const sameUsage = (a: Usage, b: Usage): boolean =>
  a.inputTokens === b.inputTokens &&
  a.outputTokens === b.outputTokens &&
  a.cacheReadTokens === b.cacheReadTokens &&
  a.cacheWriteTokens === b.cacheWriteTokens &&
  a.reasoningTokens === b.reasoningTokens

const bucket = (usage: JsonObject, key: string): number => {
  const value = ownValue(usage, key)
  // formats do not check usage: what is no count was never a number of tokens
  return isCount(value) ? value : 0
}

const usageOf = (value: JsonObject): Usage => ({
  inputTokens: bucket(value, "inputTokens"),
  outputTokens: bucket(value, "outputTokens"),
  cacheReadTokens: bucket(value, "cacheReadTokens"),
  cacheWriteTokens: bucket(value, "cacheWriteTokens"),
  reasoningTokens: bucket(value, "reasoningTokens"),
})

const objectIn = (data: JsonObject, key: string): JsonObject | null => {
  const value = ownValue(data, key)
  return isJsonObject(value) ? value : null
}

const chunkUsage = (chunk: JsonObject | null): JsonObject | null =>
  chunk !== null && chunk["type"] === "usage" ? objectIn(chunk, "usage") : null

const streamUsage = (stream: JsonValue | undefined): JsonObject | null => {
  if (!isJsonArray(stream)) return null
  for (let i = stream.length - 1; i >= 0; i--) {
    const record = stream[i]
    const usage = isJsonObject(record) ? chunkUsage(objectIn(record, "chunk")) : null
    if (usage !== null) return usage
  }
  return null
}

/**
 * The usage that one event reports, as it was logged, or null: that of the message, else the last one
 * in its stream, or that of a single chunk in formats 0 and 1.
 */
export const reportIn = (data: JsonObject): JsonObject | null =>
  objectIn(data, "usage") ??
  streamUsage(ownValue(data, "stream")) ??
  chunkUsage(objectIn(data, "chunk"))

/** What one event says of usage: a report, or that a new attempt begins. */
export interface UsageSample {
  /** NaN where the event does not say: no other event is of the same step then. */
  readonly turn: number
  readonly step: number
  /** Null for the start of a retry. */
  readonly usage: Usage | null
}

/** Event types that may tell of usage. */
export const usageTypes: ReadonlySet<string> = new Set([
  "assistant/message",
  "assistant/attempt",
  "assistant/chunk",
  "llm/retry-started",
])

const placeOf = (data: JsonObject, key: string): number => {
  const value = ownValue(data, key)
  return isSafeInt(value) ? value : NaN
}

/** The sample of one event, or null. */
export const usageSample = (type: string, data: JsonValue): UsageSample | null => {
  if (!usageTypes.has(type) || !isJsonObject(data)) return null
  const isRetry = type === "llm/retry-started"
  const report = isRetry ? null : reportIn(data)
  if (report === null && !isRetry) return null
  const usage = report === null ? null : usageOf(report)
  return { turn: placeOf(data, "turn"), step: placeOf(data, "step"), usage }
}

/** Tokens of the whole prompt of a call, cached or not. */
export const promptTokensOf = (usage: Usage): number =>
  usage.inputTokens + usage.cacheReadTokens + usage.cacheWriteTokens

/** Tokens of a whole call: its prompt and its answer. */
export const callTokensOf = (usage: Usage): number => promptTokensOf(usage) + usage.outputTokens
