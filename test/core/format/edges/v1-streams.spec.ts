import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { headerIn } from "../../../fixtures/log-in-memory.ts"
import { migrate } from "../../../fixtures/migration.ts"
import { append, assistant, causesOf, dataOf, event } from "./logs.ts"

const delta = (value: string, index = 0): JsonObject => ({ type: "text-delta", index, text: value })
const call = (value: string, more: JsonObject = {}): JsonObject => ({
  type: "tool-call-delta",
  index: 0,
  id: "c1",
  argumentsDelta: value,
  ...more,
})

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

const streamOf = (events: readonly JsonObject[]): JsonValue | undefined => {
  const data = dataOf(1, events).at(-1) as JsonObject
  return data["stream"]
}

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
    const made = migrated.rows.map((row) => row["data"] as JsonObject)
    expect(made).toMatchObject([{ stream: [{ texts: ["a"] }, { texts: ["a"] }] }])
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
