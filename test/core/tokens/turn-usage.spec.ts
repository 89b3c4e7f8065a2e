import { isRight } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { SessionEvent } from "#core/log/envelope"
import type { TurnUsage } from "#core/tokens/turn-usage"
import { turnUsage } from "#core/tokens/turn-usage"
import { leftOf, rightOf } from "../surface/events.ts"

type Row = readonly [type: string, data: JsonObject]

const eventsOf = (...rows: readonly Row[]): readonly SessionEvent[] =>
  rows.map(([type, data], seq) => ({ type, seq, time: seq, data }))

const start: Row = ["turn/start", { turn: 1 }]
const end: Row = ["turn/end", { turn: 1, reason: { kind: "completed" } }]
const step = (n: number): Row => ["step/start", { turn: 1, step: n }]
const stepEnd = (n: number): Row => ["step/end", { turn: 1, step: n }]
const retry = (n: number): Row => ["llm/retry", { retryId: "r", turn: 1, step: 1, retry: n }]
const started = (n: number): Row => [
  "llm/retry-started",
  { retryId: "r", turn: 1, step: 1, retry: n },
]

const source = { kind: "model", provider: "p", model: "m" }
const message = (n: number, usage: JsonObject | null, more: JsonObject = {}): Row => [
  "assistant/message",
  { turn: 1, step: n, message: { source }, ...(usage !== null && { usage }), ...more },
]
const stream = (usage: JsonObject): JsonObject => ({
  stream: [{ type: "chunk", time: 1, chunk: { type: "usage", usage } }],
})
const attempt = (n: number, usage: JsonObject): Row => [
  "assistant/attempt",
  { turn: 1, step: n, ...stream(usage) },
]
const chunk = (n: number, usage: JsonObject): Row => [
  "assistant/chunk",
  { turn: 1, step: n, chunk: { type: "usage", usage } },
]

const whole = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 3, cacheWriteTokens: 2 }
const total = (totalTokens: number): JsonObject => ({
  inputTokens: 10,
  outputTokens: 5,
  totalTokens,
})

const usageOf = (...rows: readonly Row[]): TurnUsage => rightOf(turnUsage(eventsOf(...rows)))
const refusalOf = (...rows: readonly Row[]): object => leftOf(turnUsage(eventsOf(...rows)))
const one = (usage: JsonObject | null): readonly Row[] => [
  start,
  step(1),
  message(1, usage),
  stepEnd(1),
  end,
]

describe("usage of a turn", () => {
  it("TZ30: adds up the attempts of a complete turn", () => {
    const rows = [start, step(1), message(1, whole), stepEnd(1)]
    const usage = usageOf(...rows, step(2), message(2, total(15)), stepEnd(2), end)
    expect(usage).toEqual({
      turn: 1,
      attempts: [
        {
          step: 1,
          attempt: 1,
          route: { provider: "p", model: "m" },
          ...whole,
          totalTokens: 20,
          reasoningTokens: null,
        },
        {
          step: 2,
          attempt: 1,
          route: { provider: "p", model: "m" },
          ...total(15),
          cacheReadTokens: null,
          cacheWriteTokens: null,
          reasoningTokens: null,
        },
      ],
      totals: {
        inputTokens: 20,
        outputTokens: 10,
        totalTokens: 35,
        cacheReadTokens: null,
        cacheWriteTokens: null,
        reasoningTokens: null,
      },
      routes: [{ provider: "p", model: "m" }],
    })
  })

  it("TZ30: other events among them say nothing", () => {
    const other: Row = ["tool/call", { turn: 7 }]
    const [first, ...rest] = one(whole)
    expect(usageOf(other, first as Row, other, ...rest, other)).toEqual(usageOf(...one(whole)))
  })

  const answer = message(1, whole)
  it.each<readonly [string, readonly Row[], number | null]>([
    ["nothing", [], null],
    ["no start", [step(1), answer, stepEnd(1), end], 0],
    ["no end", [start, step(1), answer, stepEnd(1)], null],
    ["an open step", [start, step(1), answer, end], 3],
    ["a step in a step", [start, step(1), step(2)], 2],
    ["another step ends", [start, step(1), answer, stepEnd(2)], 3],
    ["a step ends twice", [start, step(1), answer, stepEnd(1), stepEnd(1)], 4],
    ["an answer of another step", [start, step(1), message(2, whole)], 2],
    ["an answer outside", [start, answer], 1],
    ["a second turn", [...one(whole), ["turn/start", { turn: 2 }]], 5],
    ["an answer after it", [...one(whole), answer], 5],
    ["the end of another turn", [start, ["turn/end", { turn: 2 }]], 1],
    ["a step of another turn", [start, ["step/start", { turn: 2, step: 1 }]], 1],
    ["no number", [["turn/start", {}]], 0],
  ])("TZ30: there is none for %s", (_name, rows, seq) => {
    expect(refusalOf(...rows)).toEqual({ code: "turn-incomplete", seq })
  })
})

describe("attempts of a step", () => {
  it("TZ31: a retry that was scheduled and started is the next attempt", () => {
    const usage = usageOf(
      ...[start, step(1), attempt(1, total(15)), retry(1), started(1)],
      ...[message(1, total(16)), stepEnd(1), end],
    )
    expect(usage.attempts.map((each) => [each.attempt, each.totalTokens])).toEqual([
      [1, 15],
      [2, 16],
    ])
    expect(usage.totals.totalTokens).toBe(31)
  })

  it("TZ31: one that was never started is none, also behind its step", () => {
    const rows = [start, step(1), attempt(1, total(15)), retry(1)]
    expect(usageOf(...rows, stepEnd(1), end).attempts.length).toBe(1)
    expect(usageOf(start, step(1), answerOf(15), stepEnd(1), retry(1), end).attempts.length).toBe(1)
  })

  const answerOf = (tokens: number): Row => message(1, total(tokens))

  it("TZ31: one that was not scheduled, or is started twice, has no result", () => {
    expect(refusalOf(start, step(1), answerOf(15), started(1))).toEqual({
      code: "turn-incomplete",
      seq: 3,
    })
    const twice = [start, step(1), attempt(1, total(15)), retry(1), started(1), started(1)]
    expect(refusalOf(...twice)).toEqual({ code: "turn-incomplete", seq: 5 })
  })

  it("TZ31: an attempt that nobody answered, or that reports nothing, has no result", () => {
    const missing = (step: number, attempt: number): object => ({
      code: "usage-missing",
      step,
      attempt,
    })
    expect(refusalOf(start, step(1), stepEnd(1), end)).toEqual(missing(1, 1))
    expect(refusalOf(...one(null))).toEqual(missing(1, 1))
    const rows = [start, step(1), attempt(1, total(15)), retry(1), started(1), stepEnd(1), end]
    expect(refusalOf(...rows)).toEqual(missing(1, 2))
  })

  it("TZ32: a message's own report comes before that of streams, and of these the last", () => {
    const totalOf = (...rows: readonly Row[]): number =>
      usageOf(start, step(1), ...rows, stepEnd(1), end).totals.totalTokens
    expect(totalOf(chunk(1, total(15)), chunk(1, total(16)))).toBe(16)
    expect(totalOf(chunk(1, total(15)), message(1, total(17)))).toBe(17)
    expect(totalOf(chunk(1, total(15)), message(1, null))).toBe(15)
    expect(totalOf(message(1, total(17)), chunk(1, total(15)))).toBe(17)
    expect(totalOf(message(1, total(17), stream(total(18))))).toBe(17)
    expect(totalOf(message(1, null, stream(total(18))))).toBe(18)
  })
})

describe("figures of an attempt", () => {
  const largest = Number.MAX_SAFE_INTEGER

  it.each<readonly [string, JsonObject, number]>([
    ["given", total(15), 15],
    ["given, with more than is known", total(99), 99],
    ["the sum of all buckets", whole, 20],
    ["both, where they agree", { ...whole, totalTokens: 20 }, 20],
    ["the largest", { ...total(largest) }, largest],
  ])("TZ33: the total is %s", (_name, usage, tokens) => {
    expect(usageOf(...one(usage)).totals.totalTokens).toBe(tokens)
  })

  it.each<readonly [string, JsonObject]>([
    ["usage-count", { ...whole, inputTokens: -1 }],
    ["usage-count", { ...whole, outputTokens: 1.5 }],
    ["usage-count", { ...whole, cacheReadTokens: "3" }],
    ["usage-count", { ...whole, reasoningTokens: null }],
    ["usage-count", { ...total(2 ** 53) }],
    ["usage-count", { cacheReadTokens: 1, cacheWriteTokens: 1, inputTokens: 1 }],
    ["usage-count", { ...whole, inputTokens: largest }],
    ["usage-total-unknown", { inputTokens: 10, outputTokens: 5 }],
    ["usage-total-unknown", { inputTokens: 10, outputTokens: 5, cacheReadTokens: 1 }],
    ["usage-total", total(14)],
    ["usage-total", { ...total(17), cacheReadTokens: 3 }],
    ["usage-total", { ...whole, totalTokens: 21 }],
    ["usage-total", { ...whole, totalTokens: 19 }],
    ["usage-reasoning", { ...whole, reasoningTokens: 6 }],
  ])("TZ33: %s for %j", (code, usage) => {
    expect(refusalOf(...one(usage))).toEqual({ code, step: 1, attempt: 1 })
  })

  it("TZ33: a sum beyond the last exact number is none", () => {
    const rows = [start, step(1), message(1, total(largest - 14)), stepEnd(1)]
    const more = (tokens: JsonObject): readonly Row[] => [
      ...rows,
      ...[step(2), message(2, tokens), stepEnd(2), end],
    ]
    const small = { inputTokens: 4, outputTokens: 10, totalTokens: 14 }
    expect(usageOf(...more(small)).totals.totalTokens).toBe(largest)
    expect(refusalOf(...more(total(15)))).toEqual({ code: "usage-overflow" })
  })

  it("TZ34: reasoning, cache and models are there only where every attempt has them", () => {
    const usage = { ...whole, reasoningTokens: 5 }
    const both = (second: Row): TurnUsage =>
      usageOf(start, step(1), message(1, usage), stepEnd(1), step(2), second, stepEnd(2), end)
    expect(both(message(2, usage)).totals).toEqual({
      inputTokens: 20,
      outputTokens: 10,
      totalTokens: 40,
      cacheReadTokens: 6,
      cacheWriteTokens: 4,
      reasoningTokens: 10,
    })
    expect(both(message(2, whole)).totals).toMatchObject({
      reasoningTokens: null,
      cacheReadTokens: 6,
    })
    expect(both(attempt(2, usage)).routes).toBeNull()
    const other = { message: { source: { ...source, model: "n" } } }
    expect(both(message(2, usage, other)).routes).toEqual([
      { provider: "p", model: "m" },
      { provider: "p", model: "n" },
    ])
  })

  it("TZ30: a turn without a step has used nothing", () => {
    expect(isRight(turnUsage(eventsOf(start, end)))).toBe(true)
    expect(usageOf(start, end).totals.totalTokens).toBe(0)
  })
})
