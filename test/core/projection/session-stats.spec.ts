import { describe, expect, it } from "vitest"
import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import { rowOf } from "#core/log/row"
import { stepFold } from "#core/fold/fold"
import { sessionStats } from "#core/projection/builtin/session-stats"
import { projectionFold } from "#core/projection/projection-fold"
import { assistantData, toolResultData } from "../../../properties/arbitraries/dialect.ts"
import type { Draft } from "./session.ts"
import { headerOf, LiveSession, registryOf, rightOf } from "./session.ts"

const place = { turn: 1, step: 1 }

const at = (time: number, type: string, data: JsonObject): Draft => ({ time, type, data })
const start = (time: number, step = 1, turn = 1): Draft => at(time, "step/start", { turn, step })
const end = (time: number, step = 1, turn = 1): Draft => at(time, "step/end", { turn, step })

const answer = (
  time: number,
  stream: JsonArray,
  usage?: JsonObject,
  of: { readonly turn: number; readonly step: number } = place,
): Draft => ({
  time,
  type: "assistant/message",
  data: { ...assistantData(4, of, "a", [], usage), stream },
  surfaceOp: "append",
})

const chunk = (time: number, data: JsonObject): JsonObject => ({ type: "chunk", time, chunk: data })
const text = (time: number, words: string): JsonObject =>
  chunk(time, { type: "text-delta", index: 0, text: words })

const call = (time: number, callId: string): Draft =>
  at(time, "tool/call", { ...place, callId, name: "ls", arguments: "{}" })
const result = (time: number, callId: string, version: FormatVersion = 4): Draft => ({
  time,
  type: "tool/result",
  data: toolResultData(version, place, callId, []),
  surfaceOp: "append",
})

const none = {
  turns: 0,
  steps: 0,
  llmMs: 0,
  toolMs: 0,
  ttftMs: 0,
  ttftSteps: 0,
  decodeMs: 0,
  decodeTokens: 0,
}

/** What is shown in the end, and how often it was told. */
const statsOf = (
  drafts: readonly Draft[],
  version: FormatVersion = 4,
): readonly [JsonValue, number] => {
  const session = new LiveSession(registryOf(sessionStats), [], version)
  let last: unknown = none
  let times = 0
  for (const draft of drafts)
    for (const [, value] of session.tell(draft)) {
      last = value
      times++
    }
  return [last as JsonValue, times]
}

describe("sessionStats", () => {
  it("PR48: adds up one step", () => {
    const usage = { inputTokens: 9, outputTokens: 40 }
    const drafts = [start(1_000), answer(1_900, [text(1_200, "hi")], usage), end(2_000)]
    expect(statsOf(drafts)[0]).toStrictEqual({
      ...none,
      turns: 1,
      steps: 1,
      llmMs: 900,
      ttftMs: 200,
      ttftSteps: 1,
      decodeMs: 700,
      decodeTokens: 40,
    })
  })

  it("PR48: counts turns by the ends of their steps", () => {
    const drafts = [end(1), end(2, 2), end(3, 1, 2), end(4, 2, 2), end(5, 1, 3)]
    expect(statsOf(drafts)[0]).toStrictEqual({ ...none, turns: 3, steps: 5 })
  })

  it("PR48: adds up tools", () => {
    const drafts = [call(10, "a"), call(20, "b"), result(25, "b"), result(40, "a")]
    expect(statsOf(drafts)[0]).toStrictEqual({ ...none, toolMs: 35 })
  })

  it("PR48: times that run backwards count 0", () => {
    const usage = { inputTokens: 1, outputTokens: 2 }
    const back = [start(100), answer(50, [text(20, "hi")], usage), call(90, "a"), result(80, "a")]
    expect(statsOf(back)[0]).toStrictEqual({ ...none, ttftSteps: 1, decodeMs: 30, decodeTokens: 2 })
  })

  it("PR48: an answer without usage, or without any token, is not decoded", () => {
    const silent = [start(0), answer(9, [], { inputTokens: 1, outputTokens: 2 })]
    expect(statsOf(silent)[0]).toStrictEqual({ ...none, llmMs: 9 })
    const unpriced = [start(0), answer(9, [text(4, "hi")])]
    expect(statsOf(unpriced)[0]).toStrictEqual({ ...none, llmMs: 9, ttftMs: 4, ttftSteps: 1 })
  })

  it.each([
    ["a text", text(7, "x"), 7],
    ["an empty text", text(7, ""), null],
    ["reasoning", chunk(7, { type: "reasoning-delta", index: 0, text: "x" }), 7],
    ["arguments", chunk(7, { type: "tool-call-delta", id: "c", argumentsDelta: "{" }), 7],
    ["a name", chunk(7, { type: "tool-call-delta", id: "c", name: "ls", argumentsDelta: "" }), 7],
    ["no name", chunk(7, { type: "tool-call-delta", id: "c", argumentsDelta: "" }), null],
    ["a start", chunk(7, { type: "block-start", index: 0, blockType: "text" }), null],
    ["a run", { type: "text-chunks", time0: 5, index: 0, dt: [1, 2], texts: ["", "", "x"] }, 8],
    ["an empty run", { type: "text-chunks", time0: 5, index: 0, dt: [1], texts: ["", ""] }, null],
    ["a call", { type: "tool-call-chunks", time0: 5, id: "c", dt: [2], args: ["", "{"] }, 7],
    ["a named call", { type: "tool-call-chunks", time0: 5, name: "n", dt: [], args: [""] }, 5],
  ])("PR49: the first token by %s", (_name, record, first) => {
    const [stats] = statsOf([start(0), answer(20, [record])])
    const shown = first === null ? {} : { ttftMs: first, ttftSteps: 1 }
    expect(stats).toStrictEqual({ ...none, llmMs: 20, ...shown })
  })

  it("PR49: a failed attempt had the first token already", () => {
    const attempt = at(8, "assistant/attempt", { ...place, stream: [text(5, "x")] })
    const again = at(9, "assistant/attempt", { ...place, stream: [text(9, "y")] })
    const drafts = [start(0), attempt, again, answer(20, [text(15, "z")])]
    expect(statsOf(drafts)[0]).toStrictEqual({ ...none, llmMs: 20, ttftMs: 5, ttftSteps: 1 })
  })

  it("PR49: in format 1 chunks and packed runs carry it", () => {
    const delta = (time: number, words: string): Draft =>
      at(time, "assistant/chunk", { ...place, chunk: { type: "text-delta", text: words } })
    const old = { ...answer(20, []), data: assistantData(1, place, "a", []) }
    expect(statsOf([start(0), delta(3, ""), delta(4, "x"), old], 1)[0]).toStrictEqual({
      ...none,
      llmMs: 20,
      ttftMs: 4,
      ttftSteps: 1,
    })
    const header = headerOf(1)
    const fold = projectionFold(sessionStats)
    const draft = fold.begin(header)
    const data = { ...place, index: 0, dt: [2, 3], texts: ["", "x", "y"] }
    const rows: readonly JsonObject[] = [
      { ...start(0), seq: 0 } as JsonObject,
      { type: "text-chunks", seq0: 1, time0: 6, data },
      { ...old, seq: 4 } as unknown as JsonObject,
    ]
    for (const each of rows) {
      const row = rightOf(rowOf(header.format, each))
      stepFold(fold, draft, row.facts, row.data)
    }
    expect(fold.seal(draft).state.stats).toStrictEqual({
      ...none,
      llmMs: 20,
      ttftMs: 8,
      ttftSteps: 1,
    })
  })

  it("PR50: a step has one answer, and no other step has it", () => {
    const twice = [start(0), answer(9, []), answer(30, [])]
    expect(statsOf(twice)[0]).toStrictEqual({ ...none, llmMs: 9 })
    const other = [start(0), answer(9, [], undefined, { turn: 1, step: 2 })]
    expect(statsOf(other)).toStrictEqual([none, 0])
  })

  it.each(["constructor", "__proto__", "hasOwnProperty"])(
    "PR50: a result without its call counts nothing: %s",
    (callId) => {
      expect(statsOf([result(9, callId)])).toStrictEqual([none, 0])
      const called = [call(1, callId), result(9, callId), result(20, callId)]
      expect(statsOf(called)[0]).toStrictEqual({ ...none, toolMs: 8 })
    },
  )

  it("PR50: the end of a turn forgets open calls", () => {
    const drafts = [call(1, "a"), at(2, "turn/end", { turn: 1 }), result(9, "a")]
    expect(statsOf(drafts)).toStrictEqual([none, 0])
  })

  it("PR50: older formats have the id in the only block of the result", () => {
    expect(statsOf([call(1, "a"), result(9, "a", 2)], 2)[0]).toStrictEqual({ ...none, toolMs: 8 })
  })

  it("PR51: what only the inside needs is quiet", () => {
    const attempt = at(8, "assistant/attempt", { ...place, stream: [text(5, "x")] })
    const drafts = [start(0), attempt, call(9, "a"), answer(20, []), end(21)]
    // the answer and the end of the step are told, and nothing else
    expect(statsOf(drafts)[1]).toBe(2)
  })

  it("PR51: the inherited part counts", () => {
    const marker = at(5, "session/end-seed", { inherited: true })
    expect(statsOf([end(1), marker, end(9, 1, 2)])[0]).toStrictEqual({
      ...none,
      turns: 2,
      steps: 2,
    })
  })
})
