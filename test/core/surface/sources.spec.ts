import { describe, expect, it } from "vitest"
import type { FormatVersion } from "#core/format/format"
import {
  assistant,
  every,
  nodesAfter,
  note,
  refusalOf,
  replacing,
  toolResult,
  user,
} from "./events.ts"

const citing = (sourceEventSeqs: readonly unknown[]): ReturnType<typeof user> => ({
  ...user(),
  sourceEventSeqs: sourceEventSeqs as number[],
})

describe("cited events", () => {
  it.each(every)("S6: format %d: a list of them names at least one", (version) => {
    expect(refusalOf(version, [user(), citing([])])).toEqual({ code: "sources-empty", seq: 1 })
    expect(refusalOf(version, [user(), replacing(version, user(), [0, 0], [])])).toEqual({
      code: "sources-empty",
      seq: 1,
    })
  })

  it.each(every)("S7: format %d: each of them once", (version) => {
    const before = [user(), user(), note]
    expect(refusalOf(version, [...before, citing([1, 0, 1])])).toEqual({
      code: "sources-repeated",
      seq: 3,
      source: 1,
    })
    expect(refusalOf(version, [...before, citing([2, 2])])).toMatchObject({ source: 2 })
  })

  it.each(every)("S8: format %d: each of them earlier", (version) => {
    const refused = (list: readonly unknown[]): unknown =>
      refusalOf(version, [user(), user(), citing(list)])
    expect(refused([0, 2])).toEqual({ code: "source-not-earlier", seq: 2, source: 2 })
    expect(refused([7, 9])).toEqual({ code: "source-not-earlier", seq: 2, source: 7 })
    // a pair is not expanded: its first member that is not earlier is named
    expect(refused([[0, 2 ** 53 - 1]])).toEqual({ code: "source-not-earlier", seq: 2, source: 2 })
    expect(refused([0, [5, 6]])).toEqual({ code: "source-not-earlier", seq: 2, source: 5 })
  })

  it.each([0, 1] as const)("S9: format %d: an answer may cite its chunks, or none", (version) => {
    const answer = assistant(version)
    const cites = (list: readonly number[]) => ({ ...answer, sourceEventSeqs: list })
    expect(nodesAfter(version, [note, answer, cites([]), cites([0])])).toEqual([1, 2, 3])
    expect(refusalOf(version, [note, cites([0, 0])])).toMatchObject({ code: "sources-repeated" })
    expect(refusalOf(version, [note, cites([1])])).toMatchObject({ code: "source-not-earlier" })
  })

  it.each([2, 3, 4] as const)("S9: format %d: an answer cites nothing", (version) => {
    for (const sourceEventSeqs of [[], [0]])
      expect(refusalOf(version, [user(), { ...assistant(version), sourceEventSeqs }])).toEqual({
        code: "sources-forbidden",
        seq: 1,
      })
  })

  it.each(every)("S10: format %d: any earlier event may be cited, in any order", (version) => {
    const events = [user(), note, replacing(version, user(), [0, 0], [1, 0]), citing([2, 0, 1])]
    expect(nodesAfter(version, events)).toEqual([2, 3])
    const result = { ...toolResult(version), sourceEventSeqs: [1] }
    expect(nodesAfter(version, [user(), note, result])).toEqual([0, 2])
  })

  const pairs = (version: FormatVersion): readonly number[] =>
    nodesAfter(version, [
      user(),
      user(),
      user(),
      note,
      replacing(version, user(), [0, 2], [[0, 3]]),
      replacing(version, user(), [4, 4], [0, [2, 4]]),
    ])

  it.each(every)("S10: format %d: pairs stand for all between", (version) => {
    expect(pairs(version)).toEqual([5])
  })
})
