import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { logOf, readLog } from "../../fixtures/log-in-memory.ts"
import { versions } from "./verdict.ts"

const user = (seq: number, more: JsonObject = {}): JsonObject => ({
  type: "user/message",
  seq,
  time: 1,
  data: { id: `u${seq}`, role: "user", content: [], source: { kind: "user" } },
  surfaceOp: "append",
  ...more,
})

const replacing = (version: number, start: number, end: number): JsonObject =>
  version < 3 ? { op: "replace", start, end } : { op: "replace", startSeq: start, endSeq: end }

describe("inputs that other readers got wrong", () => {
  it.each(versions)("F42: format %d: a replacement of replacements goes by place", (version) => {
    const replace = (seq: number, start: number, end: number, sources: number[]): JsonObject =>
      user(seq, { surfaceOp: replacing(version, start, end), sourceEventSeqs: sources })
    const log = logOf(version, user(0), user(1), replace(2, 0, 0, [0]), replace(3, 2, 1, [2, 1]))
    expect(readLog(log)).toMatchObject({
      status: "ok",
      nodes: [3],
      replacements: [
        { seq: 2, start: 0, end: 0, shadowedSeqs: [0] },
        { seq: 3, start: 2, end: 1, shadowedSeqs: [2, 1] },
      ],
    })
  })

  it.each(versions)("F42: format %d: two rounds of compaction, with survivors", (version) => {
    const replace = (seq: number, start: number, end: number, sources: number[]): JsonObject =>
      user(seq, { surfaceOp: replacing(version, start, end), sourceEventSeqs: sources })
    // [0 1 2 3] → [4 2 3]; 5 comes after; [4 2] → 6
    const log = logOf(
      version,
      user(0),
      user(1),
      user(2),
      user(3),
      replace(4, 0, 1, [0, 1]),
      user(5),
      replace(6, 4, 2, [2, 4]),
    )
    expect(readLog(log)).toMatchObject({ status: "ok", nodes: [6, 3, 5] })
  })

  it.each(versions)(
    "F43: format %d: the order of turns, steps and compactions is not asked",
    (version) => {
      const lifecycle = (seq: number, type: string, data: JsonObject): JsonObject => ({
        type,
        seq,
        time: 1,
        data,
      })
      const log = logOf(
        version,
        user(0),
        lifecycle(1, "turn/start", { turn: 1 }),
        lifecycle(2, "compaction/start", { compactionId: "k", turn: 1 }),
        lifecycle(3, "turn/end", { turn: 1, reason: { kind: "completed" } }),
        lifecycle(4, "session/end-seed", {}),
        lifecycle(5, "turn/start", { turn: 1 }),
        lifecycle(6, "step/end", { turn: 9, step: 9 }),
      )
      expect(readLog(log)).toMatchObject({ status: "ok", eventCount: 7, nodes: [0] })
    },
  )

  it.each(versions)("F43: format %d: a user message may come before the first step", (version) => {
    const step = { type: "step/start", seq: 1, time: 1, data: { turn: 1, step: 1 } }
    expect(readLog(logOf(version, user(0), step))).toMatchObject({ status: "ok", nodes: [0] })
  })

  it.each(versions)("F43: format %d: a member more in the envelope is refused", (version) => {
    expect(readLog(logOf(version, user(0, { origin: "plugin" })))).toMatchObject({
      refusal: { refusal: { code: "envelope-shape", seq: 0, fault: { path: ["origin"] } } },
    })
  })
})
