import { describe, expect, it } from "vitest"
import { compactableRange } from "#core/compaction/compactable-range"
import type { CompactableRange } from "#core/compaction/compactable-range"
import type { CompactionLock } from "#core/compaction/compaction-lock"
import { compactionLock, compactionOpening } from "#core/compaction/compaction-lock"
import { compactionNodes } from "#core/compaction/compaction-node"
import { compactionCommit, compactionStart } from "#core/compaction/compaction-plan"
import { rangeBetween } from "#core/compaction/range-between"
import { stableRange } from "#core/compaction/stable-range"
import type { JsonObject } from "#core/data/json"
import { noSurface, rightRow, StateCarrier } from "../../../properties/carriers.ts"
import { leftOf, numbered, rightOf, system, user } from "../surface/events.ts"
import { nodesOf } from "./nodes.ts"

/** The lock behind some events. */
const lockAfter = (
  ...events: readonly (readonly [type: string, data: JsonObject])[]
): CompactionLock => {
  let lock = compactionLock.init(undefined as never, 0)
  for (const [seq, [type, data]] of events.entries()) {
    const { facts, data: payload } = rightRow(4, { type, seq, time: seq, data })
    lock = rightOf(compactionLock.apply(lock, facts, payload))
  }
  return lock
}

const turn: readonly [string, JsonObject] = ["turn/start", { turn: 3 }]
const begun: readonly [string, JsonObject] = ["compaction/start", { compactionId: "a", turn: 3 }]

describe("whether a compaction may begin", () => {
  it("PC20: within the open turn, or between turns where it was asked for there", () => {
    expect(compactionOpening(lockAfter(turn), { turn: 3 })).toMatchObject({ _tag: "Right" })
    expect(compactionOpening(lockAfter(), { turn: null })).toMatchObject({ _tag: "Right" })
    const code = "compaction-turn"
    expect(leftOf(compactionOpening(lockAfter(turn), { turn: 2 }))).toEqual({
      code,
      turn: 2,
      openTurn: 3,
    })
    expect(leftOf(compactionOpening(lockAfter(turn), { turn: null }))).toEqual({
      code,
      turn: null,
      openTurn: 3,
    })
    const ended = lockAfter(turn, ["turn/end", { turn: 3 }])
    expect(leftOf(compactionOpening(ended, { turn: 3 }))).toEqual({
      code,
      turn: 3,
      openTurn: null,
    })
  })

  it("PC20: not while another one is open", () => {
    const busy = lockAfter(turn, begun)
    expect(leftOf(compactionOpening(busy, { turn: 3 }))).toEqual({
      code: "compaction-busy",
      startSeq: 1,
    })
    const ended = lockAfter(turn, begun, ["compaction/end", { compactionId: "a", turn: 3 }])
    expect(compactionOpening(ended, { turn: 3 })).toMatchObject({ _tag: "Right" })
  })

  it("PC20: a start that was left open locks until a later life of the session", () => {
    const left = lockAfter(turn, begun, ["turn/end", { turn: 3 }])
    expect(leftOf(compactionOpening(left, { turn: null }))).toMatchObject({
      code: "compaction-busy",
    })
    const later = lockAfter(turn, begun, ["turn/end", { turn: 3 }], ["session/end-seed", {}])
    expect(later).toEqual({ startSeq: null, turn: null })
  })

  it("PC20: what says nothing leaves the very state", () => {
    const lock = lockAfter(turn)
    const { facts, data } = rightRow(4, { type: "session/end-seed", seq: 1, time: 1, data: {} })
    expect(rightOf(compactionLock.apply(lock, facts, data))).toBe(lock)
  })
})

describe("the range between two nodes", () => {
  const nodes = nodesOf("S7 U40 A60c1 R200 A30 U20")

  it("PC21: holds both of them and all that stands between, with the sums", () => {
    expect(rightOf(rangeBetween(nodes, 1, 4))).toEqual(rightOf(compactableRange(nodes, 0)))
    expect(rightOf(rangeBetween(nodes, 1, 1)).shadowedSeqs).toEqual([1])
  })

  it("PC21: is refused where an end is missing, they are reversed, or calls would be parted", () => {
    expect(leftOf(rangeBetween(nodes, 9, 4))).toEqual({ code: "range-end-missing", seq: 9 })
    expect(leftOf(rangeBetween(nodes, 1, 9))).toEqual({ code: "range-end-missing", seq: 9 })
    expect(leftOf(rangeBetween(nodes, 4, 1))).toEqual({
      code: "range-reversed",
      startSeq: 4,
      endSeq: 1,
    })
    expect(leftOf(rangeBetween(nodes, 1, 2))).toEqual({
      code: "range-parts-calls",
      seq: 2,
      openCalls: 1,
    })
    expect(leftOf(rangeBetween(nodes, 3, 4))).toEqual({
      code: "range-parts-calls",
      seq: 3,
      openCalls: 1,
    })
    expect(leftOf(rangeBetween(nodesOf("U1 R1 U1"), 0, 2))).toEqual({
      code: "tool-result-uncalled",
      seq: 1,
    })
  })

  it("PC21: goes by place: after a replacement the later seq may come first", () => {
    const [u, a, r] = nodesOf("U1 U2 U3")
    if (u === undefined || a === undefined || r === undefined) throw new Error("three nodes")
    expect(rightOf(rangeBetween([r, u, a], 2, 0)).shadowedSeqs).toEqual([2, 0])
  })

  it("PC21: leaves the prompt at the head to the session, which refuses to replace it", () => {
    expect(rightOf(rangeBetween(nodes, 0, 1)).shadowedSeqs).toEqual([0, 1])
    const surface = new StateCarrier(noSurface(4))
    for (const event of numbered([system(4), user("hello world!")])) surface.offer(event)
    const { state, payloads } = surface
    const priced = [0, 1].map((seq) => ({ seq, tokens: 99, heuristicTokens: 11 }))
    const live = rightOf(compactionNodes(state, payloads.payloadOf, priced))
    const owner = { compactionId: "a", sourceCommandId: null, turn: null }
    const content = [{ type: "text", text: "short" }]
    const [price, replacement] = rightOf(
      compactionCommit(
        state.format,
        {
          owner,
          startSeq: 2,
          range: rightOf(rangeBetween(live, 0, 1)),
          summary: { content, provider: "p", model: "m", usage: null },
          messageId: "checkpoint",
        },
        { nextSeq: 3, timeMs: 1 },
      ),
    )
    const [begun] = compactionStart(owner, { nextSeq: 2, timeMs: 1 })
    expect([begun, price].map((each) => surface.offer(each ?? {}))).toEqual([null, null])
    expect(surface.offer(replacement ?? {})).toEqual({ code: "head-protected", seq: 4, head: 0 })
    expect(surface.state.entries.map(({ seq }) => seq)).toEqual([0, 1])
  })
})

describe("a range that was chosen before", () => {
  const before = nodesOf("S7 U40 A60c1 R200 A30 U20")
  const chosen = ((): CompactableRange => {
    const range = rightOf(compactableRange(before, 0))
    if (range === null) throw new Error("there is a range")
    return range
  })()
  const more = nodesOf("S7 U40 A60c1 R200 A30 U20 A5")
  const dearer = before.map((node) => (node.seq === 2 ? { ...node, tokens: 61 } : node))
  const within = { turn: 3 }
  const between = { turn: null }

  it("PC22: is the same on the same surface", () => {
    expect(rightOf(stableRange(within, before, chosen, [...before]))).toEqual(chosen)
    expect(rightOf(stableRange(between, before, chosen, [...before]))).toEqual(chosen)
  })

  it("PC22: within a turn nothing may have been appended, between turns it may", () => {
    expect(leftOf(stableRange(within, before, chosen, more))).toEqual({
      code: "surface-changed",
      position: 6,
    })
    expect(rightOf(stableRange(between, before, chosen, more))).toEqual(chosen)
    expect(leftOf(stableRange(within, before, chosen, before.slice(0, 5)))).toEqual({
      code: "surface-changed",
      position: 5,
    })
  })

  it("PC22: is given up where one of its prices is another, on the route or by the heuristic", () => {
    const refusal = { code: "surface-changed", position: 2 }
    const heavier = before.map((n) => (n.seq === 2 ? { ...n, heuristicTokens: 1 } : n))
    for (const now of [dearer, heavier])
      for (const owner of [within, between])
        expect(leftOf(stableRange(owner, before, chosen, now))).toEqual(refusal)
  })

  it("PC22: between turns a price outside of it does not matter", () => {
    const now = before.map((node) => (node.seq === 5 ? { ...node, tokens: 99 } : node))
    expect(rightOf(stableRange(between, before, chosen, now))).toEqual(chosen)
    expect(leftOf(stableRange(within, before, chosen, now))).toMatchObject({ position: 5 })
  })

  it("PC22: is given up where a node of it went, or another came between", () => {
    const without = before.filter(({ seq }) => seq !== 4)
    expect(leftOf(stableRange(between, before, chosen, without))).toEqual({
      code: "range-end-missing",
      seq: 4,
    })
    const [extra] = nodesOf("U3").map((node) => ({ ...node, seq: 77 }))
    if (extra === undefined) throw new Error("one node")
    expect(leftOf(stableRange(between, before, chosen, before.toSpliced(2, 0, extra)))).toEqual({
      code: "surface-changed",
      position: 2,
    })
  })

  it("PC22: stands elsewhere where what is ahead of it was compacted", () => {
    const long = nodesOf("S7 U1 U1 U40 A30 U20")
    const range = rightOf(rangeBetween(long, 3, 4))
    const now = long.filter(({ seq }) => seq !== 2)
    expect(rightOf(stableRange(between, long, range, now))).toEqual({ ...range, from: 2, to: 4 })
  })

  it("PC22: is given up where a call ahead of it is open now", () => {
    const range = rightOf(rangeBetween(nodesOf("S7 U1 U40 U20"), 2, 2))
    const now = nodesOf("S7 A1c1 U40 U20")
    expect(leftOf(stableRange(between, nodesOf("S7 U1 U40 U20"), range, now))).toEqual({
      code: "range-parts-calls",
      seq: 2,
      openCalls: 1,
    })
  })
})
