import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { logOf, readLog } from "../../fixtures/log-in-memory.ts"
import { cases, versions } from "./verdict.ts"

const mode = (seq: number): JsonObject => ({
  type: "plan/mode",
  seq,
  time: 1,
  data: { active: true },
})
const turnEnd = (seq: number): JsonObject => ({
  type: "turn/end",
  seq,
  time: 1,
  data: { turn: 1, reason: { kind: "completed" } },
})
const user = (seq: number): JsonObject => ({
  type: "user/message",
  seq,
  time: 1,
  data: { id: "u", role: "user", content: [], source: { kind: "user" } },
})

const recoverable = (log: string): unknown => readLog(log, { tolerance: "recoverable" })
const offsetOf = (version: number, ...rows: readonly (string | JsonObject)[]): number =>
  Buffer.byteLength(logOf(version, ...rows))

/** Rows that are damaged in themselves, by the code of the damage. */
const damaged: readonly (readonly [code: string, row: string | JsonObject])[] = [
  ["blank-line", ""],
  ["byte-order-mark", "\uFEFF{}"],
  ["invalid-json", '{"type":"plan/mode","seq":2,'],
  ["not-lossless", '{"type":"plan/mode","seq":2,"time":1,"data":{"n":-0}}'],
  ["row-not-object", "[]"],
  ["envelope-shape", { ...mode(2), x: 1 }],
  ["sources-shape", { ...mode(2), sourceEventSeqs: "x" }],
  ["seq-not-contiguous", mode(3)],
]

/** Rows that are well formed and break a rule. */
const broken: readonly (readonly [code: string, row: JsonObject])[] = [
  ["event-type-unknown", { ...mode(2), type: "x/y" }],
  ["surface-op-forbidden", { ...mode(2), surfaceOp: "append" }],
  ["sources-forbidden", { ...mode(2), sourceEventSeqs: [0] }],
  ["payload-shape", { ...mode(2), data: null }],
  [
    "inherited-marker-unexpected",
    { type: "session/end-seed", seq: 2, time: 1, data: { inherited: true } },
  ],
]

describe("damage at the end of a log", () => {
  it.each(cases(versions, damaged))(
    "F44: format %d: %j is refused by default",
    (version, [code, row]) => {
      expect(readLog(logOf(version, mode(0), mode(1), row))).toMatchObject({
        status: "refused",
        eventCount: 2,
        tail: null,
        refusal: { refusal: { code }, row: 3, byteOffset: offsetOf(version, mode(0), mode(1)) },
      })
    },
  )

  it.each(cases(versions, damaged))(
    "F44: format %d: %j is a torn tail in recoverable mode",
    (version, [code, row]) => {
      const log = logOf(version, mode(0), mode(1), row, mode(2), "also {dropped")
      const byteOffset = offsetOf(version, mode(0), mode(1))
      expect(recoverable(log)).toMatchObject({
        status: "torn",
        refusal: null,
        eventCount: 2,
        tail: {
          cause: { refusal: { code }, row: 3, byteOffset },
          byteOffset,
          byteLength: Buffer.byteLength(log) - byteOffset,
        },
      })
    },
  )

  it("F44: bytes that are no text are a torn tail in recoverable mode", () => {
    const log = Buffer.concat([Buffer.from(logOf(0, mode(0))), Buffer.from([0xe4, 0xbd, 0x0a])])
    expect(readLog(log, { tolerance: "recoverable" })).toMatchObject({
      status: "torn",
      eventCount: 1,
      tail: { cause: { refusal: { code: "invalid-utf8" }, row: 2 } },
    })
  })

  it("F44: format 0 and 1: a bad packed run is a torn tail in recoverable mode", () => {
    for (const version of [0, 1])
      expect(recoverable(logOf(version, mode(0), { type: "text-chunks", seq0: 1 }))).toMatchObject({
        status: "torn",
        eventCount: 1,
        tail: { cause: { refusal: { code: "run-shape" } } },
      })
  })

  it.each(cases(versions, broken))(
    "F45: format %d: %j is refused in recoverable mode too",
    (version, [code, row]) => {
      expect(recoverable(logOf(version, mode(0), mode(1), row))).toMatchObject({
        status: "refused",
        eventCount: 2,
        refusal: { refusal: { code }, row: 3 },
      })
    },
  )

  it("F46: a node without a marker, or with a bad one, is damage in format 3 alone", () => {
    const rows: readonly (readonly [string, JsonObject])[] = [
      ["surface-op-missing", user(1)],
      ["surface-op-shape", { ...user(1), surfaceOp: { op: "replace", startSeq: 0 } }],
    ]
    for (const [code, row] of rows) {
      for (const version of [0, 1, 2, 4])
        expect(recoverable(logOf(version, mode(0), row))).toMatchObject({
          status: "refused",
          refusal: { refusal: { code, seq: 1 } },
        })
      expect(recoverable(logOf(3, mode(0), row))).toMatchObject({
        status: "torn",
        tail: { cause: { refusal: { code, seq: 1 } } },
      })
    }
  })
})

describe("damage before a completed turn", () => {
  it.each(cases(versions, damaged))(
    "F47: format %d: %j before a later turn/end is refused in recoverable mode",
    (version, [code, row]) => {
      const byteOffset = offsetOf(version, mode(0), mode(1))
      expect(recoverable(logOf(version, mode(0), mode(1), row, mode(2), turnEnd(3)))).toMatchObject(
        {
          status: "refused",
          eventCount: 2,
          tail: null,
          refusal: { refusal: { code }, row: 3, byteOffset },
        },
      )
    },
  )

  it.each(versions)(
    "F47: format %d: any later row that parses shows a completed turn",
    (version) => {
      for (const row of ['{"type":"turn/end"}', { ...turnEnd(99), x: 1 }])
        expect(recoverable(logOf(version, mode(0), "{", row))).toMatchObject({
          status: "refused",
          refusal: { refusal: { code: "invalid-json" }, row: 2 },
        })
      for (const row of [
        '{"type":"turn/end"',
        '["turn/end"]',
        '"turn/end"',
        { ...mode(9), id: "turn/end" },
      ])
        expect(recoverable(logOf(version, mode(0), "{", row))).toMatchObject({ status: "torn" })
    },
  )

  it.each(versions)("F47: format %d: a turn/end in the unended rest shows nothing", (version) => {
    const log = logOf(version, mode(0), "{") + JSON.stringify(turnEnd(1))
    expect(recoverable(log)).toMatchObject({ status: "torn", eventCount: 1 })
  })

  it.each(versions)("F47: format %d: a damaged turn/end is refused at once", (version) => {
    for (const row of [{ ...turnEnd(1), x: 1 }, turnEnd(7)])
      expect(recoverable(logOf(version, mode(0), row))).toMatchObject({
        status: "refused",
        eventCount: 1,
        refusal: { row: 2 },
      })
  })

  it.each(versions)("F44: format %d: a sound log is read alike in both modes", (version) => {
    const log = logOf(version, mode(0), turnEnd(1), mode(2))
    expect(recoverable(log)).toMatchObject({ status: "ok", eventCount: 3, tail: null })
    expect(recoverable(`${log}{`)).toMatchObject({
      status: "torn",
      eventCount: 3,
      tail: { cause: "unterminated", byteLength: 1 },
    })
  })
})
