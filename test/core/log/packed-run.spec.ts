import { isRight, left } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { formats } from "#core/format/catalog"
import { isRunType, runPrefix } from "#core/log/packed-run"
import { readRow } from "#core/log/row"
import { logOf, readLog } from "../../fixtures/log-in-memory.ts"

const highest = 9_007_199_254_740_991

const text: JsonObject = {
  type: "text-chunks",
  seq0: 4,
  time0: 1000,
  data: { turn: 1, step: 2, index: 0, dt: [5, 0, -3], texts: ["a", "", "b", "c"] },
}
const reasoning: JsonObject = { ...text, type: "reasoning-chunks" }
const toolCall: JsonObject = {
  type: "tool-call-chunks",
  seq0: 4,
  time0: 1000,
  data: { turn: 1, step: 2, index: 1, id: "c1", name: "ls", dt: [1], args: ["{", "}"] },
}
const runs: readonly [string, JsonObject][] = [text, reasoning, toolCall].map((run) => [
  run["type"] as string,
  run,
])

/** The run with some of its keys, or of the keys of its data, set anew; undefined removes one. */
const changed = (run: JsonObject, keys: Record<string, unknown>, data = {}): JsonValue =>
  JSON.parse(
    JSON.stringify({ ...run, data: { ...(run["data"] as object), ...data }, ...keys }),
  ) as JsonValue

const read = (version: number, row: JsonValue): unknown => {
  const format = formats[version]
  if (format === undefined) throw new Error(`no format ${version}`)
  const result = readRow(format, JSON.stringify(row))
  return isRight(result) ? result.right.facts : result.left
}

/** What is known of every run, whatever its members are. */
const noMarker = { kind: 0, op: 0, start: -1, end: -1, sources: null }

const refused = (path: readonly (string | number)[], seq: number | null = 4): unknown =>
  expect.objectContaining({
    code: "run-shape",
    seq,
    fault: expect.objectContaining({ path }) as unknown,
  })

const versions = [0, 1]
const cases = <A>(values: readonly A[]): [number, A][] =>
  versions.flatMap((version) => values.map((value): [number, A] => [version, value]))
const runCases = versions.flatMap((version) =>
  runs.map(([tag, run]): [number, string, JsonObject] => [version, tag, run]),
)

describe("the members of a run", () => {
  it.each(versions)("L26: format %d: text deltas, four of them", (version) => {
    // times 1000, 1005, 1005, 1002
    expect(read(version, text)).toStrictEqual({
      type: "text-chunks",
      seq: 4,
      count: 4,
      timeMs: 1000,
      lastTimeMs: 1002,
      ...noMarker,
    })
  })

  it.each(versions)("L26: format %d: reasoning deltas", (version) => {
    expect(read(version, reasoning)).toMatchObject({ type: "reasoning-chunks", seq: 4, count: 4 })
  })

  it.each(versions)("L26: format %d: deltas of a tool call, two of them", (version) => {
    expect(read(version, toolCall)).toStrictEqual({
      type: "tool-call-chunks",
      seq: 4,
      count: 2,
      timeMs: 1000,
      lastTimeMs: 1001,
      ...noMarker,
    })
  })

  it.each(versions)("L26: format %d: a run may have one member and no gap", (version) => {
    expect(read(version, changed(text, {}, { dt: [], texts: ["a"] }))).toMatchObject({
      count: 1,
      timeMs: 1000,
      lastTimeMs: 1000,
    })
    expect(read(version, changed(toolCall, {}, { dt: [], args: [""] }))).toMatchObject({ count: 1 })
  })

  it.each(versions)("L26: format %d: times may go back before 1970", (version) => {
    const row = changed(text, { time0: -5 }, { dt: [-1], texts: ["a", "b"] })
    expect(read(version, row)).toMatchObject({ timeMs: -5, lastTimeMs: -6 })
  })

  it.each(versions)("L26: format %d: the name of a tool call may be absent", (version) => {
    expect(read(version, changed(toolCall, {}, { name: undefined }))).toMatchObject({ count: 2 })
  })

  it("L26: the next row has the seq after the last member", () => {
    const log = logOf(
      0,
      { ...text, seq0: 0 },
      { type: "plan/mode", seq: 4, time: 1, data: { active: true } },
      { ...toolCall, seq0: 5 },
      { type: "plan/mode", seq: 7, time: 1, data: { active: true } },
    )
    expect(readLog(log)).toMatchObject({ status: "ok", eventCount: 8 })
    expect(readLog(log.replace('"seq":7', '"seq":6'))).toMatchObject({
      status: "refused",
      eventCount: 7,
      refusal: { refusal: { code: "seq-not-contiguous", seq: 6, expected: 7 }, row: 4 },
    })
  })

  it("L27: a prefix may end inside a run", () => {
    const format = formats[0]
    if (format === undefined) throw new Error("no format 0")
    const row = readRow(format, JSON.stringify(text))
    if (!isRight(row)) throw new Error("not read")
    const { facts, value } = row.right
    expect(runPrefix(facts, value, 1)).toMatchObject({ seq: 4, count: 1, lastTimeMs: 1000 })
    expect(runPrefix(facts, value, 3)).toMatchObject({ seq: 4, count: 3, lastTimeMs: 1005 })
    expect(runPrefix(facts, value, 4)).toStrictEqual(facts)
  })

  it("L27: a log that is read up to a seq inside a run has the events up to it", () => {
    const log = logOf(0, { ...text, seq0: 0 }, "not read")
    const prefix = readLog(log, { throughSeq: 1 })
    expect(prefix).toMatchObject({ status: "ok", refusal: null, tail: null, eventCount: 2 })
    expect(prefix.fold?.counts().activity).toMatchObject({ firstTimeMs: 1000, lastTimeMs: 1005 })
  })
})

describe("the keys of a run", () => {
  it("L28: the three tags are no event types", () => {
    expect(runs.map(([tag]) => isRunType(tag))).toStrictEqual([true, true, true])
    expect(isRunType("assistant/chunk")).toBe(false)
    expect(isRunType("chunk")).toBe(false)
  })

  it.each(runCases)("L28: format %d: %s has exactly seq0, time0 and data", (version, _, run) => {
    expect(read(version, changed(run, { seq0: undefined }))).toStrictEqual(refused(["seq0"], null))
    expect(read(version, changed(run, { time0: undefined }))).toStrictEqual(refused(["time0"]))
    expect(read(version, changed(run, { data: undefined }))).toStrictEqual(refused(["data"]))
    for (const key of ["seq", "time", "surfaceOp", "sourceEventSeqs", "ignorable", "x"])
      expect(read(version, changed(run, { [key]: 4 }))).toStrictEqual(refused([key]))
  })

  it.each(runCases)("L28: format %d: every key of the data of %s is needed", (version, _, run) => {
    const keys = Object.keys(run["data"] as object).filter((key) => key !== "name")
    for (const key of keys)
      expect(read(version, changed(run, {}, { [key]: undefined }))).toStrictEqual(
        refused(["data", key]),
      )
  })

  it.each(runCases)("L28: format %d: the data of %s has no other key", (version, _, run) => {
    for (const key of ["x", "chunk", "type"])
      expect(read(version, changed(run, {}, { [key]: 1 }))).toStrictEqual(refused(["data", key]))
  })

  it.each(versions)("L28: format %d: members of the other kind are another key", (version) => {
    const args = changed(text, {}, { texts: undefined, args: ["a", "b", "c", "d"] })
    expect(read(version, args)).toStrictEqual(refused(["data", "texts"]))
    expect(read(version, changed(text, {}, { id: "c1" }))).toStrictEqual(refused(["data", "id"]))
  })

  it.each(cases<JsonValue>([-1, 0.5, highest + 1, "4", null, [4]]))(
    "L29: format %d: seq0 may not be %j",
    (version, seq0) => {
      expect(read(version, changed(text, { seq0 }))).toStrictEqual(refused(["seq0"], null))
    },
  )

  it.each(cases<JsonValue>([0.5, highest + 1, "4", null]))(
    "L29: format %d: time0 may not be %j",
    (version, time0) => {
      expect(read(version, changed(text, { time0 }))).toStrictEqual(refused(["time0"]))
    },
  )

  it.each(cases<JsonValue>([[], "ab", null, ["a", 1, "b", "c"], {}]))(
    "L29: format %d: texts may not be %j",
    (version, texts) => {
      const path =
        Array.isArray(texts) && texts.length > 0 ? ["data", "texts", 1] : ["data", "texts"]
      expect(read(version, changed(text, {}, { texts }))).toStrictEqual(refused(path))
    },
  )

  it.each(cases<JsonValue>([[], "{}", null, ["{", null]]))(
    "L29: format %d: args may not be %j",
    (version, args) => {
      const path = Array.isArray(args) && args.length > 0 ? ["data", "args", 1] : ["data", "args"]
      expect(read(version, changed(toolCall, {}, { args }))).toStrictEqual(refused(path))
    },
  )

  it.each(cases<JsonValue>([1, null]))(
    "L29: format %d: the id and the name of a call may not be %j",
    (version, value) => {
      for (const key of ["id", "name"])
        expect(read(version, changed(toolCall, {}, { [key]: value }))).toStrictEqual(
          refused(["data", key]),
        )
    },
  )

  it.each(cases<JsonValue>(["1", null, [1]]))(
    "L29: format %d: turn, step and index may not be %j",
    (version, value) => {
      for (const key of ["turn", "step", "index"])
        expect(read(version, changed(text, {}, { [key]: value }))).toStrictEqual(
          refused(["data", key]),
        )
    },
  )

  it.each([-1, 0.5])("L30: turn, step and index may be %d in format 0 alone", (value) => {
    for (const key of ["turn", "step", "index"]) {
      expect(read(0, changed(text, {}, { [key]: value }))).toMatchObject({ count: 4 })
      expect(read(1, changed(text, {}, { [key]: value }))).toStrictEqual(refused(["data", key]))
    }
  })

  it("L30: the id of a call may be empty in format 0 alone, its name in both", () => {
    expect(read(0, changed(toolCall, {}, { id: "" }))).toMatchObject({ count: 2 })
    expect(read(1, changed(toolCall, {}, { id: "" }))).toStrictEqual(refused(["data", "id"]))
    for (const version of versions)
      expect(read(version, changed(toolCall, {}, { name: "" }))).toMatchObject({ count: 2 })
  })
})

describe("the gaps of a run", () => {
  it.each(cases<number[]>([[], [5], [5, 0], [5, 0, -3, 1]]))(
    "L31: format %d: four members have three gaps, not %j",
    (version, dt) => {
      expect(read(version, changed(text, {}, { dt }))).toStrictEqual(refused(["data", "dt"]))
    },
  )

  it.each(cases<JsonValue>(["1", null, 0.5, highest + 1]))(
    "L31: format %d: a gap may not be %j",
    (version, gap) => {
      expect(read(version, changed(text, {}, { dt: [5, gap, 1] }))).toStrictEqual(
        refused(["data", "dt", 1]),
      )
    },
  )

  it.each(versions)("L31: format %d: every reconstructed time is a safe integer", (version) => {
    const at = (time0: number, dt: number[]): JsonValue => changed(text, { time0 }, { dt })
    expect(read(version, at(highest - 1, [1, 0, -1]))).toMatchObject({ lastTimeMs: highest - 1 })
    expect(read(version, at(highest - 1, [1, 1, -1]))).toStrictEqual(refused(["data", "dt", 1]))
    expect(read(version, at(1 - highest, [-1, 0, 1]))).toMatchObject({ lastTimeMs: 1 - highest })
    expect(read(version, at(1 - highest, [-1, 0, -1]))).toStrictEqual(refused(["data", "dt", 2]))
  })

  it.each(versions)("L31: format %d: every reconstructed seq is a count", (version) => {
    expect(read(version, changed(text, { seq0: highest - 3 }))).toMatchObject({
      seq: highest - 3,
      count: 4,
    })
    expect(read(version, changed(text, { seq0: highest - 2 }))).toStrictEqual(
      refused(["seq0"], highest - 2),
    )
  })
})

describe("formats without runs", () => {
  const oneRowAnEvent = [2, 3, 4].flatMap((version) =>
    runs.map(([tag, run]): [number, string, JsonObject] => [version, tag, run]),
  )

  it.each(oneRowAnEvent)("L32: format %d: %s is a row like any other", (version, tag, run) => {
    expect(read(version, run)).toStrictEqual({
      code: "envelope-shape",
      seq: null,
      fault: { path: ["seq0"], expected: "nothing" },
    })
    const event = { type: tag, seq: 4, time: 1000, data: run["data"] ?? null }
    expect(read(version, event)).toStrictEqual({ code: "event-type-unknown", seq: 4, type: tag })
    expect(read(version, { ...event, ignorable: true })).toMatchObject({ type: tag, count: 1 })
  })

  it("L32: in formats 0 and 1 a tag in the envelope of an event is a bad run", () => {
    const event = { type: "text-chunks", seq: 4, time: 1000, data: {}, ignorable: true }
    const format = formats[0]
    if (format === undefined) throw new Error("no format 0")
    expect(readRow(format, JSON.stringify(event))).toMatchObject(
      left({ code: "run-shape", seq: null, fault: { path: ["seq0"] } }),
    )
  })
})
