import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { SessionEvent } from "#core/log/envelope"
import type { TurnUsage } from "#core/tokens/turn-usage"
import { turnUsage } from "#core/tokens/turn-usage"

type Each = readonly [type: string, data: JsonObject]

const at = { turn: 2, step: 1 }
const begun: Each = ["turn/start", { turn: 2 }]
const ended: Each = ["turn/end", { turn: 2, reason: { kind: "completed" } }]
const stepped: Each = ["step/start", at]
const stepEnd: Each = ["step/end", at]
const scheduled: Each = ["llm/retry", { ...at, retryId: "r", retry: 1 }]
const retried: Each = ["llm/retry-started", { ...at, retryId: "r", retry: 1 }]

const inStream = (usage: JsonObject): JsonObject => ({ chunk: { type: "usage", usage } })

const message = (usage: JsonObject, more: JsonObject = {}): Each => [
  "assistant/message",
  { ...at, message: { source: { kind: "model", provider: "p", model: "m" } }, usage, ...more },
]
const failed = (...usages: readonly JsonObject[]): Each => [
  "assistant/attempt",
  { ...at, stream: usages.map(inStream) },
]

const usageOf = (...events: readonly Each[]): TurnUsage | null =>
  turnUsage(events.map(([type, data], seq) => ({ type, seq, time: seq, data })) as SessionEvent[])

/** The usage of a turn of one step. */
const turnOf = (...events: readonly Each[]): TurnUsage | null =>
  usageOf(begun, stepped, ...events, stepEnd, ended)

const plain: JsonObject = {
  inputTokens: 10,
  outputTokens: 5,
  cacheReadTokens: 3,
  cacheWriteTokens: 2,
}

describe("usage of one turn", () => {
  it("PC24: is that of its call, with the route", () => {
    const usage = { ...plain, reasoningTokens: null, totalTokens: 20 }
    expect(turnOf(message(plain))).toEqual({
      turn: 2,
      attempts: [usage],
      totals: usage,
      routes: [{ provider: "p", model: "m" }],
    })
  })

  it("PC24: has failed calls beside the one that was started again", () => {
    const usage = turnOf(failed(plain), scheduled, retried, message({ ...plain, inputTokens: 11 }))
    expect(usage?.attempts.map(({ totalTokens }) => totalTokens)).toEqual([20, 21])
    expect(usage?.totals).toMatchObject({ inputTokens: 21, outputTokens: 10, totalTokens: 41 })
    // a failed call does not say where it went
    expect(usage?.routes).toBeNull()
  })

  it("PC24: a retry that never started is no call", () => {
    expect(turnOf(failed(plain), scheduled)?.attempts).toHaveLength(1)
    const late = usageOf(begun, stepped, failed(plain), stepEnd, scheduled, ended)
    expect(late?.attempts).toHaveLength(1)
  })

  it("PC24: the report of a message comes before that of its stream, the last one of a stream counts", () => {
    const other = { ...plain, inputTokens: 99 }
    expect(turnOf(message(plain, { stream: [inStream(other)] }))?.totals.inputTokens).toBe(10)
    expect(turnOf(failed(other, plain))?.totals.inputTokens).toBe(10)
    expect(turnOf(failed(other), message(plain))?.attempts).toHaveLength(1)
  })

  it("PC24: the total is the one that was reported, where a bucket of the cache is not", () => {
    const { cacheWriteTokens: _, ...some } = plain
    expect(turnOf(message({ ...some, totalTokens: 30 }))?.totals).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      cacheReadTokens: 3,
      cacheWriteTokens: null,
      reasoningTokens: null,
      totalTokens: 30,
    })
    expect(turnOf(message(some))).toBeNull()
  })

  it("PC24: a bucket stands in the sums where every call has it", () => {
    const thought = { ...plain, reasoningTokens: 4 }
    const both = turnOf(failed(thought), scheduled, retried, message(thought))
    expect(both?.totals.reasoningTokens).toBe(8)
    const one = turnOf(failed(plain), scheduled, retried, message(thought))
    expect(one?.totals.reasoningTokens).toBeNull()
    expect(one?.attempts[1]?.reasoningTokens).toBe(4)
  })

  it.each<[string, JsonObject]>([
    ["no count", { ...plain, inputTokens: 1.5 }],
    ["a cache bucket that is none", { ...plain, cacheReadTokens: "3" }],
    ["no output", { inputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 }],
    ["a total below its buckets", { inputTokens: 10, outputTokens: 5, totalTokens: 14 }],
    ["a total beside all buckets", { ...plain, totalTokens: 21 }],
    ["more reasoning than output", { ...plain, reasoningTokens: 6 }],
    ["a sum beyond all counts", { ...plain, inputTokens: Number.MAX_SAFE_INTEGER }],
  ])("PC24: a report with %s proves nothing", (_name, report) => {
    expect(turnOf(message(report))).toBeNull()
  })

  it("PC24: nor do reports whose sum is no count", () => {
    const most = { ...plain, inputTokens: Number.MAX_SAFE_INTEGER - 10 }
    expect(turnOf(message(most))).not.toBeNull()
    expect(turnOf(failed(most), scheduled, retried, message(most))).toBeNull()
  })

  it.each<[string, readonly Each[]]>([
    ["without its start", [stepped, message(plain), stepEnd, ended]],
    ["without its end", [begun, stepped, message(plain), stepEnd]],
    ["that ends as another one", [begun, ["turn/end", { turn: 3 }]]],
    ["with another one in it", [begun, begun, ended]],
    ["that ends in a step", [begun, stepped, message(plain), ended]],
    ["with a step in a step", [begun, stepped, stepped, message(plain), stepEnd, ended]],
    ["with the end of another step", [begun, stepped, ["step/end", { turn: 2, step: 9 }], ended]],
    ["with an answer outside of steps", [begun, message(plain), ended]],
    [
      "with two answers in a step",
      [begun, stepped, message(plain), message(plain), stepEnd, ended],
    ],
    ["with a call that reports nothing", [begun, stepped, stepEnd, ended]],
    [
      "with a retry that nobody scheduled",
      [begun, stepped, retried, message(plain), stepEnd, ended],
    ],
    [
      "with a retry of another number",
      [
        begun,
        stepped,
        failed(plain),
        scheduled,
        ["llm/retry-started", { ...at, retryId: "r", retry: 2 }],
        message(plain),
        stepEnd,
        ended,
      ],
    ],
    [
      "with a retry behind the end of its step",
      [begun, stepped, failed(plain), stepEnd, scheduled, retried, ended],
    ],
    [
      "with a retry of another step",
      [begun, stepped, failed(plain), ["llm/retry", { ...at, step: 7 }], stepEnd, ended],
    ],
    [
      "with a retry behind an answer",
      [begun, stepped, message(plain), scheduled, retried, failed(plain), stepEnd, ended],
    ],
  ])("PC24: a turn %s proves nothing", (_name, events) => {
    expect(usageOf(...events)).toBeNull()
  })

  it("PC24: a turn without calls used nothing", () => {
    expect(usageOf(begun, ["plan/mode", { active: true }], ended)).toMatchObject({
      attempts: [],
      totals: { totalTokens: 0 },
      routes: [],
    })
    expect(usageOf()).toBeNull()
    expect(usageOf(begun)).toBeNull()
  })
})
