import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { textIn } from "../../../fixtures/migration.ts"
import {
  accepted,
  append,
  assistant,
  causesOf,
  dataOf,
  event,
  stepEnd,
  stepStart,
  turnEnd,
  turnStart,
  user,
} from "./logs.ts"

const delta = (value: string, index = 0): JsonObject => ({ type: "text-delta", index, text: value })

const finish: JsonObject = { type: "finish", reason: { kind: "stop" } }

const chunk = (value: JsonObject, turn = 1, step = 1): JsonObject =>
  event("assistant/chunk", { turn, step, chunk: value })

/** A packed run; `placed` gives it its first seq and time. */
const packed = (type: string, data: JsonObject): JsonObject => ({
  type,
  seq0: 0,
  data: { turn: 1, step: 1, index: 0, dt: [], ...data },
})

const answer = (sources?: JsonValue, more: JsonObject = {}): JsonObject =>
  append("assistant/message", assistant("a1", more), sources)

const note = event("plan/mode", { active: true })

/** Types, seqs and times, one word a row. */
const outline = (events: readonly JsonObject[], header?: JsonObject): readonly string[] =>
  accepted(1, events, header === undefined ? {} : { header }).rows.map(
    ({ type, time }) => `${textIn(type)}@${Number(time) / 1000}`,
  )

const streamOf = (events: readonly JsonObject[]): JsonValue | undefined => {
  const data = dataOf(1, events).at(-1) as JsonObject
  return data["stream"]
}

const seeded = (seedLength: number): JsonObject => ({ parentSession: "p", seedLength })

describe("the attempts that chunks belong to", () => {
  it("MI20: an attempt that nobody claims has the place and the time of its last chunk", () => {
    const { rows, map } = accepted(1, [chunk(delta("a")), note, chunk(delta("b")), note, stepEnd()])
    expect(rows).toStrictEqual([
      { type: "plan/mode", seq: 0, time: 1000, data: { active: true } },
      {
        type: "assistant/attempt",
        seq: 1,
        time: 2000,
        data: {
          turn: 1,
          step: 1,
          stream: [{ type: "text-chunks", time0: 0, index: 0, dt: [2000], texts: ["a", "b"] }],
        },
      },
      { type: "plan/mode", seq: 2, time: 3000, data: { active: true } },
      { type: "step/end", seq: 3, time: 4000, data: { turn: 1, step: 1 } },
    ])
    expect(map.inserted).toStrictEqual([{ newSeq: 1, anchor: 2 }])
  })

  it("MI20: a chunk of another step, or one behind a finish, begins another attempt", () => {
    expect(outline([chunk(delta("a")), note, chunk(delta("b"), 1, 2)])).toStrictEqual([
      "assistant/attempt@0",
      "plan/mode@1",
      "assistant/attempt@2",
    ])
    expect(outline([chunk(finish), note, chunk(delta("b"))])).toStrictEqual([
      "assistant/attempt@0",
      "plan/mode@1",
      "assistant/attempt@2",
    ])
  })

  const retry = event("llm/retry", {
    retryId: "r",
    turn: 1,
    step: 1,
    provider: "p",
    mode: "always",
    policyKey: "k",
    retry: 1,
    delayMs: 1,
    failure: { message: "m", code: "c" },
  })
  const started = event("llm/retry-started", { retryId: "r", turn: 1, step: 1, retry: 1 })
  it.each<[string, JsonObject]>([
    ["step/end", stepEnd()],
    ["turn/end", turnEnd()],
    ["llm/retry", retry],
    ["llm/retry-started", started],
  ])("MI20: %s ends an attempt, so that the next chunk begins another", (type, closer) => {
    expect(outline([chunk(delta("a")), note, closer, chunk(delta("b"))])).toStrictEqual([
      "assistant/attempt@0",
      "plan/mode@1",
      `${type}@2`,
      "assistant/attempt@3",
    ])
  })

  it("MI20: nothing else does", () => {
    const call1 = event("tool/call", { turn: 1, step: 1, callId: "c", name: "n", arguments: "" })
    expect(outline([chunk(delta("a")), call1, stepStart(1, 2), chunk(delta("b"))])).toStrictEqual([
      "tool/call@1",
      "step/start@2",
      "assistant/attempt@3",
    ])
  })

  it("MI21: a message that cites exactly the chunks is the answer, and cites nothing any more", () => {
    const { rows } = accepted(1, [
      chunk(delta("a")),
      note,
      packed("text-chunks", { texts: ["b", "c"], dt: [3] }),
      chunk(finish),
      note,
      answer([0, [2, 4]], { usage: { inputTokens: 1, outputTokens: 2 } }),
    ])
    expect(rows.map(({ type }) => type)).toStrictEqual([
      "plan/mode",
      "plan/mode",
      "assistant/message",
    ])
    expect(JSON.stringify(rows[2])).toBe(
      '{"type":"assistant/message","seq":2,"time":6000,"data":{"turn":1,"step":1,' +
        '"message":{"id":"a1","role":"assistant","content":[{"type":"text","text":"yes"}],' +
        '"source":{"kind":"model","provider":"p","model":"m"}},' +
        '"stream":[{"type":"text-chunks","time0":0,"index":0,"dt":[2000,3],"texts":["a","b","c"]},' +
        '{"type":"chunk","time":4000,"chunk":{"type":"finish","reason":{"kind":"stop"}}}],' +
        '"usage":{"inputTokens":1,"outputTokens":2}},"surfaceOp":"append"}',
    )
  })

  it("MI21: a message that cites an empty list is no answer of the attempt", () => {
    expect(outline([chunk(delta("a")), note, answer([])])).toStrictEqual([
      "assistant/attempt@0",
      "plan/mode@1",
      "assistant/message@2",
    ])
    expect(streamOf([chunk(delta("a")), answer([])])).toStrictEqual([])
  })

  it("MI21: without an attempt a message without citations has no stream", () => {
    expect(streamOf([answer()])).toStrictEqual([])
    expect(streamOf([chunk(delta("a")), stepEnd(), answer()])).toStrictEqual([])
  })

  it("MI21: a message of another step ends the attempt", () => {
    expect(outline([chunk(delta("a")), note, answer(undefined, { step: 2 })])).toStrictEqual([
      "assistant/attempt@0",
      "plan/mode@1",
      "assistant/message@2",
    ])
  })

  it("MI21: an attempt of its step, and no word of it, is refused", () => {
    expect(causesOf(1, [chunk(delta("a")), answer()])).toStrictEqual([
      { code: "attempt-uncited", class: "unsupported", seq: 1, turn: 1, step: 1 },
    ])
  })

  it.each<[string, JsonValue]>([
    ["a part", [0]],
    ["another order", [1, 0]],
    ["more", [0, 1, 2]],
  ])("MI21: %s of the chunks is refused, and nothing behind it", (_, sources) => {
    const chunks = [chunk(delta("a")), chunk(delta("b")), note]
    expect(causesOf(1, [...chunks, answer(sources), stepEnd()])).toStrictEqual([
      { code: "attempt-citation", class: "unsupported", seq: 3, turn: 1, step: 1 },
    ])
  })

  it("MI21: chunks of an attempt that has ended are refused", () => {
    expect(causesOf(1, [chunk(delta("a")), stepEnd(), answer([0])])).toStrictEqual([
      { code: "attempt-citation", class: "unsupported", seq: 2, turn: 1, step: 1 },
    ])
  })

  it("MI8: a citation of a chunk by anything else is refused", () => {
    const rewrite = event("user/message", user("u2"), {
      surfaceOp: { op: "replace", start: 0, end: 0 },
      sourceEventSeqs: [[0, 2]],
    })
    expect(
      causesOf(1, [append("user/message", user("u1")), chunk(delta("a")), stepEnd(), rewrite]),
    ).toStrictEqual([{ code: "reference-consumed", class: "unsupported", seq: 3, cited: 1 }])
  })
})

describe("the inherited prefix", () => {
  const first = [turnStart(), turnEnd()]
  it("MI23: the end-seed at the cut is tagged", () => {
    const { rows, header } = accepted(1, [...first, event("session/end-seed", {}), note], {
      header: seeded(2),
    })
    expect(rows[2]).toStrictEqual({
      type: "session/end-seed",
      seq: 2,
      time: 2000,
      data: { inherited: true },
    })
    expect(rows).toHaveLength(4)
    expect(header).toMatchObject({ version: 2, isSeeded: true })
    expect(header).not.toHaveProperty("seedLength")
  })

  it("MI23: another event gets a marker before it, with its time", () => {
    const { rows, map } = accepted(1, [...first, note], { header: seeded(2) })
    expect(rows.slice(2)).toStrictEqual([
      { type: "session/end-seed", seq: 2, time: 2000, data: { inherited: true } },
      { type: "plan/mode", seq: 3, time: 2000, data: { active: true } },
    ])
    expect(map.inserted).toStrictEqual([{ newSeq: 2, anchor: 2 }])
  })

  it("MI23: at the end of the log the marker has the time of the last event", () => {
    expect(outline(first, seeded(2))).toStrictEqual([
      "turn/start@0",
      "turn/end@1",
      "session/end-seed@1",
    ])
  })

  it("MI23: in a log without events it has the time of the header", () => {
    const { rows, map } = accepted(1, [], { header: seeded(0) })
    expect(rows).toStrictEqual([
      { type: "session/end-seed", seq: 0, time: 1, data: { inherited: true } },
    ])
    expect(map.inserted).toStrictEqual([{ newSeq: 0, anchor: null }])
  })

  it("MI23: an attempt that ended before the cut stays before it", () => {
    expect(outline([chunk(delta("a")), note, stepEnd()], seeded(1))).toStrictEqual([
      "assistant/attempt@0",
      "session/end-seed@1",
      "plan/mode@1",
      "step/end@2",
    ])
    expect(outline([chunk(finish), chunk(delta("a"))], seeded(1))).toStrictEqual([
      "assistant/attempt@0",
      "session/end-seed@1",
      "assistant/attempt@1",
    ])
  })

  it("MI23: an attempt on both sides of the cut is refused", () => {
    const cause = { code: "attempt-spans-cut", class: "unsupported", cut: 1 }
    const two = [chunk(delta("a")), chunk(delta("b"))]
    const header = seeded(1)
    expect(causesOf(1, [...two, answer([0, 1])], { header })).toStrictEqual([{ ...cause, seq: 1 }])
    expect(causesOf(1, [chunk(delta("a")), answer([0])], { header })).toStrictEqual([
      { ...cause, seq: 1 },
    ])
    const run = packed("text-chunks", { texts: ["a", "b"], dt: [1] })
    expect(causesOf(1, [run], { header })).toStrictEqual([{ ...cause, seq: 0 }])
  })

  it("MI23: a cut beyond the end is malformed", () => {
    expect(causesOf(1, [note], { header: seeded(2) })).toStrictEqual([
      { code: "inherited-cut-beyond-end", class: "malformed", seq: null, cut: 2, eventCount: 1 },
    ])
  })
})
