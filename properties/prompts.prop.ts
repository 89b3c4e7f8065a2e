import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { surfaceKind } from "#core/format/surface-kind"
import { surfaceOp } from "#core/log/event-facts"
import { compactBreakdown } from "#core/tokens/compact-breakdown-projection"
import { sessionHeader } from "./arbitraries/dialect.ts"
import { headerIn } from "./carriers.ts"
import { expectAllSeen } from "./seen.ts"
import { applied, priceEvent } from "./token-steps.ts"

/** What happens to a small surface: a node more, or one in the place of several. */
interface Change {
  readonly isSystem: boolean
  readonly isReplacement: boolean
  readonly isPriced: boolean
  readonly isEmpty: boolean
  readonly a: number
  readonly b: number
}

describe("a surface of many prompts", () => {
  const change: fc.Arbitrary<Change> = fc.record({
    isSystem: fc.boolean(),
    isReplacement: fc.boolean(),
    isPriced: fc.integer({ min: 0, max: 7 }).map((n) => n > 0),
    isEmpty: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
    a: fc.nat({ max: 99 }),
    b: fc.nat({ max: 3 }),
  })

  it("TK5 TK8: compact = a list of nodes that is cut with splice, or is marked", () => {
    const seen = { moved: 0, restored: 0, rewritten: 0, astray: 0 }
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30, size: "max" }), (changes) => {
        const nodes: { seq: number; isSystem: boolean; tokens: number }[] = []
        let state = compactBreakdown.init(headerIn(sessionHeader(4, null)), 0)
        let prompt = 0
        for (const [
          seq,
          { isSystem, isReplacement, isPriced, isEmpty, a, b },
        ] of changes.entries()) {
          const from = a % Math.max(1, nodes.length)
          const shadowed = isReplacement ? nodes.slice(from, from + 1 + b) : []
          const tokens = isEmpty ? 0 : 100 + seq
          const seqs = shadowed.map((node) => node.seq)
          const facts = {
            ...priceEvent([], 0).facts,
            seq,
            kind: isSystem ? surfaceKind.system : surfaceKind.user,
            op: shadowed.length > 0 ? surfaceOp.replace : surfaceOp.append,
            start: seqs[0] ?? -1,
            end: seqs.at(-1) ?? -1,
          }
          const lost = shadowed.some((node) => node.isSystem)
          if (shadowed.length > 0 && isPriced) {
            const price = shadowed.reduce((sum, node) => sum + node.tokens, 0)
            state = applied(compactBreakdown, state, priceEvent(seqs, price))
          }
          const isAstray =
            shadowed.length > 0 &&
            (isPriced
              ? isSystem && !lost && nodes.some((node) => node.isSystem)
              : !(shadowed.length === 1 && lost))
          state = applied(compactBreakdown, state, { facts, data: null, tokens })
          const { unpricedReplacements, ...figures } = compactBreakdown.view(state)
          if (isAstray) {
            seen.astray++
            expect(unpricedReplacements).toBe(1)
            return
          }
          nodes.splice(shadowed.length > 0 ? from : nodes.length, shadowed.length, {
            seq,
            isSystem,
            tokens,
          })
          const systemTokens = nodes.findLast((n) => n.isSystem && n.tokens > 0)?.tokens ?? 0
          const total = nodes.reduce((sum, node) => sum + node.tokens, 0)
          const messageTokens = total - systemTokens
          expect(figures).toEqual({ systemTokens, toolsTokens: 0, messageTokens })
          expect(unpricedReplacements).toBe(0)
          if (lost && isSystem && systemTokens !== tokens) seen.moved++
          if (lost && !isSystem && systemTokens > 0 && systemTokens !== prompt) seen.restored++
          if (lost && !isPriced) seen.rewritten++
          prompt = systemTokens
        }
      }),
    )
    expectAllSeen(seen)
  })
})
