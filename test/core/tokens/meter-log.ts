import { isLeft } from "fp-ts/lib/Either.js"
import type { JsonArray, JsonObject } from "#core/data/json"
import type { Measurement } from "#core/tokens/measure"
import { measure } from "#core/tokens/measure"
import type { RoutePricing } from "#core/tokens/media"
import type { MeterState } from "#core/tokens/meter"
import { noMeter, stepMeter } from "#core/tokens/meter"
import { deepFrozen } from "../../../properties/token-steps.ts"
import type { Draft } from "../surface/events.ts"
import { leftOf, rightOf } from "../surface/events.ts"
import { answer, headerOf, lastOf, priced } from "./token-events.ts"

/** Every state of a meter over a log; nothing may be refused. */
export const metersOf = (drafts: readonly Draft[]): readonly MeterState[] => {
  const meters = [noMeter(headerOf())]
  for (const event of priced(drafts)) {
    const next = stepMeter(lastOf(meters), deepFrozen(event))
    if (isLeft(next)) throw new RangeError(JSON.stringify(next.left))
    meters.push(next.right)
  }
  return meters
}

/** What a session comes to. */
export const measured = (drafts: readonly Draft[], pricing?: RoutePricing): Measurement =>
  rightOf(measure(lastOf(metersOf(drafts)), null, pricing))

/** Why the last event is not taken. */
export const refusalAfter = (drafts: readonly Draft[]): unknown =>
  leftOf(stepMeter(lastOf(metersOf(drafts.slice(0, -1))), lastOf(priced(drafts))))

export const stepStart = (step = 1): Draft => ({ type: "step/start", data: { turn: 1, step } })

// [{"name":"ls","description":"lists a folder of files","parameters":{"type":"object"}}] is 85 units:
// 22 + 4 tokens
const tools = [
  { name: "ls", description: "lists a folder of files", parameters: { type: "object" } },
]
export const toolsPrice = 26

export const header = (model = "m", given: readonly JsonObject[] = tools): JsonObject => ({
  config: { provider: "p", model },
  ...(given.length > 0 ? { tools: given } : {}),
})

export const headerEvent = (value: JsonObject): Draft => ({
  type: "request/header",
  data: { header: value, reason: "initial" },
})

export const textStream = (...texts: string[]): JsonArray => [
  { type: "text-chunks", time0: 1, index: 0, dt: texts.slice(1).map(() => 1), texts },
]

/** An answer whose stream says something else than what the log keeps of it. */
export const streamed = (words: string, usage: JsonObject | null, stream: JsonArray): Draft => {
  const { data, ...rest } = answer(words, usage)
  return { ...rest, data: { ...(data as JsonObject), stream } }
}

export const usageOf = (total: number): JsonObject => ({ inputTokens: total - 2, outputTokens: 2 })
