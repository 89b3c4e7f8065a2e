import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { headerIn, logOf, logUnder, readLog } from "../../fixtures/log-in-memory.ts"
import type { Draft } from "../surface/events.ts"
import { every, note, numbered, over, replacing, user } from "../surface/events.ts"

const turnEnd: Draft = { type: "turn/end", data: { turn: 1, reason: { kind: "completed" } } }
const rows = (...drafts: readonly Draft[]): readonly JsonObject[] => numbered(drafts)
const recoverable = { tolerance: "recoverable" } as const

describe("how a log ends", () => {
  it.each(every)("FO11: format %d: bytes after the last newline are torn off", (version) => {
    const whole = logOf(version, ...rows(user(), note))
    const last = JSON.stringify(rows(user(), note, user())[2])
    for (const rest of ["{", last.slice(0, -1), last, "\u0000", " "])
      expect(readLog(whole + rest)).toMatchObject({
        status: "torn",
        refusal: null,
        nodes: [0],
        eventCount: 2,
        tail: {
          cause: "unterminated",
          byteOffset: Buffer.byteLength(whole),
          byteLength: Buffer.byteLength(rest),
        },
      })
    expect(readLog(whole)).toMatchObject({ status: "ok", tail: null })
  })

  it.each(every)(
    "FO12: format %d: a wrong row refuses the log, with all before it accepted",
    (version) => {
      const [first, wrong, last] = rows(user(), replacing(version, user(), [0, 0], []), user())
      const log = logOf(version, first ?? {}, wrong ?? {}, last ?? {})
      expect(readLog(log)).toMatchObject({
        status: "refused",
        nodes: [0],
        eventCount: 1,
        tail: null,
        refusal: {
          refusal: { code: "sources-empty", seq: 1 },
          row: 2,
          byteOffset: Buffer.byteLength(logOf(version, first ?? {})),
        },
      })
      // a torn end behind it changes nothing
      expect(readLog(`${log}{`)).toMatchObject({ status: "refused", tail: null })
    },
  )

  it("FO15: text that is no header is no log, and is not readable", () => {
    const notALog = [
      "",
      "\n",
      "{\n",
      "[]\n",
      "null\n",
      '{"type":"turn/start"}\n',
      "{}",
      "binary\u0000\n",
    ]
    for (const text of notALog)
      expect(readLog(text)).toMatchObject({
        status: "unreadable",
        fold: null,
        refusal: { refusal: { code: "not-a-log" }, row: 0, byteOffset: 0 },
      })
    // a header that was cut off is none
    expect(readLog(JSON.stringify(headerIn(4)))).toMatchObject({ status: "unreadable" })
  })

  it("FO15: a header of a version or with fields that are not taken refuses a log", () => {
    const refused = (header: JsonObject): unknown => readLog(logUnder(header))
    expect(refused(headerIn(5))).toMatchObject({
      status: "refused",
      fold: null,
      refusal: { refusal: { code: "version-unsupported", version: 5, newest: 4 }, row: 0 },
    })
    for (const wrong of [{ createdAt: "now" }, { id: 1 }, { version: -1 }, { cwd: "relative" }])
      expect(refused(headerIn(4, wrong))).toMatchObject({
        status: "refused",
        refusal: { refusal: { code: "header-field" }, row: 0 },
      })
    expect(readLog(logUnder(headerIn(4)), { namedVersion: 3 })).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "version-mismatch", named: 3, version: 4 } },
    })
    expect(readLog(logUnder(headerIn(4)), { namedVersion: 4 })).toMatchObject({ status: "ok" })
  })

  it("FO15: the inherited part must be there at the end of the log, and only there", () => {
    const marker: Draft = { type: "session/end-seed", data: { inherited: true } }
    const seeded = (version: number, seed: JsonObject, ...drafts: readonly Draft[]): unknown =>
      readLog(logUnder(headerIn(version, seed), ...rows(...drafts)))
    expect(seeded(0, { seedLength: 3 }, user(), note)).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "inherited-cut-beyond-end", cut: 3, eventCount: 2 } },
    })
    expect(seeded(0, { seedLength: 2 }, user(), note)).toMatchObject({ status: "ok" })
    expect(seeded(4, { isSeeded: true }, user())).toMatchObject({
      refusal: { refusal: { code: "inherited-marker-missing" } },
    })
    expect(seeded(4, { isSeeded: true }, user(), marker)).toMatchObject({ status: "ok" })
    expect(seeded(4, { isSeeded: false }, user(), marker)).toMatchObject({
      refusal: { refusal: { code: "inherited-marker-unexpected", seq: 1 } },
    })
    // a log that is cut short on purpose may end before it
    const log = logUnder(headerIn(4, { isSeeded: true }), ...rows(user(), marker))
    expect(readLog(log, { throughSeq: 0 })).toMatchObject({ status: "ok", eventCount: 1 })
  })
})

describe("recoverable mode", () => {
  const garbage = ["", "{", "[]", '{"seq":1}', '{"type":"x"}', "\u0000"]

  it.each(every)("FO13: format %d: damage behind the last completed turn is a torn tail", (v) => {
    const prefix = logOf(v, ...rows(user(), turnEnd, user()))
    for (const line of garbage)
      for (const rest of ["", `${JSON.stringify({ ...note, seq: 4, time: 1 })}\n`, "{"]) {
        const log = `${prefix}${line}\n${rest}`
        expect(readLog(log, recoverable)).toMatchObject({
          status: "torn",
          refusal: null,
          nodes: [0, 2],
          eventCount: 3,
          tail: {
            cause: { row: 4, byteOffset: Buffer.byteLength(prefix) },
            byteOffset: Buffer.byteLength(prefix),
            byteLength: Buffer.byteLength(log) - Buffer.byteLength(prefix),
          },
        })
        expect(readLog(log)).toMatchObject({ status: "refused", refusal: { row: 4 } })
      }
  })

  it.each(every)("FO13: format %d: damage before a completed turn refuses where it stands", (v) => {
    const prefix = logOf(v, ...rows(user()))
    // whatever the seq of the row that shows it
    const end = JSON.stringify({ ...turnEnd, seq: 77, time: 1 })
    for (const line of garbage)
      expect(readLog(`${prefix}${line}\n${end}\n{`, recoverable)).toMatchObject({
        status: "refused",
        nodes: [0],
        tail: null,
        refusal: { row: 2, byteOffset: Buffer.byteLength(prefix) },
      })
    // one that is torn itself shows nothing
    expect(readLog(`${prefix}{\n${end}`, recoverable)).toMatchObject({ status: "torn" })
  })

  it.each(every)("F47: format %d: a damaged row that ends a turn refuses at once", (version) => {
    const gap = { ...turnEnd, seq: 5, time: 1 }
    expect(readLog(logOf(version, ...rows(user()), gap), recoverable)).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "seq-not-contiguous", seq: 5, expected: 1 }, row: 2 },
    })
  })

  const statusOf = (version: number, wrong: Draft): string =>
    readLog(logOf(version, ...rows(user(), wrong)), recoverable).status

  it.each(every)("F45: format %d: a well-formed event that breaks a rule is no damage", (v) => {
    const { sourceEventSeqs: _, ...uncited } = replacing(v, user(), [0, 0], [0])
    expect(statusOf(v, { ...note, type: "x/required" })).toBe("refused")
    expect(statusOf(v, uncited)).toBe("refused")
    expect(statusOf(v, replacing(v, user(), [0, 0], []))).toBe("refused")
    expect(statusOf(v, { ...user(), data: { content: null } })).toBe("refused")
    expect(statusOf(v, { ...note, surfaceOp: "append" })).toBe("refused")
  })

  it.each(every)("F44: format %d: a row that cannot be decoded is", (version) => {
    expect(statusOf(version, { ...user(), seq: 9 })).toBe("torn")
    expect(statusOf(version, { ...user(), sourceEventSeqs: ["0"] })).toBe("torn")
    expect(statusOf(version, { ...note, ignorable: false })).toBe("torn")
    const minusZero = '{"type":"plan/mode","seq":1,"time":1,"data":{"n":-0}}'
    expect(readLog(logOf(version, ...rows(user()), minusZero), recoverable).status).toBe("torn")
  })

  it("FO16: since format 2 citations are decoded: twice or not earlier is damage", () => {
    for (const version of every)
      for (const sourceEventSeqs of [[0, 0], [1], [[0, 1]]])
        expect(statusOf(version, { ...user(), sourceEventSeqs })).toBe(
          version < 2 ? "refused" : "torn",
        )
  })

  it("F46: at format 3 a marker that is missing or misshapen is damage, and nowhere else", () => {
    const { surfaceOp: _, ...unmarked } = user()
    for (const version of every)
      for (const wrong of [unmarked, { ...user(), surfaceOp: over(0, 0, 0), sourceEventSeqs: [0] }])
        if (version >= 3 || wrong === unmarked)
          expect(statusOf(version, wrong)).toBe(version === 3 ? "torn" : "refused")
  })

  it("L46: a marker behind damage does not move the inherited cut", () => {
    const marker = { type: "session/end-seed", seq: 2, time: 1, data: { inherited: true } }
    const seeded = headerIn(4, { isSeeded: true })
    expect(readLog(logUnder(seeded, ...rows(user()), "{", marker), recoverable)).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "inherited-marker-missing" } },
    })
  })
})

describe("a prefix", () => {
  const run = {
    type: "text-chunks",
    seq0: 1,
    time0: 50,
    data: { turn: 1, step: 1, index: 0, dt: [5, -2, 7], texts: ["a", "b", "c", "d"] },
  }
  const log = logOf(0, ...rows(user()), run, { ...user(), seq: 5, time: 99 })

  it.each([
    [0, 1, 1_000, [0]],
    [1, 2, 50, [0]],
    [2, 3, 55, [0]],
    [3, 4, 53, [0]],
    [4, 5, 60, [0]],
    [5, 6, 99, [0, 5]],
    [6, 6, 99, [0, 5]],
  ] as const)(
    "FO5: through seq %d it has %d events, the last at %d ms",
    (throughSeq, eventCount, lastTimeMs, nodes) => {
      const read = readLog(log, { throughSeq })
      expect(read).toMatchObject({ status: "ok", nodes, eventCount })
      expect(read.fold?.activityState()).toMatchObject({ eventCount, lastTimeMs })
      expect(read.fold?.isDone).toBe(throughSeq < 6)
    },
  )

  it("FO14: what comes behind it is not looked at", () => {
    const wrong = `${log}{\n`
    expect(readLog(wrong)).toMatchObject({ status: "refused" })
    expect(readLog(wrong, { throughSeq: 5 })).toMatchObject({ status: "ok", tail: null })
    expect(readLog(`${log}{`, { throughSeq: 5 })).toMatchObject({ status: "ok", tail: null })
  })

  it("L25: a log that the caller does not want is not folded", () => {
    const seen: string[] = []
    const wants = ({ id }: { readonly id: string }): boolean => {
      seen.push(id)
      return false
    }
    expect(readLog(`${log}{\n`, { wants })).toMatchObject({
      status: "ok",
      fold: null,
      refusal: null,
    })
    expect(seen).toEqual(["s"])
  })
})
