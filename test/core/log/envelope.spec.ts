import { isRight } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { formats } from "#core/format/catalog"
import { readRow } from "#core/log/row"
import { logOf, readLog } from "../../fixtures/log-in-memory.ts"

const versions = [0, 1, 2, 3, 4]
const highest = 9_007_199_254_740_991

const cases = <A>(values: readonly A[]): [number, A][] =>
  versions.flatMap((version) => values.map((value): [number, A] => [version, value]))

const read = (version: number, row: JsonObject): unknown => {
  const format = formats[version]
  if (format === undefined) throw new Error(`no format ${version}`)
  const result = readRow(format, JSON.stringify(row))
  return isRight(result) ? result.right.facts : result.left
}

const mode: JsonObject = { type: "plan/mode", seq: 7, time: 1000, data: { active: true } }
const without = (key: string): JsonObject =>
  Object.fromEntries(Object.entries(mode).filter(([name]) => name !== key))

const misshapen = (key: string, expected: string, seq: number | null = 7): unknown => ({
  code: "envelope-shape",
  seq,
  fault: { path: [key], expected },
})

describe("the keys of an envelope", () => {
  it.each(versions)("L33: format %d: type, seq, time and data are enough", (version) => {
    expect(read(version, mode)).toStrictEqual({
      type: "plan/mode",
      seq: 7,
      count: 1,
      timeMs: 1000,
      lastTimeMs: 1000,
      kind: 0,
      op: 0,
      start: -1,
      end: -1,
      sources: null,
    })
  })

  it.each(versions)("L33: format %d: their order means nothing", (version) => {
    expect(read(version, Object.fromEntries(Object.entries(mode).toReversed()))).toStrictEqual(
      read(version, mode),
    )
  })

  it.each(versions)("L33: format %d: all seven keys are read", (version) => {
    const row = {
      type: "user/message",
      seq: 7,
      time: 1000,
      data: {},
      ignorable: true,
      sourceEventSeqs: [1, [3, 5]],
      surfaceOp: "append",
    }
    expect(read(version, row)).toMatchObject({
      type: "user/message",
      kind: 3,
      op: 1,
      start: -1,
      end: -1,
      sources: { runs: [1, 1, 3, 5], length: 4, isAscending: true },
    })
  })

  it.each(versions)("L34: format %d: none of the four may be missing", (version) => {
    expect(read(version, without("type"))).toStrictEqual(misshapen("type", "string"))
    expect(read(version, without("seq"))).toStrictEqual(misshapen("seq", "count", null))
    expect(read(version, without("time"))).toStrictEqual(misshapen("time", "safe integer"))
    expect(read(version, without("data"))).toStrictEqual(misshapen("data", "JSON value"))
  })

  it.each(cases(["x", "id", "Seq", "seq0", "constructor", "toString"]))(
    "L34: format %d: `%s` is a key too many",
    (version, key) => {
      expect(read(version, { ...mode, [key]: null })).toStrictEqual(misshapen(key, "nothing"))
    },
  )

  it.each(cases<JsonValue>([null, 1, true, [], {}]))(
    "L35: format %d: type may not be %j",
    (version, type) => {
      expect(read(version, { ...mode, type })).toStrictEqual(misshapen("type", "string"))
    },
  )

  it.each(cases<JsonValue>([-1, 0.5, highest + 1, "7", null, true, [7]]))(
    "L35: format %d: seq may not be %j",
    (version, seq) => {
      expect(read(version, { ...mode, seq })).toStrictEqual(misshapen("seq", "count", null))
    },
  )

  it.each(cases([0, 1, highest]))("L35: format %d: seq may be %d", (version, seq) => {
    expect(read(version, { ...mode, seq })).toMatchObject({ seq })
  })

  it.each(cases<JsonValue>([0.5, highest + 1, -highest - 1, "7", null, [7]]))(
    "L35: format %d: time may not be %j",
    (version, time) => {
      expect(read(version, { ...mode, time })).toStrictEqual(misshapen("time", "safe integer"))
    },
  )

  it.each(cases([0, -1, highest, -highest]))("L35: format %d: time may be %d", (version, time) => {
    expect(read(version, { ...mode, time })).toMatchObject({ timeMs: time, lastTimeMs: time })
  })

  it.each(cases<JsonValue>([null, false, 0, "", []]))(
    "L35: format %d: to an envelope, data may be %j",
    (version, data) => {
      const row = { type: "x/y", seq: 7, time: 1000, data, ignorable: true }
      expect(read(version, row)).toMatchObject({ type: "x/y", seq: 7 })
    },
  )

  it.each(cases<JsonValue>([false, null, 1, "true"]))(
    "L35: format %d: ignorable may not be %j",
    (version, ignorable) => {
      expect(read(version, { ...mode, ignorable })).toStrictEqual(misshapen("ignorable", "true"))
    },
  )

  it.each(versions)("L35: format %d: a type that is known may be ignorable", (version) => {
    expect(read(version, { ...mode, ignorable: true })).toMatchObject({ type: "plan/mode" })
  })
})

describe("the seqs of a log", () => {
  const row = (seq: number, time = 1000): JsonObject => ({ ...mode, seq, time })

  it.each(versions)("L36: format %d: they count from 0 without gaps", (version) => {
    expect(readLog(logOf(version, row(0), row(1), row(2)))).toMatchObject({
      status: "ok",
      eventCount: 3,
    })
    const wrong: readonly [number[], number, number][] = [
      [[1], 1, 0],
      [[0, 0], 0, 1],
      [[0, 2], 2, 1],
      [[0, 1, 0], 0, 2],
    ]
    for (const [seqs, seq, expected] of wrong)
      expect(readLog(logOf(version, ...seqs.map((each) => row(each))))).toMatchObject({
        status: "refused",
        eventCount: expected,
        refusal: { refusal: { code: "seq-not-contiguous", seq, expected }, row: seqs.length },
      })
  })

  it.each(versions)("L36: format %d: a fork that starts anew after its marker is refused", (v) => {
    const marker = { type: "session/end-seed", seq: 3, time: 1, data: {} }
    const log = logOf(v, row(0), row(1), row(2), marker, row(1), row(2))
    expect(readLog(log)).toMatchObject({
      status: "refused",
      eventCount: 4,
      refusal: { refusal: { code: "seq-not-contiguous", seq: 1, expected: 4 }, row: 5 },
    })
  })

  it.each(versions)("L36: format %d: times may go backwards", (version) => {
    const read3 = readLog(logOf(version, row(0, 5), row(1, -5), row(2, 4)))
    expect(read3.status).toBe("ok")
    expect(read3.fold?.counts().activity).toMatchObject({ firstTimeMs: 5, lastTimeMs: 4 })
  })
})
