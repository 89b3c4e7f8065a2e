import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { headerIn } from "../../../fixtures/log-in-memory.ts"
import { migrate } from "../../../fixtures/migration.ts"
import {
  accepted,
  append,
  assistant,
  causesOf,
  dataOf,
  event,
  stepEnd,
  stepStart,
  text,
  turnEnd,
  turnStart,
  user,
} from "./logs.ts"

const delta = (value: string, index = 0): JsonObject => ({ type: "text-delta", index, text: value })
const call = (value: string, more: JsonObject = {}): JsonObject => ({
  type: "tool-call-delta",
  index: 0,
  id: "c1",
  argumentsDelta: value,
  ...more,
})
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
    ({ type, time }) => `${String(type)}@${Number(time) / 1000}`,
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

describe("the records of a stream", () => {
  it("MI22: deltas of one block in a row are one record, packed or not", () => {
    expect(
      streamOf([
        chunk(delta("a")),
        packed("text-chunks", { texts: ["b", "c"], dt: [-5] }),
        chunk(delta("d")),
      ]),
    ).toStrictEqual([
      {
        type: "text-chunks",
        time0: 0,
        index: 0,
        dt: [1000, -5, 2005],
        texts: ["a", "b", "c", "d"],
      },
    ])
  })

  it("MI22: another block, another kind and another call begin another record", () => {
    const reasoning = { type: "reasoning-delta", index: 0, text: "r" }
    expect(
      streamOf([
        chunk(delta("a")),
        chunk(delta("b", 1)),
        chunk(reasoning),
        chunk(call("{", { name: "n" })),
        chunk(call("}", { name: "n" })),
        chunk(call("x")),
        chunk(call("y", { id: "c2" })),
      ]),
    ).toStrictEqual([
      { type: "text-chunks", time0: 0, index: 0, dt: [], texts: ["a"] },
      { type: "text-chunks", time0: 1000, index: 1, dt: [], texts: ["b"] },
      { type: "reasoning-chunks", time0: 2000, index: 0, dt: [], texts: ["r"] },
      {
        type: "tool-call-chunks",
        time0: 3000,
        index: 0,
        dt: [1000],
        id: "c1",
        name: "n",
        args: ["{", "}"],
      },
      { type: "tool-call-chunks", time0: 5000, index: 0, dt: [], id: "c1", args: ["x"] },
      { type: "tool-call-chunks", time0: 6000, index: 0, dt: [], id: "c2", args: ["y"] },
    ])
  })

  it("MI22: what is no delta stays a chunk and ends a record", () => {
    const block = { type: "block-start", index: 0, blockType: "text" }
    expect(streamOf([chunk(delta("a")), chunk(block), chunk(delta("b"))])).toStrictEqual([
      { type: "text-chunks", time0: 0, index: 0, dt: [], texts: ["a"] },
      { type: "chunk", time: 1000, chunk: block },
      { type: "text-chunks", time0: 2000, index: 0, dt: [], texts: ["b"] },
    ])
  })

  it("MI22: a call without an id or a name stays a chunk, packed or not", () => {
    const nameless = packed("tool-call-chunks", { id: "c1", name: "", args: ["{", "}"], dt: [7] })
    expect(streamOf([chunk(call("a", { id: "" })), nameless])).toStrictEqual([
      { type: "chunk", time: 0, chunk: call("a", { id: "" }) },
      { type: "chunk", time: 1000, chunk: call("{", { name: "" }) },
      { type: "chunk", time: 1007, chunk: call("}", { name: "" }) },
    ])
  })

  it("MI22: a gap that is no safe integer begins another record", () => {
    const early = { type: "assistant/chunk", seq: 0, time: -Number.MAX_SAFE_INTEGER }
    const late = { type: "assistant/chunk", seq: 1, time: Number.MAX_SAFE_INTEGER }
    const data = { turn: 1, step: 1, chunk: delta("a") }
    const migrated = migrate(1, 2, headerIn(1), [
      { ...early, data },
      { ...late, data },
    ])
    expect((migrated.rows[0]?.["data"] as JsonObject)["stream"]).toHaveLength(2)
  })

  it("MI22: a finish with an error of its own shape is kept as it is", () => {
    const strange = { type: "finish", reason: { kind: "error", error: { more: 1 } } }
    expect(streamOf([chunk(strange)])).toStrictEqual([{ type: "chunk", time: 0, chunk: strange }])
  })

  it("MI26: a chunk of an unknown kind, or with other members, is malformed", () => {
    for (const value of [{ type: "of later" }, { ...delta("a"), more: 1 }, { type: "text-delta" }])
      expect(causesOf(1, [chunk(value)])).toMatchObject([
        { code: "payload-shape", class: "malformed", seq: 0, type: "assistant/chunk" },
      ])
  })

  it("MI26: a chunk whose envelope holds more is unsupported, and its attempt is not blamed", () => {
    const marked = event(
      "assistant/chunk",
      { turn: 1, step: 1, chunk: delta("a") },
      {
        ignorable: true,
      },
    )
    expect(causesOf(1, [marked, chunk(delta("b")), answer([0, 1])])).toStrictEqual([
      {
        code: "envelope-shape",
        class: "unsupported",
        seq: 0,
        fault: { path: ["ignorable"], expected: "nothing" },
      },
    ])
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

describe("turns that a restart interrupted", () => {
  const spliced = event("agent/inbox/spliced", {
    target: "next-turn",
    start: 0,
    inserted: [user("u2")],
  })
  const interrupted = { turn: 1, reason: { kind: "interrupted" } }

  it("MI24: the next turn, queued just before, ends the open one", () => {
    const { rows } = accepted(1, [turnStart(), chunk(delta("a")), spliced, turnStart(2)])
    expect(rows.slice(1).map(({ type, time, data }) => [type, time, data])).toStrictEqual([
      ["assistant/attempt", 1000, expect.anything()],
      ["agent/inbox/spliced", 2000, spliced["data"]],
      ["turn/end", 3000, interrupted],
      ["turn/start", 3000, { turn: 2 }],
    ])
  })

  it.each<[string, readonly JsonObject[]]>([
    ["nothing was queued", [turnStart(), turnStart(2)]],
    ["something else came between", [turnStart(), spliced, note, turnStart(2)]],
    ["it is not the next turn", [turnStart(), spliced, turnStart(3)]],
    ["a step is open", [turnStart(), stepStart(), spliced, turnStart(2)]],
    [
      "it was queued for a step",
      [
        turnStart(),
        { ...spliced, data: { target: "next-step", start: 0, inserted: [user("u")] } },
        turnStart(2),
      ],
    ],
    [
      "the queue was emptied",
      [
        turnStart(),
        { ...spliced, data: { target: "next-turn", start: 0, inserted: [] } },
        turnStart(2),
      ],
    ],
  ])("MI24: where %s, it is refused", (_, events) => {
    expect(causesOf(1, events)).toStrictEqual([
      { code: "turn-open", class: "unsupported", seq: events.length - 1, openTurn: 1 },
    ])
  })
})

describe("what messages of goals carried", () => {
  const change = {
    kind: "goal/change",
    version: 1,
    operation: "clear",
    cleared: { id: "g", revision: 2 },
    clearedAt: 5,
  }
  const source = { kind: "goal", goalId: "g", revision: 2, round: 0, change }
  const content = [text(`<goal_state>${JSON.stringify(change)}</goal_state>`)]

  it("MI25: the change becomes an event before the message, which is the plugin's", () => {
    const { rows } = accepted(1, [append("user/message", user("u", { source, content }))])
    expect(rows).toStrictEqual([
      { type: "goal/change", seq: 0, time: 0, data: change },
      {
        type: "user/message",
        seq: 1,
        time: 0,
        data: user("u", { content, source: { kind: "plugin", plugin: "goal" } }),
        surfaceOp: "append",
      },
    ])
  })

  it("MI25: a message that is not bound to its change is malformed", () => {
    for (const wrong of [
      user("u", { source: { ...source, round: 1 }, content }),
      user("u", { source: { ...source, revision: 3 }, content }),
      user("u", { source: { ...source, goalId: "h" }, content }),
      user("u", { source, content: [text("else")] }),
      user("u", { source: { kind: "goal", goalId: "g", revision: 2, round: 0 } }),
    ])
      expect(causesOf(1, [append("user/message", wrong)])).toMatchObject([
        { code: "payload-shape", class: "malformed", seq: 0 },
      ])
  })

  it("MI25: a round of a goal stays what it is", () => {
    const round = user("u", { source: { kind: "goal", goalId: "g", revision: 2, round: 1 } })
    expect(dataOf(1, [append("user/message", round)])).toStrictEqual([round])
  })
})

describe("what format 1 may hold and format 2 may not", () => {
  it("MI26: an unknown type is refused, ignorable or not", () => {
    const cause = { code: "event-type-unknown", class: "unsupported", type: "x/y" }
    expect(causesOf(1, [event("x/y", {}, { ignorable: true }), event("x/y", {})])).toStrictEqual([
      { ...cause, seq: 0 },
      { ...cause, seq: 1 },
    ])
  })

  it("MI26: a descriptor of a later version is kept as it is", () => {
    const later = { mode: "of later", version: 4 }
    expect(dataOf(1, [event("subagent/descriptor", later)])).toStrictEqual([later])
    expect(
      causesOf(1, [event("subagent/descriptor", { mode: "one-shot", version: 2, provider: "p" })]),
    ).toMatchObject([{ code: "payload-shape", class: "malformed" }])
  })
})
