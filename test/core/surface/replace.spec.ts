import { describe, expect, it } from "vitest"
import type { FormatVersion } from "#core/format/format"
import {
  assistant,
  every,
  folded,
  later,
  nodesAfter,
  note,
  refusalOf,
  replacing,
  user,
} from "./events.ts"
import type { Draft } from "./events.ts"

const by =
  (version: FormatVersion) =>
  (start: number, end: number, ...sources: number[]): Draft =>
    replacing(version, user("again"), [start, end], sources)

describe("append and replace", () => {
  it.each(every)("S11: format %d: an appended node comes last", (version) => {
    const over = by(version)
    expect(nodesAfter(version, [user(), user(), over(0, 0, 0), user()])).toEqual([2, 1, 3])
  })

  it.each(every)("S12: format %d: a replacement takes the place of its range", (version) => {
    const over = by(version)
    // the messages 2, 4 and 7 of the example, with other events between them
    const events = [note, note, user(), note, user(), later, note, user()]
    expect(nodesAfter(version, [...events, over(2, 4, 2, 4)])).toEqual([8, 7])
    expect(nodesAfter(version, [...events, over(4, 7, 4, 7)])).toEqual([2, 8])
    expect(nodesAfter(version, [...events, over(2, 7, 2, 4, 7)])).toEqual([8])
    expect(nodesAfter(version, [...events, over(4, 4, 4)])).toEqual([2, 8, 7])
  })

  it.each(every)("S12: format %d: a later start may be greater than the end", (version) => {
    const over = by(version)
    const chain = [user(), user(), over(0, 0, 0), over(2, 1, 2, 1)]
    expect(folded(version, chain)).toMatchObject({
      nodes: [3],
      refusal: null,
      replacements: [
        { seq: 2, start: 0, end: 0, shadowedSeqs: [0] },
        { seq: 3, start: 2, end: 1, shadowedSeqs: [2, 1] },
      ],
    })
    const longer = [
      ...[user(), user(), user(), user()],
      over(0, 2, 0, 1, 2),
      user(),
      over(4, 3, 4, 3),
    ]
    expect(nodesAfter(version, longer)).toEqual([6, 5])
  })

  it.each(every)("S13: format %d: endpoints are earlier events", (version) => {
    const over = by(version)
    const refused = (event: Draft): unknown => refusalOf(version, [user(), user(), event])
    expect(refused(over(2, 1, 1))).toEqual({ code: "endpoint-not-earlier", seq: 2, endpoint: 2 })
    expect(refused(over(0, 2, 0))).toEqual({ code: "endpoint-not-earlier", seq: 2, endpoint: 2 })
    expect(refused(over(0, 9, 0))).toEqual({ code: "endpoint-not-earlier", seq: 2, endpoint: 9 })
  })

  it.each(every)("S14: format %d: endpoints stand on the surface now", (version) => {
    const over = by(version)
    const events = [user(), note, user(), over(0, 0, 0)]
    const refused = (event: Draft): unknown => refusalOf(version, [...events, event])
    const code = "endpoint-not-on-surface"
    // replaced before, off the surface, and an inner node of a range that went
    expect(refused(over(0, 2, 0, 2))).toEqual({ code, seq: 4, endpoint: 0 })
    expect(refused(over(3, 1, 3, 1))).toEqual({ code, seq: 4, endpoint: 1 })
    expect(refused(over(1, 1, 1))).toEqual({ code, seq: 4, endpoint: 1 })
    const ranged = [user(), user(), user(), over(0, 2, 0, 1, 2), over(1, 3, 1, 3)]
    expect(refusalOf(version, ranged)).toEqual({ code, seq: 4, endpoint: 1 })
  })

  it.each(every)("S15: format %d: the start is not after the end, on the surface", (version) => {
    const over = by(version)
    expect(refusalOf(version, [user(), user(), over(1, 0, 0, 1)])).toEqual({
      code: "range-reversed",
      seq: 2,
      start: 1,
      end: 0,
    })
    // 2 stands before 1, whatever the numbers say
    expect(refusalOf(version, [user(), user(), over(0, 0, 0), over(1, 2, 1, 2)])).toEqual({
      code: "range-reversed",
      seq: 3,
      start: 1,
      end: 2,
    })
  })

  it.each(every)("S16: format %d: every shadowed node is cited", (version) => {
    const over = by(version)
    const events = [user(), user(), user()]
    const refused = (event: Draft): unknown => refusalOf(version, [...events, event])
    expect(refused(over(0, 2, 0, 2))).toEqual({ code: "source-missing", seq: 3, shadowed: 1 })
    expect(refused(over(0, 2, 2, 1))).toEqual({ code: "source-missing", seq: 3, shadowed: 0 })
    const { sourceEventSeqs: _, ...uncited } = over(0, 0, 0)
    expect(refused(uncited)).toEqual({ code: "source-missing", seq: 3, shadowed: 0 })
  })

  it("S16: an answer can replace in formats 0 and 1, and nothing since", () => {
    for (const version of [0, 1] as const)
      expect(
        nodesAfter(version, [user(), replacing(version, assistant(version), [0, 0], [0])]),
      ).toEqual([1])
    for (const version of [2, 3, 4] as const) {
      const answer = replacing(version, assistant(version), [0, 0], [0])
      const { sourceEventSeqs: _, ...uncited } = answer
      expect(refusalOf(version, [user(), answer])).toMatchObject({ code: "sources-forbidden" })
      expect(refusalOf(version, [user(), uncited])).toMatchObject({ code: "source-missing" })
    }
  })

  it.each(every)("S17: format %d: a replacement is told with what it shadowed", (version) => {
    const over = by(version)
    const events = [user(), user(), user(), over(0, 1, 0, 1), over(3, 2, 0, 1, 2, 3)]
    expect(folded(version, events).replacements).toEqual([
      { seq: 3, start: 0, end: 1, shadowedSeqs: [0, 1] },
      { seq: 4, start: 3, end: 2, shadowedSeqs: [3, 2] },
    ])
  })

  it.each(every)("S41: format %d: replacements move both generations, appends none", (version) => {
    const over = by(version)
    const generations = (events: readonly Draft[]): readonly number[] => {
      const { replaceGeneration, contentGeneration } = folded(version, events)
      return [replaceGeneration, contentGeneration]
    }
    const events = [user(), note, user()]
    expect(generations(events)).toEqual([0, 0])
    expect(generations([...events, over(0, 2, 0, 2)])).toEqual([1, 1])
    expect(generations([...events, over(0, 2, 0, 2), over(3, 3, 3), user()])).toEqual([2, 2])
  })
})
