import { describe, expect, it } from "vitest"
import { keptFindings } from "#core/check/finding-list"
import type { JsonObject } from "#core/data/json"
import { checkLog } from "../../fixtures/checked-in-full.ts"
import { headerIn, logOf, logUnder } from "../../fixtures/log-in-memory.ts"
import {
  asking,
  call,
  event,
  replacing,
  result,
  stepEnd,
  stepStart,
  told,
  turnEnd,
  turnStart,
  user,
} from "./rows.ts"

const without = (row: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([each]) => each !== key))

describe("refused rows in a check", () => {
  it.each([
    ["", "not-a-log", false],
    ["hello\n", "not-a-log", false],
    ['{"type":"turn/start"}\n', "not-a-log", false],
    [`${JSON.stringify(headerIn(5))}\n{}\n{\n`, "version-unsupported", true],
    [`${JSON.stringify(headerIn(4, { createdAt: -1 }))}\n{\n`, "header-field", true],
  ])("CK2: %j: nothing is read behind a header that is none of ours", (log, code, isLog) => {
    const outcome = checkLog(log)
    expect(told(outcome)).toStrictEqual([[0, code]])
    expect(outcome).toMatchObject({ isLog, eventCount: 0, acceptedEvents: 0 })
    expect(outcome.refusal).toStrictEqual(outcome.found[0])
  })

  it("CK2: a log of another version than the name of the file states is read all the same", () => {
    const outcome = checkLog(logOf(4, "{", user(0)), { namedVersion: 3 })
    expect(outcome.found.map(({ finding }) => finding)).toStrictEqual([
      { code: "version-mismatch", named: 3, version: 4 },
      { code: "invalid-json" },
    ])
    expect(outcome).toMatchObject({ isLog: true, header: { id: "s" }, refusal: { row: 0 } })
    expect([outcome.acceptedEvents, outcome.eventCount]).toStrictEqual([0, 1])
  })

  it("CK2: the refusal is the first finding in the log that is not of acceptance", () => {
    const rows = [user(0, undefined, []), user(1, replacing(0, 0, [0]), []), turnStart(2, 3)]
    const outcome = checkLog(logOf(4, ...rows))
    expect(told(outcome)).toStrictEqual([
      [2, "message-empty"],
      [3, "turn-start-number"],
    ])
    expect(outcome.refusal?.finding).toMatchObject({ code: "turn-start-number" })
    expect([outcome.acceptedEvents, outcome.eventCount]).toStrictEqual([2, 3])
  })

  it("CK2 CK20: also where a later event decided it, behind a thousand others", () => {
    // the turn starts within a compaction that the log never ends: decided last
    const start = event(0, "compaction/start", { compactionId: "k", turn: null })
    const later = Array.from({ length: 3 }, (_, i) => event(2 + i, "turn/start", { turn: 9 }))
    const outcome = checkLog(logOf(4, start, turnStart(1), ...later))
    expect(outcome.refusal).toMatchObject({
      row: 2,
      finding: { code: "compaction-turn-boundary", seq: 1, openSeq: 0 },
    })
    expect(outcome.acceptedEvents).toBe(1)
  })

  it("CK11: a refused message has its place: what replaces it is right", () => {
    const rows = [user(0), without(user(1), "surfaceOp"), user(2, replacing(0, 1, [0, 1]))]
    expect(told(checkLog(logOf(4, ...rows)))).toStrictEqual([[2, "surface-op-missing"]])
  })

  it("CK11: a refused replacement replaces: what it shadowed is gone", () => {
    const rows = [
      user(0),
      user(1),
      user(2),
      // 1 is not cited
      user(3, replacing(0, 1, [0])),
      user(4, replacing(3, 2, [2, 3])),
      user(5, replacing(1, 1, [1])),
    ]
    expect(checkLog(logOf(4, ...rows)).found.map(({ finding }) => finding)).toStrictEqual([
      { code: "source-missing", seq: 3, shadowed: 1 },
      { code: "endpoint-not-on-surface", seq: 5, endpoint: 1 },
    ])
  })

  it("CK11: a refused event has its part in turns and calls", () => {
    const bad = { surfaceOp: "append" }
    const rows = [
      { ...turnStart(0), ...bad },
      { ...stepStart(1), ...bad },
      without(asking(2, "c"), "surfaceOp"),
      { ...call(3, "c"), ...bad },
      result(4, "c"),
      stepEnd(5),
      turnEnd(6),
    ]
    expect(told(checkLog(logOf(4, ...rows)))).toStrictEqual([
      [1, "surface-op-forbidden"],
      [2, "surface-op-forbidden"],
      [3, "surface-op-missing"],
      [4, "surface-op-forbidden"],
    ])
  })

  it("CK11: and of a refused row its refusal alone is shown, also where more is decided late", () => {
    const child = event(0, "subagent/catalog", { version: 9 }, { surfaceOp: "append" })
    expect(told(checkLog(logOf(4, child)))).toStrictEqual([[1, "surface-op-forbidden"]])
  })

  it.each([
    ["missing", []],
    ["no JSON", ["{"]],
  ])("CK12: a replacement of an event that is %s is not found wrong", (_what, instead) => {
    const rows = [user(0), ...instead, user(2), user(3, replacing(1, 2, [1, 2])), user(4)]
    expect(checkLog(logOf(4, ...rows)).found).toHaveLength(1)
    // 2 went with it
    const later = [...rows, user(5, replacing(2, 2, [2]))]
    expect(checkLog(logOf(4, ...later)).found).toHaveLength(1)
  })

  it.each([
    ["first", [user(0), "{", user(2, undefined, []), user(3, replacing(1, 2, [1, 2]))]],
    ["last", [user(0), user(1, undefined, []), "{", user(3, replacing(1, 2, [1, 2]))]],
  ])("CK11: a replacement whose %s node is missing replaces the other end", (_which, rows) => {
    // the empty message is gone
    expect(told(checkLog(logOf(4, ...rows))).map(([, code]) => code)).toStrictEqual([
      "invalid-json",
    ])
  })

  it("CK12: nor is one that does not cite what a missing event may have replaced", () => {
    const rows = [user(0), user(1), user(3), user(4, replacing(0, 3, [0, 2, 3]))]
    expect(told(checkLog(logOf(4, ...rows)))).toStrictEqual([[3, "seq-not-contiguous"]])
    const whole = [user(0), user(1), user(2), user(3), user(4, replacing(0, 3, [0, 2, 3]))]
    expect(told(checkLog(logOf(4, ...whole)))).toStrictEqual([[5, "source-missing"]])
  })

  it("CK12: nor are the nodes that a compaction lists, and what names a lost header", () => {
    const prune = (seq: number): JsonObject =>
      event(seq, "compaction/prune", {
        shadowedRange: { start: 0, end: 2 },
        shadowedSeqs: [0, 1, 2],
        shadowedTokenCount: 1,
      })
    expect(told(checkLog(logOf(4, user(0), "{", user(2), prune(3))))).toStrictEqual([
      [2, "invalid-json"],
    ])
    expect(told(checkLog(logOf(4, user(0), turnStart(1), user(2), prune(3))))).toStrictEqual([
      [4, "compaction-span"],
    ])
  })

  it("CK13: how a log must end is asked of one that was read whole", () => {
    const seeded = headerIn(4, { isSeeded: true, parentSession: "p" })
    expect(told(checkLog(logUnder(seeded, user(0))))).toStrictEqual([
      [2, "inherited-marker-missing"],
    ])
    expect(told(checkLog(logUnder(seeded, user(0), "{")))).toStrictEqual([[2, "invalid-json"]])
    const cut = headerIn(1, { seedLength: 3, parentSession: "p" })
    const note = (seq: number): JsonObject => event(seq, "todo/write", { todos: [] })
    expect(told(checkLog(logUnder(cut, note(0), note(1))))).toStrictEqual([
      [3, "inherited-cut-beyond-end"],
    ])
    const refused = { ...note(1), surfaceOp: "append" }
    expect(told(checkLog(logUnder(cut, note(0), refused)))).toStrictEqual([
      [2, "surface-op-forbidden"],
    ])
    expect(told(checkLog(logUnder(cut, note(0), note(2))))).toStrictEqual([
      [2, "seq-not-contiguous"],
    ])
  })

  it("CK19: of each code a thousand findings are kept, and all are counted", () => {
    const rows = Array.from({ length: 1500 }, () => "{")
    const outcome = checkLog(logOf(4, ...rows, "", user(0)))
    expect(keptFindings).toBe(1000)
    expect(outcome.found).toHaveLength(1001)
    expect(outcome.found.at(-2)?.row).toBe(1000)
    expect(outcome.found.at(-1)).toMatchObject({ row: 1501, finding: { code: "blank-line" } })
    expect([...outcome.counts]).toStrictEqual([
      ["invalid-json", 1500],
      ["blank-line", 1],
    ])
  })

  it("CK20: accepted are the events before the first that is refused, packed runs by members", () => {
    const run = {
      type: "text-chunks",
      seq0: 1,
      time0: 1,
      data: { turn: 1, step: 1, index: 0, dt: [1, 1], texts: ["a", "b", "c"] },
    }
    const note = (seq: number): JsonObject => event(seq, "todo/write", { todos: [] })
    const outcome = checkLog(logOf(1, note(0), run, note(2), note(4)))
    expect(outcome.found.map(({ finding }) => finding)).toStrictEqual([
      { code: "seq-not-contiguous", seq: 2, expected: 4 },
    ])
    expect([outcome.acceptedEvents, outcome.eventCount]).toStrictEqual([4, 6])
  })
})
