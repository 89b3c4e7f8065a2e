import { isRight, left } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { formatOfVersion } from "#core/format/catalog"
import { payloadRefusal } from "#core/log/payload"
import { readRow } from "#core/log/row"
import { fixtureText, linesOf, logOf, readLog } from "../../fixtures/log-in-memory.ts"
import { knownTypes, neverKnownTypes } from "../../fixtures/vocabulary.ts"
import { cases, faultOf, formatOf, versions } from "./verdict.ts"

const typesOf = (version: number): string[] =>
  knownTypes.filter(([, first, last]) => first <= version && version <= last).map(([type]) => type)

const exampleLog = (version: number): string => fixtureText(`vocabulary/v${version}.jsonl`)

/** The rows of the example log of a format: at least one of each type that it knows. */
const examples = (version: number): JsonObject[] =>
  linesOf(exampleLog(version))
    .slice(1)
    .map((line) => JSON.parse(line) as JsonObject)

/** An example of a type, from the nearest format that has one. */
const exampleOf = (type: string, version: number): JsonObject => {
  for (const other of [version, ...versions.toReversed()]) {
    const found = examples(other).find((row) => row["type"] === type)
    if (found !== undefined) return found
  }
  throw new Error(`no example of ${type}`)
}

const read = (version: number, row: JsonValue): unknown =>
  readRow(formatOf(version), JSON.stringify(row))

const known = versions.flatMap((version) =>
  typesOf(version).map((type): [number, string] => [version, type]),
)
const foreign = versions.flatMap((version) =>
  knownTypes
    .filter(([, first, last]) => version < first || version > last)
    .map(([type]): [number, string] => [version, type]),
)

describe("the vocabulary of a format", () => {
  it.each([
    [0, 51],
    [1, 51],
    [2, 53],
    [3, 58],
    [4, 59],
  ])("F1: format %d knows %d types", (version, count) => {
    expect(formatOf(version).kinds.size).toBe(count)
    expect([...formatOf(version).kinds.keys()].toSorted()).toStrictEqual(typesOf(version))
  })

  it("F1: there is a format for each version from 0 to 4", () => {
    for (const version of versions) expect(formatOfVersion(version)?.version).toBe(version)
    for (const version of [-1, 5, 0.5, NaN]) expect(formatOfVersion(version)).toBeNull()
  })

  it.each(versions)("F2: the example log of format %d has every type, and is read", (version) => {
    const types = examples(version).map((row) => row["type"] as string)
    expect([...new Set(types)].toSorted()).toStrictEqual(typesOf(version))
    expect(readLog(exampleLog(version), { namedVersion: version })).toMatchObject({
      status: "ok",
      refusal: null,
      eventCount: types.length,
    })
  })

  it.each(known)("F2: format %d takes an example of %s", (version, type) => {
    const row = exampleOf(type, version)
    expect(examples(version)).toContainEqual(row)
    const result = readRow(formatOf(version), JSON.stringify(row))
    if (!isRight(result)) throw new Error(JSON.stringify(result.left))
    const { facts, data } = result.right
    expect(facts).toMatchObject({ type, seq: row["seq"], timeMs: row["time"], count: 1 })
    expect(data).toStrictEqual(row["data"])
    expect(payloadRefusal(formatOf(version), facts, data)).toBeNull()
  })

  it.each(foreign)("F3: format %d does not know %s", (version, type) => {
    const row = exampleOf(type, version)
    expect(read(version, row)).toStrictEqual(
      left({ code: "event-type-unknown", seq: row["seq"], type }),
    )
  })

  it.each(cases(versions, neverKnownTypes))("F3: format %d does not know %j", (version, type) => {
    const row = { type, seq: 0, time: 1, data: {} }
    expect(read(version, row)).toStrictEqual(left({ code: "event-type-unknown", seq: 0, type }))
  })
})

describe("events of unknown types", () => {
  const opaque = (type: string, data: JsonValue, more: JsonObject = {}): JsonObject => ({
    type,
    seq: 0,
    time: 1,
    data,
    ignorable: true,
    ...more,
  })

  it.each(foreign)("F4: format %d keeps an ignorable %s", (version, type) => {
    const data = exampleOf(type, version)["data"] ?? null
    expect(readLog(logOf(version, opaque(type, data)))).toMatchObject({
      status: "ok",
      eventCount: 1,
      nodes: [],
      messages: [],
    })
  })

  it.each(cases<JsonValue>(versions, [null, 1, "x", [], {}, { turn: "one", inherited: true }]))(
    "F4: format %d: its payload may be %j",
    (version, data) => {
      expect(readLog(logOf(version, opaque("x/y", data)))).toMatchObject({
        status: "ok",
        eventCount: 1,
      })
    },
  )

  it.each(versions)("F4: format %d: it has a place among the seqs", (version) => {
    const second = opaque("x/y", null, { seq: 1 })
    expect(readLog(logOf(version, opaque("x/y", null), second))).toMatchObject({
      status: "ok",
      eventCount: 2,
    })
    expect(readLog(logOf(version, second))).toMatchObject({
      refusal: { refusal: { code: "seq-not-contiguous", seq: 1, expected: 0 } },
    })
  })

  it.each([0, 1, 2, 3])("F4: format %d: it may carry no surface fields", (version) => {
    const marked = opaque("x/y", null, { surfaceOp: "append" })
    expect(readLog(logOf(version, marked))).toMatchObject({
      refusal: { refusal: { code: "surface-op-forbidden", seq: 0 } },
    })
    const misshapen = opaque("x/y", null, { surfaceOp: "x" })
    expect(readLog(logOf(version, misshapen))).toMatchObject({
      refusal: { refusal: { code: "surface-op-shape", seq: 0 } },
    })
  })

  it.each<JsonValue>(["append", "x", null, { op: "replace", startSeq: 9, endSeq: 3 }, []])(
    "F4: format 4: a surface marker %j on it means nothing",
    (marker) => {
      const log = logOf(4, opaque("x/y", { role: "user" }, { surfaceOp: marker }))
      expect(readLog(log)).toMatchObject({ status: "ok", eventCount: 1, nodes: [] })
    },
  )
})

describe("payloads", () => {
  it.each(known)("F5: format %d: fields of %s that nobody names are kept", (version, type) => {
    const row = exampleOf(type, version)
    const data = { ...(row["data"] as JsonObject), "x-note": { deep: [1] }, constructor: 1 }
    const result = readRow(formatOf(version), JSON.stringify({ ...row, data }))
    if (!isRight(result)) throw new Error(JSON.stringify(result.left))
    expect(payloadRefusal(formatOf(version), result.right.facts, result.right.data)).toBeNull()
    expect(result.right.data).toStrictEqual(data)
  })

  it.each(known)("F6: format %d: the payload of %s is an object", (version, type) => {
    for (const data of [null, [], "x", 1, true])
      expect(faultOf(version, type, data)).toStrictEqual({ path: [], expected: "object" })
  })

  it.each(cases(versions, ["turn/start", "turn/end", "step/start", "step/end"]))(
    "F7: format %d: the turn of %s is a whole number",
    (version, type) => {
      const place = { turn: 1, step: 1 }
      expect(faultOf(version, type, place)).toBeNull()
      for (const turn of ["1", null, 0.5, [1]])
        expect(faultOf(version, type, { ...place, turn })).toMatchObject({ path: ["turn"] })
      expect(faultOf(version, type, { step: 1 })).toMatchObject({ path: ["turn"] })
    },
  )

  it.each(cases(versions, ["step/start", "step/end"]))(
    "F7: format %d: the step of %s is a whole number",
    (version, type) => {
      for (const step of ["1", null, 0.5])
        expect(faultOf(version, type, { turn: 1, step })).toMatchObject({ path: ["step"] })
      expect(faultOf(version, type, { turn: 1 })).toMatchObject({ path: ["step"] })
    },
  )

  it.each([2, 3, 4])("F8: format %d: an attempt has a turn, a step and a stream", (version) => {
    const attempt = { turn: 0, step: 0, stream: [] }
    expect(faultOf(version, "assistant/attempt", attempt)).toBeNull()
    for (const key of ["turn", "step"])
      for (const value of [-1, 0.5, "1", null])
        expect(faultOf(version, "assistant/attempt", { ...attempt, [key]: value })).toStrictEqual({
          path: [key],
          expected: "count",
        })
    for (const stream of [null, {}, "x"])
      expect(faultOf(version, "assistant/attempt", { ...attempt, stream })).toStrictEqual({
        path: ["stream"],
        expected: "array",
      })
  })

  it.each([2, 3, 4])("F8: format %d: what stands in a stream is not looked at", (version) => {
    const stream = [null, 1, { type: "chunk", chunk: null }, { type: "x", time0: "y" }]
    expect(faultOf(version, "assistant/attempt", { turn: 1, step: 1, stream })).toBeNull()
  })
})
