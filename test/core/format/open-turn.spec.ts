import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { mode, stepEnd, stepStart, turnEnd, turnStart, user } from "../../shell/session-logs.ts"
import { asking, called, openIn, place } from "./open-turn.ts"
import { cases, versions } from "./verdict.ts"

const answered = (version: number, seq: number, callId: string): JsonObject => {
  const source = { kind: "tool", callId }
  const message =
    version < 4
      ? {
          role: "user",
          content: [{ type: "tool-result", toolCallId: callId, content: [], isError: false }],
        }
      : { role: "tool", toolCallId: callId, content: [] }
  const data = { ...place, message: { id: `r${seq}`, source, ...message } }
  return { type: "tool/result", seq, time: seq, data, surfaceOp: "append" }
}

const start = [turnStart(0, 1), stepStart(1, 1, 1)]

describe("the turn that a log ends in", () => {
  it.each(versions)("RC21: format %d: there is none before the first and behind the last", (v) => {
    expect(openIn(v, [])).toBeNull()
    expect(openIn(v, [mode(0)])).toBeNull()
    expect(openIn(v, [turnStart(0, 1), turnEnd(1, 1), mode(2)])).toBeNull()
  })

  it.each(versions)(
    "RC21: format %d: it has its number, its step and where the log goes on",
    (v) => {
      expect(openIn(v, [mode(0), turnStart(1, 7)])).toStrictEqual({
        turn: 7,
        step: null,
        calls: [],
        keepTo: 200,
        nextSeq: 2,
        lastTimeMs: 1,
      })
      expect(openIn(v, [...start, user(2, "hi")])).toMatchObject({ turn: 1, step: 1, nextSeq: 3 })
      const later = [...start, turnEnd(2, 1), turnStart(3, 2), stepStart(4, 2, 1)]
      expect(openIn(v, later)).toMatchObject({ turn: 2, step: 1, keepTo: 400 })
    },
  )

  it.each(versions)("RC21: format %d: it is kept to the end of its last complete step", (v) => {
    const two = [...start, stepEnd(2, 1, 1), stepStart(3, 1, 2), user(4, "more")]
    expect(openIn(v, two)).toMatchObject({ step: 2, keepTo: 400 })
    expect(openIn(v, two.slice(0, 3))).toMatchObject({ step: null, keepTo: 400, nextSeq: 3 })
    expect(openIn(v, start)).toMatchObject({ keepTo: 100 })
  })

  it.each(versions)(
    "RC21: format %d: its calls are those without a result, in their order",
    (v) => {
      const asked = [...start, asking(2, "c", "d", "e"), called(3, "d")]
      expect(openIn(v, asked)?.calls).toStrictEqual([
        { callId: "c", startedSeq: null },
        { callId: "d", startedSeq: 3 },
        { callId: "e", startedSeq: null },
      ])
      const rest = [...asked, answered(v, 4, "d"), answered(v, 5, "c")]
      expect(openIn(v, rest)?.calls).toStrictEqual([{ callId: "e", startedSeq: null }])
      // nobody asked for this one
      expect(openIn(v, [...start, called(2, "x")])?.calls).toStrictEqual([])
    },
  )

  it.each(versions)("RC21: format %d: a step that is over has no open calls", (v) => {
    const over = [...start, asking(2, "c"), stepEnd(3, 1, 1)]
    expect(openIn(v, over)?.calls).toStrictEqual([])
    expect(openIn(v, [...over, stepStart(4, 1, 2)])?.calls).toStrictEqual([])
    expect(openIn(v, [turnStart(0, 1), asking(1, "c")])).toMatchObject({ step: null, calls: [] })
  })

  it.each(cases([0, 1], ["text-chunks"]))("RC21: format %d: %s end where their run ends", (v) => {
    const run = {
      type: "text-chunks",
      seq0: 2,
      time0: 5,
      data: { ...place, index: 0, dt: [1, 1], texts: ["a", "b", "c"] },
    }
    expect(openIn(v, [...start, run])).toMatchObject({ nextSeq: 5, lastTimeMs: 7 })
  })
})
