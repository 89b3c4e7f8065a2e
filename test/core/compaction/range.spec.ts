import { describe, expect, it } from "vitest"
import { compactableRange } from "#core/compaction/compactable-range"
import { compactionNodes } from "#core/compaction/compaction-node"
import { rangeBetween } from "#core/compaction/range-between"
import { summaryInput } from "#core/compaction/summary-input"
import { openCalls } from "#core/compaction/tool-balance"
import type { JsonObject } from "#core/data/json"
import { noSurface, StateCarrier } from "../../../properties/carriers.ts"
import { leftOf, numbered, rightOf, system, user } from "../surface/events.ts"
import { nodesOf } from "./nodes.ts"

const seqsOf = (words: string, retainTokens: number): readonly number[] | null =>
  rightOf(compactableRange(nodesOf(words), retainTokens))?.shadowedSeqs ?? null

describe("the range that may be summarised", () => {
  it("TK31: keeps the newest nodes that hold the tokens to keep, and no call without its result", () => {
    expect(seqsOf("S7 U40 A60c1 R200 A30 U20", 150)).toEqual([1])
    expect(seqsOf("S7 U40 A60c1 R200 A30 U20", 0)).toEqual([1, 2, 3, 4])
    expect(seqsOf("S7 U40 A60c1 R200", 0)).toEqual([1])
    expect(seqsOf("S7 A60c1 R200", 0)).toBeNull()
  })

  it("TK31: counts the tokens of the route, from the newest backwards", () => {
    expect(seqsOf("U10 U10 U10 U10", 20)).toEqual([0, 1])
    expect(seqsOf("U10 U10 U10 U10", 21)).toEqual([0])
    expect(seqsOf("U10 U10 U10 U10", 30)).toEqual([0])
    expect(seqsOf("U10 U10 U10 U10", 31)).toBeNull()
    expect(seqsOf("U10 U10 U10 U10", 9_000)).toBeNull()
  })

  it("TK31: Q-16: never holds the prompt at the head, though later prompts", () => {
    expect(seqsOf("S7 U40 S9 U20 U5", 0)).toEqual([1, 2, 3])
    expect(seqsOf("S0 U40 U5", 0)).toEqual([1])
    expect(seqsOf("U40 S9 U5", 0)).toEqual([0, 1])
    expect(seqsOf("S7 U5", 0)).toBeNull()
    expect(seqsOf("S7", 0)).toBeNull()
    expect(rightOf(compactableRange([], 0))).toBeNull()
  })

  it("TK31: ends where every call is answered", () => {
    expect(seqsOf("U1 A1c2 R1 R1 U1", 0)).toEqual([0, 1, 2, 3])
    expect(seqsOf("U1 A1c2 R1 R1", 0)).toEqual([0])
    expect(seqsOf("U1 A1c1 U1 R1 U1 U1", 4)).toEqual([0])
  })

  it("TK31: has the sums of its nodes, by the heuristic and on the route", () => {
    expect(rightOf(compactableRange(nodesOf("S7 U40 A60c1 R200 A30 U20"), 0))).toEqual({
      from: 1,
      to: 5,
      shadowedSeqs: [1, 2, 3, 4],
      shadowedTokens: 334,
      shadowedRouteTokens: 330,
    })
  })

  it("TK31: a result that nothing called for is refused", () => {
    expect(leftOf(compactableRange(nodesOf("U1 R1 U1"), 0))).toEqual({
      code: "tool-result-uncalled",
      seq: 1,
    })
    expect(rightOf(openCalls(nodesOf("U1 A1c2 R1 R1")))).toEqual([0, 0, 2, 1, 0])
  })
})

describe("the input of a summary", () => {
  const header: JsonObject = { config: {}, tools: [{ name: "ls" }] }

  it("TK35: Q-16: is the prompt at the head, then the range in its order with later prompts in place", () => {
    const nodes = nodesOf("S7 U40 S9 A20 U5")
    const range = rightOf(compactableRange(nodes, 0))
    if (range === null) throw new Error("no range")
    const { messages, tools } = summaryInput(nodes, range, header)
    expect(messages).toEqual([0, 1, 2, 3].map((i) => nodes[i]?.message))
    for (const [i, message] of messages.entries()) expect(message).toBe(nodes[i]?.message)
    expect(tools).toBe(header["tools"])
    expect(summaryInput(nodes, range, null).tools).toEqual([])
  })

  it("TK35: has the prompt at the head alone of what stands ahead of the range", () => {
    const nodes = nodesOf("S7 U40 S9 A20 U5")
    const messagesOf = (from: number, to: number): unknown =>
      summaryInput(nodes, rightOf(rangeBetween(nodes, from, to)), null).messages
    expect(messagesOf(3, 3)).toEqual([nodes[0]?.message, nodes[3]?.message])
    expect(messagesOf(0, 1)).toEqual([nodes[0]?.message, nodes[1]?.message])
    const later = nodesOf("U40 S9 U5")
    const range = rightOf(rangeBetween(later, 2, 2))
    expect(summaryInput(later, range, null).messages).toEqual([later[2]?.message])
  })

  it("TK35: leaves out what says nothing", () => {
    const nodes = nodesOf("S7 U40 S9 A20 U5").map((node, i) =>
      i === 0 || i === 2 || i === 3 ? { ...node, message: { content: [] } } : node,
    )
    const range = rightOf(compactableRange(nodes, 0))
    if (range === null) throw new Error("no range")
    expect(summaryInput(nodes, range, header).messages).toEqual([nodes[1]?.message])
  })
})

describe("nodes with their prices", () => {
  const surface = new StateCarrier(noSurface(4))
  for (const event of numbered([system(4), user("hi")])) surface.offer(event)
  const priced = (...seqs: number[]): { seq: number; tokens: number; heuristicTokens: number }[] =>
    seqs.map((seq) => ({ seq, tokens: 5, heuristicTokens: 6 }))

  it("TK31: are the live nodes as measured", () => {
    const nodes = rightOf(compactionNodes(surface.state, surface.payloads.payloadOf, priced(0, 1)))
    expect(nodes.map(({ seq, tokens, heuristicTokens }) => [seq, tokens, heuristicTokens])).toEqual(
      [
        [0, 5, 6],
        [1, 5, 6],
      ],
    )
    expect(nodes[1]?.message).toBe(surface.payloads.payloadOf(1))
  })

  it("TK31: a measurement of another surface is refused", () => {
    const refusal = (...seqs: number[]): unknown =>
      leftOf(compactionNodes(surface.state, surface.payloads.payloadOf, priced(...seqs)))
    expect(refusal(0)).toEqual({ code: "measurement-mismatch", position: 1 })
    expect(refusal(0, 1, 2)).toEqual({ code: "measurement-mismatch", position: 2 })
    expect(refusal(1, 0)).toEqual({ code: "measurement-mismatch", position: 0 })
  })
})
