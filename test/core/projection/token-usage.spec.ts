import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { tokenUsage } from "#core/projection/builtin/token-usage"
import { openCells } from "#core/projection/cells"
import { checkpointOf } from "#core/projection/checkpoint"
import { stateOf } from "#core/projection/read"
import { assistantData } from "../../../properties/arbitraries/dialect.ts"
import type { Draft } from "./session.ts"
import {
  event,
  eventsOf,
  headerOf,
  LiveSession,
  registryOf,
  rightOf,
  sliceOf,
  toldOf,
} from "./session.ts"

const usage = (inputTokens: number, outputTokens: number, rest: JsonObject = {}): JsonObject => ({
  inputTokens,
  outputTokens,
  ...rest,
})

const attempt = (turn: number, step: number, reported: JsonObject): Draft =>
  event("assistant/attempt", {
    turn,
    step,
    stream: [{ type: "chunk", time: 1, chunk: { type: "usage", usage: reported } }],
  })

const answer = (turn: number, step: number, reported?: JsonObject): Draft => ({
  type: "assistant/message",
  data: assistantData(4, { turn, step }, "a", [], reported),
  surfaceOp: "append",
})

const retryStarted = event("llm/retry-started", { retryId: "r", turn: 1, step: 1, retry: 1 })

const totals = (input: number, output: number, read = 0, write = 0): JsonObject => ({
  uncachedInputTokens: input,
  outputTokens: output,
  cacheReadTokens: read,
  cacheWriteTokens: write,
})

describe("tokenUsage", () => {
  it("PR42: a message takes the place of the attempt before it", () => {
    const drafts = [attempt(1, 1, usage(100, 5)), answer(1, 1, usage(100, 20))]
    expect(toldOf(tokenUsage, drafts)).toStrictEqual([totals(100, 5), totals(100, 20)])
  })

  it("PR42: after a retry it is added, and the retry alone is quiet", () => {
    const drafts = [attempt(1, 1, usage(100, 5)), retryStarted, answer(1, 1, usage(100, 20))]
    expect(toldOf(tokenUsage, drafts)).toStrictEqual([totals(100, 5), null, totals(200, 25)])
  })

  it("PR42: reports of other steps are added, equal ones of the same step are quiet", () => {
    const cached = usage(10, 2, { cacheReadTokens: 3, cacheWriteTokens: 4, reasoningTokens: 1 })
    const drafts = [
      answer(1, 1, cached),
      answer(1, 1, cached),
      answer(1, 1, { ...cached, reasoningTokens: 2 }),
      answer(1, 2, cached),
    ]
    expect(toldOf(tokenUsage, drafts)).toStrictEqual([
      totals(10, 2, 3, 4),
      null,
      null,
      totals(20, 4, 6, 8),
    ])
  })

  it("PR42: what a compaction used is not counted", () => {
    const summary = event("compaction/summary", { compactionId: "k", usage: usage(9, 9) })
    expect(toldOf(tokenUsage, [answer(1, 1, usage(1, 1)), summary])[1]).toBeNull()
  })

  it("PR42: a report that names no step is added and corrected by none", () => {
    const chunk = { chunk: { type: "usage", usage: usage(7, 1) } }
    const drafts = [event("assistant/chunk", chunk), event("assistant/chunk", chunk)]
    const session = new LiveSession(registryOf(tokenUsage), drafts, 0)
    const { registry, cells, slice } = session
    const [, rows] = rightOf(checkpointOf(registry, cells, slice))
    expect(rows["tokenUsage"]?.val).toStrictEqual({ totals: totals(14, 2), last: null, cut: 0 })
  })

  it("PR43: leaves out what was inherited, by the marker", () => {
    const marker = event("session/end-seed", { inherited: true })
    const drafts = [answer(1, 1, usage(5, 5)), marker, answer(1, 1, usage(1, 2))]
    expect(toldOf(tokenUsage, drafts)).toStrictEqual([totals(5, 5), totals(0, 0), totals(1, 2)])
  })

  it("PR43: leaves out what was inherited, by the number of events", () => {
    const events = eventsOf([answer(1, 1, usage(5, 5)), answer(2, 1, usage(1, 2))])
    const registry = registryOf(tokenUsage)
    const cells = openCells(registry, headerOf(), 1, -1)
    const [, state] = rightOf(stateOf(registry, cells, sliceOf(events), tokenUsage))
    expect(state?.totals).toStrictEqual(totals(1, 2))
  })
})
