import { describe, expect, it } from "vitest"
import type { JsonValue } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import type { Draft } from "./events.ts"
import {
  assistant,
  developer,
  every,
  later,
  nodesAfter,
  note,
  over,
  refusalOf,
  system,
  toolResult,
  user,
} from "./events.ts"

const { surfaceOp: _, ...unmarked } = user()

describe("what stands on the surface", () => {
  it.each(every)("S1: format %d: user, assistant and tool result", (version) => {
    const events = [user(), note, assistant(version), note, toolResult(version), later]
    expect(nodesAfter(version, events)).toEqual([0, 2, 4])
  })

  it("S1: system messages since format 3, developer messages since format 4", () => {
    expect(nodesAfter(3, [system(3), user()])).toEqual([0, 1])
    expect(nodesAfter(4, [system(4), user(), developer()])).toEqual([0, 1, 2])
    const unknown = (version: FormatVersion, event: Draft): unknown =>
      refusalOf(version, [user(), event])
    for (const version of [0, 1, 2] as const)
      expect(unknown(version, system(3))).toMatchObject({ code: "event-type-unknown" })
    for (const version of [0, 1, 2, 3] as const)
      expect(unknown(version, developer())).toMatchObject({ code: "event-type-unknown" })
  })

  it.each(every)("S2: format %d: every event has the next seq", (version) => {
    const gap = (seq: number): unknown => refusalOf(version, [user(), note, { ...user(), seq }])
    expect(gap(3)).toEqual({ code: "seq-not-contiguous", seq: 3, expected: 2 })
    expect(gap(1)).toEqual({ code: "seq-not-contiguous", seq: 1, expected: 2 })
    expect(refusalOf(version, [{ ...note, seq: 1 }])).toMatchObject({ seq: 1, expected: 0 })
  })
})

describe("surface markers", () => {
  it.each(every)("S3: format %d: a surface event needs one", (version) => {
    expect(refusalOf(version, [user(), unmarked])).toEqual({ code: "surface-op-missing", seq: 1 })
    const { surfaceOp: _op, ...bare } = assistant(version)
    expect(refusalOf(version, [bare])).toEqual({ code: "surface-op-missing", seq: 0 })
  })

  it.each(every)("S4: format %d: it is append or a replacement, to the letter", (version) => {
    const other = over(version < 3 ? 3 : 0, 0, 0)
    const wrong: readonly JsonValue[] = [
      "prepend",
      "",
      null,
      true,
      [],
      {},
      { op: "append" },
      { op: "replace" },
      other,
      { ...over(version, 0, 0), why: "more" },
      { ...over(version, 0, 0), ...other },
      { ...over(version, 0, 0), op: "remove" },
      over(version, "0", 0),
      over(version, 0, 0.5),
      over(version, -1, 0),
      over(version, 0, 2 ** 53),
    ]
    for (const surfaceOp of wrong)
      expect(refusalOf(version, [user(), { ...user(), surfaceOp, sourceEventSeqs: [0] }])).toEqual({
        code: "surface-op-shape",
        seq: 1,
      })
  })

  it("S4: −0 is no count, so it is no endpoint", () => {
    for (const version of every)
      for (const op of [over(version, -0, 0), over(version, 0, -0)])
        expect(
          refusalOf(version, [user(), { ...user(), surfaceOp: op, sourceEventSeqs: [0] }]),
        ).toMatchObject({ code: "surface-op-shape" })
  })

  it.each(every)("S5: format %d: an event off the surface has neither marker nor sources", (v) => {
    expect(refusalOf(v, [user(), { ...note, surfaceOp: "append" }])).toEqual({
      code: "surface-op-forbidden",
      seq: 1,
    })
    expect(refusalOf(v, [user(), { ...note, surfaceOp: over(v, 0, 0) }])).toMatchObject({
      code: "surface-op-forbidden",
    })
    for (const sourceEventSeqs of [[], [0]])
      expect(refusalOf(v, [user(), { ...note, sourceEventSeqs }])).toEqual({
        code: "sources-forbidden",
        seq: 1,
      })
  })

  it("S5: of an unknown event both mean nothing in format 4, and are refused before it", () => {
    const marked: Draft = { ...later, surfaceOp: over(4, 0, 0) }
    const odd: Draft = { ...later, surfaceOp: "prepend", sourceEventSeqs: [0] }
    expect(nodesAfter(4, [user(), marked, odd, { ...later, sourceEventSeqs: [] }])).toEqual([0])
    for (const version of [0, 1, 2, 3] as const) {
      expect(refusalOf(version, [user(), { ...later, surfaceOp: "append" }])).toMatchObject({
        code: "surface-op-forbidden",
      })
      expect(refusalOf(version, [user(), { ...later, sourceEventSeqs: [0] }])).toMatchObject({
        code: "sources-forbidden",
      })
    }
  })
})
