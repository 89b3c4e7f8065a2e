import { isLeft } from "fp-ts/lib/Either.js"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compactableRange } from "#core/compaction/compactable-range"
import type { CompactionNode } from "#core/compaction/compaction-node"
import type { PruneSettings } from "#core/compaction/prune-plan"
import { prunableResults, prunedContent, pruneEvents } from "#core/compaction/prune-plan"
import { summaryInput } from "#core/compaction/summary-input"
import type { JsonArray, JsonObject } from "#core/data/json"
import type { SurfaceKind } from "#core/format/surface-kind"
import { surfaceKind } from "#core/format/surface-kind"
import { compactBreakdown } from "#core/tokens/compact-breakdown-projection"
import { positionalBreakdown } from "#core/tokens/positional-breakdown-projection"
import { tokenEvent } from "#core/tokens/token-event"
import { applyAll } from "#core/tokens/token-projection"
import { rowsOf, sessions } from "./arbitraries/sessions.ts"
import { formatOf, headerIn, rightRow } from "./carriers.ts"
import { anyRange, carrierOf, compacted, nodesOf, offerAll, seqsIn } from "./compaction-runs.ts"
import { expectAllSeen } from "./seen.ts"

describe("plans of compaction", () => {
  it("TK30: the planner takes them, in every format, over nodes of earlier ones too", () => {
    const seen = { single: 0, many: 0, again: 0 }
    const pick = fc.nat({ max: 9_999 })
    const rounds = fc.array(fc.tuple(pick, pick), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(sessions(), rounds, (session, picks) => {
        const carrier = carrierOf(session)
        let checkpoints: readonly number[] = []
        for (const [a, b] of picks) {
          const nodes = nodesOf(carrier)
          const range = anyRange(nodes, a, b)
          if (range === null) return
          const before = seqsIn(carrier)
          const { events, checkpoint } = compacted(carrier, range)
          offerAll(carrier, events)
          expect(seqsIn(carrier)).toEqual([
            ...before.slice(0, range.from),
            checkpoint,
            ...before.slice(range.to),
          ])
          if (range.shadowedSeqs.length === 1) seen.single++
          else seen.many++
          if (range.shadowedSeqs.some((seq) => checkpoints.includes(seq))) seen.again++
          checkpoints = [...checkpoints, checkpoint]
        }
      }),
    )
    expectAllSeen(seen)
  })

  it("TK30: they are priced: the breakdown without positions stays as exact as it was", () => {
    const pick = fc.nat({ max: 9_999 })
    fc.assert(
      fc.property(sessions(), pick, pick, (session, a, b) => {
        const carrier = carrierOf(session)
        const range = anyRange(nodesOf(carrier), a, b)
        if (range === null) return
        const priced = (rows: readonly JsonObject[]): ReturnType<typeof tokenEvent>[] =>
          rows.map((row) => {
            const { facts, data } = rightRow(session.version, row)
            return tokenEvent(facts, data)
          })
        const header = headerIn(session.header)
        const { events } = compacted(carrier, range)
        const rows = rowsOf(session)
        const exact = applyAll(
          positionalBreakdown,
          positionalBreakdown.init(header, 0),
          priced(rows),
        )
        if (isLeft(exact)) throw new RangeError(exact.left.code)
        // the state that the compact one has where all before was exact
        const { nodes, breakdown } = exact.right
        const start = {
          prompts: nodes.flatMap(({ seq, system, heuristicTokens: tokens }) =>
            system ? [{ seq, tokens }] : [],
          ),
          surfaceTokens: breakdown.systemTokens + breakdown.messageTokens,
          claim: null,
          view: { ...breakdown, unpricedReplacements: 0 },
        }
        const compact = applyAll(compactBreakdown, start, priced(events))
        const positional = applyAll(positionalBreakdown, exact.right, priced(events))
        if (isLeft(compact) || isLeft(positional)) throw new RangeError("refused")
        expect(compactBreakdown.view(compact.right)).toEqual({
          ...positionalBreakdown.view(positional.right),
          unpricedReplacements: 0,
        })
      }),
    )
  })

  it("TK35: the input of a summary is what the model saw of the head and the range", () => {
    const pick = fc.nat({ max: 9_999 })
    fc.assert(
      fc.property(sessions(), pick, pick, (session, a, b) => {
        const carrier = carrierOf(session)
        const nodes = nodesOf(carrier)
        const range = anyRange(nodes, a, b)
        if (range === null) return
        const { messages } = summaryInput(nodes, range, null)
        const seen = nodes
          .filter((_, i) => i >= range.from && i < range.to)
          .map(({ message }) => message)
        const head = nodes[0]?.kind === surfaceKind.system && range.from > 0 ? nodes[0] : null
        const others = messages.filter((message) => !seen.includes(message))
        const isSaid = head !== null && JSON.stringify(head.message["content"]) !== "[]"
        expect(others).toEqual(isSaid ? [head.message] : [])
        const inRange = messages.filter((message) => seen.includes(message))
        // in order, each once, and only empty ones are missing
        expect(inRange).toEqual(seen.filter((message) => inRange.includes(message)))
        for (const message of seen)
          if (!inRange.includes(message)) expect(message["content"]).toEqual([])
      }),
    )
  })
})

const small: PruneSettings = { thresholdChars: 45, headChars: 4, tailChars: 2 }

describe("plans of pruning", () => {
  it("TK32: the planner takes them, in every format, and nothing is left to prune", () => {
    const seen = { pruned: 0, nested: 0, flat: 0 }
    fc.assert(
      fc.property(sessions(), (session) => {
        const carrier = carrierOf(session)
        const format = formatOf(session.version)
        const results = prunableResults(format, nodesOf(carrier), small)
        if (isLeft(results)) throw new RangeError(results.left.code)
        const before = seqsIn(carrier)
        const pruned = new Set(results.right.map(({ node }) => node.seq))
        const { nextSeq } = carrier.state
        offerAll(carrier, pruneEvents(format, results.right, { nextSeq, timeMs: 9 }))
        let next = nextSeq - 1
        expect(seqsIn(carrier)).toEqual(before.map((seq) => (pruned.has(seq) ? (next += 2) : seq)))
        const again = prunableResults(format, nodesOf(carrier), small)
        expect(isLeft(again) ? null : again.right).toEqual([])
        seen.pruned += pruned.size
        if (session.version === 4) seen.flat += pruned.size
        else seen.nested += pruned.size
      }),
    )
    expectAllSeen(seen)
  })

  it("TK33: keeps the ends of the text, all other blocks, and the threshold", () => {
    const block = fc.oneof(
      fc
        .string({ unit: "grapheme", maxLength: 40, size: "max" })
        .map((text) => ({ type: "text", text })),
      fc.nat().map((n) => ({ type: "image", n })),
    )
    const textOf = (content: JsonArray): string[] =>
      content.flatMap((each) => {
        const { type, text } = each as JsonObject
        return type === "text" && typeof text === "string" ? [...text] : []
      })
    const others = (content: JsonArray): JsonArray =>
      content.filter((each) => (each as JsonObject)["type"] !== "text")
    const seen = { pruned: 0, whole: 0 }
    fc.assert(
      fc.property(fc.array(block, { maxLength: 5, size: "max" }), (content) => {
        const pruned = prunedContent(content, small)
        const before = textOf(content)
        if (pruned === null) {
          seen.whole++
          expect(before.length).toBeLessThanOrEqual(small.thresholdChars)
          return
        }
        seen.pruned++
        const after = textOf(pruned)
        expect(after).toHaveLength(4 + 39 + 2)
        expect(after.slice(0, 4)).toEqual(before.slice(0, 4))
        expect(after.slice(-2)).toEqual(before.slice(-2))
        expect(others(pruned)).toEqual(others(content))
        expect(prunedContent(pruned, small)).toBeNull()
      }),
    )
    expectAllSeen(seen)
  })
})

interface Drawn {
  readonly kind: SurfaceKind
  readonly tokens: number
  readonly calls: number
}

/** The longest range by trying every one, each looked at from its start. */
const naiveRange = (
  nodes: readonly Drawn[],
  retainTokens: number,
): readonly [from: number, to: number] | null => {
  const from = nodes[0]?.kind === surfaceKind.system ? 1 : 0
  for (let to = nodes.length - 1; to > from; to--) {
    const kept = nodes.slice(to).reduce((sum, { tokens }) => sum + tokens, 0)
    const open = nodes.slice(0, to).reduce((sum, { kind, calls }) => {
      if (kind === surfaceKind.assistant) return sum + calls
      return kind === surfaceKind.toolResult ? sum - 1 : sum
    }, 0)
    if (kept >= retainTokens && open === 0) return [from, to]
  }
  return null
}

describe("the range that may be summarised", () => {
  it("TK31: is the longest that keeps enough and parts no call from its result", () => {
    const { system, user, assistant, toolResult } = surfaceKind
    const drawn: fc.Arbitrary<Drawn> = fc.record({
      kind: fc.constantFrom(system, user, assistant, assistant, toolResult, toolResult),
      tokens: fc.nat({ max: 50 }),
      calls: fc.nat({ max: 2 }),
    })
    const seen = { range: 0, none: 0, uncalled: 0 }
    fc.assert(
      fc.property(fc.array(drawn, { maxLength: 12 }), fc.nat({ max: 120 }), (all, retain) => {
        const nodes = all.map(({ kind, tokens, calls }, seq): CompactionNode => ({
          seq,
          kind,
          tokens,
          heuristicTokens: tokens,
          data: null,
          message: { content: Array.from({ length: calls }, () => ({ type: "tool-call" })) },
        }))
        const range = compactableRange(nodes, retain)
        if (isLeft(range)) {
          seen.uncalled++
          const upTo = all.slice(0, range.left.seq + 1)
          const count = (kind: SurfaceKind): number => upTo.filter((n) => n.kind === kind).length
          const calls = upTo.reduce((sum, n) => sum + (n.kind === assistant ? n.calls : 0), 0)
          expect(count(toolResult)).toBe(calls + 1)
          return
        }
        const expected = naiveRange(all, retain)
        expect(range.right === null ? null : [range.right.from, range.right.to]).toEqual(expected)
        if (expected === null) seen.none++
        else seen.range++
      }),
    )
    expectAllSeen(seen)
  })
})
