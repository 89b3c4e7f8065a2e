import { describe, expect, it } from "vitest"
import { acceptanceFindings } from "#core/check/acceptance"
import type { JsonObject } from "#core/data/json"
import { checkLog } from "../../fixtures/checked-in-full.ts"
import { logOf } from "../../fixtures/log-in-memory.ts"
import { asking, call, event, replacing, result, stepStart, turnStart, user } from "./rows.ts"

const acceptance = new Set([
  "message-empty",
  "call-without-result",
  "result-without-call",
  "result-not-adjacent",
])

const refusedBy = (...rows: readonly (string | JsonObject)[]): readonly object[] =>
  checkLog(logOf(4, ...rows)).found.flatMap(({ finding, row }) =>
    acceptance.has(finding.code) ? [{ ...finding, row }] : [],
  )

/** A turn with a step, whose first two events these are. */
const open = [turnStart(0), stepStart(1)]

describe("what a provider takes", () => {
  it("CK15: a message of a person that says nothing", () => {
    expect(refusedBy(user(0, undefined, []), user(1))).toStrictEqual([
      { code: "message-empty", seq: 0, afterSeq: null, row: 3 },
    ])
  })

  it("CK15: a call that is not answered before the next message with calls", () => {
    const rows = [...open, asking(2, "c", "d"), call(3, "c"), result(4, "c"), asking(5)]
    expect(refusedBy(...rows)).toStrictEqual([
      { code: "call-without-result", seq: 2, callId: "d", afterSeq: null, row: 7 },
    ])
  })

  it("CK15: a result that no message before it calls for, or that comes twice", () => {
    const rows = [...open, asking(2, "c"), call(3, "c"), result(4, "c"), result(5, "c")]
    expect(refusedBy(...rows, result(6, "d"))).toStrictEqual([
      { code: "result-without-call", seq: 5, callId: "c", afterSeq: null, row: 8 },
      { code: "result-without-call", seq: 6, callId: "d", afterSeq: null, row: 8 },
    ])
  })

  it("CK15: a result behind a message that came in between", () => {
    const rows = [...open, asking(2, "c", "d"), call(3, "c"), call(4, "d"), result(5, "c")]
    expect(refusedBy(...rows, user(6), result(7, "d"))).toStrictEqual([
      { code: "result-not-adjacent", seq: 7, callId: "d", afterSeq: null, row: 9 },
    ])
  })

  const answered = [...open, user(2), asking(3, "c", "d"), result(4, "c"), result(5, "d")]

  it("CK15: a replacement that takes the calls and leaves their results", () => {
    expect(refusedBy(...answered, user(6, replacing(2, 3, [2, 3])))).toStrictEqual([
      { code: "result-without-call", seq: 4, callId: "c", afterSeq: 6, row: 7 },
      { code: "result-without-call", seq: 5, callId: "d", afterSeq: 6, row: 7 },
    ])
  })

  it("CK15: one that takes a result and leaves its call, or stands between them", () => {
    expect(refusedBy(...answered, user(6, replacing(5, 5, [5])))).toStrictEqual([
      { code: "call-without-result", seq: 3, callId: "d", afterSeq: 6, row: 7 },
    ])
    expect(refusedBy(...answered, user(6, replacing(4, 4, [4])))).toStrictEqual([
      { code: "result-not-adjacent", seq: 5, callId: "d", afterSeq: 6, row: 7 },
      { code: "call-without-result", seq: 3, callId: "c", afterSeq: 6, row: 7 },
    ])
  })

  it("CK15: one of replaced nodes is judged as it stands then, and so is an empty one", () => {
    const rows = [
      ...answered,
      user(6, replacing(2, 2, [2])),
      // whole again: all of the group goes with what replaced its question
      user(7, replacing(6, 5, [6, 3, 4, 5])),
      user(8, replacing(7, 7, [7]), []),
    ]
    expect(refusedBy(...rows)).toStrictEqual([
      { code: "message-empty", seq: 8, afterSeq: 8, row: 9 },
    ])
    const nested = [...answered, user(6, replacing(2, 3, [2, 3])), user(7, replacing(6, 4, [6, 4]))]
    expect(refusedBy(...nested)).toStrictEqual([
      { code: "result-without-call", seq: 4, callId: "c", afterSeq: 6, row: 7 },
      { code: "result-without-call", seq: 5, callId: "d", afterSeq: 6, row: 7 },
    ])
  })

  it("CK16: what a later replacement takes away stays told, and is told once", () => {
    const rows = [
      ...answered,
      user(6, replacing(2, 3, [2, 3])),
      user(7, replacing(6, 6, [6])),
      user(8, replacing(7, 5, [7, 4, 5])),
    ]
    expect(refusedBy(...rows)).toHaveLength(2)
  })

  it("CK16: a replacement is not blamed for what stands beyond the calls around it", () => {
    const rows = [user(0, undefined, []), turnStart(1), stepStart(2), asking(3), user(4)]
    expect(refusedBy(...rows, user(5, replacing(4, 4, [4])))).toStrictEqual([
      { code: "message-empty", seq: 0, afterSeq: null, row: 7 },
    ])
  })

  it("CK16: calls more than a thousand nodes away are found at the end", () => {
    const far = (count: number): readonly object[] => {
      const between = Array.from({ length: count }, (_, i) => user(3 + i))
      const last = 3 + count
      const edit = user(last, replacing(last - 1, last - 1, [last - 1]))
      return refusedBy(...open, asking(2, "c"), ...between, edit)
    }
    const finding = { code: "call-without-result", seq: 2, callId: "c" }
    expect(far(1000)).toStrictEqual([{ ...finding, afterSeq: 1003, row: 1004 }])
    expect(far(1001)).toStrictEqual([{ ...finding, afterSeq: null, row: 1006 }])
  })

  it("CK16: so are results whose calls are further away", () => {
    const between = Array.from({ length: 1001 }, (_, i) => user(3 + i))
    const edit = user(1005, replacing(1003, 1003, [1003]))
    expect(refusedBy(...open, asking(2, "c"), ...between, result(1004, "c"), edit)).toStrictEqual([
      { code: "result-not-adjacent", seq: 1004, callId: "c", afterSeq: null, row: 1007 },
    ])
  })

  it("CK17: calls that are open at the end were interrupted, unless a message follows", () => {
    const rows = [...open, asking(2, "c", "d"), call(3, "c"), result(4, "c")]
    expect(refusedBy(...rows)).toStrictEqual([])
    expect(refusedBy(...rows, user(5))).toStrictEqual([
      { code: "call-without-result", seq: 2, callId: "d", afterSeq: null, row: 7 },
    ])
  })

  it("CK17: a tool may have nothing to say, and an empty answer is no message", () => {
    const empty = event(
      5,
      "assistant/message",
      {
        turn: 1,
        step: 1,
        message: {
          id: "a",
          role: "assistant",
          content: [],
          source: { kind: "model", provider: "p", model: "m" },
        },
        stream: [],
      },
      { surfaceOp: "append" },
    )
    const rows = [...open, asking(2, "c", "d"), call(3, "c"), result(4, "c", []), empty]
    expect(refusedBy(...rows, result(6, "d"))).toStrictEqual([])
  })

  it("CK17: a rewritten result answers as before, and an image that is put aside says something", () => {
    const attachment = {
      attachmentId: "i",
      mediaType: "image/png",
      bytes: 1,
      width: 1,
      height: 1,
    }
    const image = user(2, undefined, [{ type: "image", attachment }])
    const rows = [
      ...open,
      image,
      asking(3, "c"),
      call(4, "c"),
      result(5, "c"),
      result(6, "c", [], replacing(5, 5, [5])),
      event(7, "image/offload", { targets: [{ seq: 2, imageIndexes: [0] }] }),
    ]
    expect(checkLog(logOf(4, ...rows)).found).toStrictEqual([])
  })

  it.each([
    ["refused", [{ ...asking(2, "c"), surfaceOp: "no" }, call(3, "c"), result(4, "c")]],
    ["missing", [call(3, "c"), result(4, "c")]],
    ["no JSON", ["{", call(3, "c"), result(4, "c")]],
  ])("CK18: a result whose call is %s is not judged", (_what, rows) => {
    expect(refusedBy(...open, ...rows, asking(5))).toStrictEqual([])
  })

  it("CK18: nor is a call whose result is, also at the end of the log", () => {
    const asked = [...open, asking(2, "c"), call(3, "c")]
    const bad = { ...result(4, "c"), data: { turn: 1, step: 1 } }
    expect(refusedBy(...asked, bad, asking(5))).toStrictEqual([])
    expect(refusedBy(...asked, "{", asking(5))).toStrictEqual([])
    expect(refusedBy(...asked, asking(5))).toStrictEqual([])
    expect(refusedBy(...asked, user(4), "{")).toStrictEqual([])
  })

  it("CK18: behind the next message with calls all is known again", () => {
    const rows = [...open, "{", result(3, "c"), asking(4, "d"), result(5, "e")]
    expect(refusedBy(...rows)).toStrictEqual([
      { code: "result-without-call", seq: 5, callId: "e", afterSeq: null, row: 7 },
    ])
  })

  it("CK16: of a part of the messages its calls at the end may be answered behind it", () => {
    const message = { callIds: ["c"], resultOf: null, isEmpty: false }
    const said = { callIds: null, resultOf: null, isEmpty: false }
    const nodes = [
      { seq: 0, message, isAfterLoss: false },
      { seq: 1, message: said, isAfterLoss: false },
    ]
    const part = { isFromStart: true, afterSeq: 7 }
    expect(acceptanceFindings(nodes, { ...part, isToEnd: false })).toStrictEqual([])
    expect(acceptanceFindings(nodes, { ...part, isToEnd: true })).toStrictEqual([
      { code: "call-without-result", seq: 0, callId: "c", afterSeq: 7 },
    ])
  })
})
