import { describe, expect, it } from "vitest"
import type { FormatVersion } from "#core/format/format"
import type { Draft } from "./events.ts"
import {
  folded,
  nodesAfter,
  note,
  refusalOf,
  replacing,
  system,
  toolResult,
  user,
} from "./events.ts"

const withHead = [3, 4] as const

const over = (version: FormatVersion, event: Draft, ...seqs: readonly number[]): Draft =>
  replacing(version, event, [seqs[0] ?? 0, seqs[seqs.length - 1] ?? 0], seqs)

describe("the system prompt at the head", () => {
  it.each(withHead)("S18: format %d: only a system message replaces it, and it alone", (v) => {
    const events = [system(v), user(), toolResult(v)]
    const refused = (event: Draft): unknown => refusalOf(v, [...events, event])
    const protectedHead = { code: "head-protected", seq: 3, head: 0 }
    expect(refused(over(v, user(), 0))).toEqual(protectedHead)
    expect(refused(over(v, user(), 0, 1))).toEqual(protectedHead)
    expect(refused(over(v, system(v), 0, 1))).toEqual(protectedHead)
    expect(refused(over(v, toolResult(v), 0))).toEqual(protectedHead)
    expect(nodesAfter(v, [...events, over(v, system(v, "new"), 0)])).toEqual([3, 1, 2])
    expect(nodesAfter(v, [...events, over(v, user(), 1, 2)])).toEqual([0, 3])
  })

  it.each(withHead)("S19: format %d: what replaced it is the head, empty or not", (version) => {
    for (const words of ["new", ""]) {
      const events = [system(version, ""), user(), over(version, system(version, words), 0)]
      expect(refusalOf(version, [...events, over(version, user(), 2)])).toEqual({
        code: "head-protected",
        seq: 3,
        head: 2,
      })
      const again = over(version, system(version, "newer"), 2)
      expect(nodesAfter(version, [...events, again])).toEqual([3, 1])
    }
    expect(refusalOf(version, [system(version, ""), over(version, user(), 0)])).toMatchObject({
      code: "head-protected",
    })
  })

  it.each(withHead)("S19: format %d: later system messages are nodes like others", (version) => {
    const events = [system(version), user(), system(version, "more"), user()]
    expect(nodesAfter(version, [...events, over(version, user(), 1, 2, 3)])).toEqual([0, 4])
    expect(nodesAfter(version, [...events, over(version, user(), 2)])).toEqual([0, 1, 4, 3])
    const cleared = folded(version, [...events, over(version, system(version, ""), 2)])
    expect(cleared.nodes).toEqual([0, 1, 4, 3])
    expect(cleared.messages).toHaveLength(3)
  })

  it.each(withHead)(
    "S20: format %d: a system message at position 0 is a head, however it came there",
    (version) => {
      // the first node ever was another one
      const events = [user(), user(), over(version, system(version), 0)]
      expect(nodesAfter(version, events)).toEqual([2, 1])
      expect(refusalOf(version, [...events, over(version, user(), 2)])).toMatchObject({
        code: "head-protected",
      })
      // one that was appended behind others and has come to the front is one too
      const moved = [user(), note, system(version), user()]
      expect(nodesAfter(version, [...moved, over(version, user(), 0, 2)])).toEqual([4, 3])
      expect(nodesAfter(version, [...moved, over(version, user(), 2)])).toEqual([0, 4, 3])
    },
  )

  it.each([0, 1, 2] as const)("S18: format %d: the first node is like any other", (version) => {
    expect(nodesAfter(version, [user(), user(), over(version, user(), 0, 1)])).toEqual([2])
  })
})
