import { isLeft } from "fp-ts/lib/Either.js"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { CompactionNode } from "#core/compaction/compaction-node"
import { stableRange } from "#core/compaction/stable-range"
import { surfaceKind } from "#core/format/surface-kind"
import { rowsOf, sessions } from "./arbitraries/sessions.ts"
import { anyRange, carrierOf, compacted, nodesOf, offerAll, seqsIn } from "./compaction-runs.ts"
import { fewRuns } from "./scale.ts"
import { expectAllSeen } from "./seen.ts"

/** Calls without a result in the first nodes; null where a result came before its call. */
const openIn = (nodes: readonly CompactionNode[]): number | null => {
  let open = 0
  for (const { kind, message } of nodes) {
    const blocks = (message["content"] ?? []) as readonly { readonly type: string }[]
    if (kind === surfaceKind.assistant)
      open += blocks.filter(({ type }) => type === "tool-call").length
    if (kind === surfaceKind.toolResult) open--
    if (open < 0) return null
  }
  return open
}

const figures = (nodes: readonly CompactionNode[]): readonly string[] =>
  nodes.map(({ seq, tokens, heuristicTokens }) => `${seq} ${tokens} ${heuristicTokens}`)

/** The same nodes without any call or result: sessions are made with results that nobody asked for. */
const withoutCalls = (nodes: readonly CompactionNode[]): readonly CompactionNode[] =>
  nodes.map((node) => ({
    ...node,
    kind: node.kind === surfaceKind.toolResult ? surfaceKind.user : node.kind,
    message: {},
  }))

/** Where some nodes stand as one piece, with their prices; null where they do not. */
const placeOf = (
  nodes: readonly CompactionNode[],
  piece: readonly CompactionNode[],
): number | null => {
  const wanted = figures(piece).join()
  for (let at = 0; at + piece.length <= nodes.length; at++)
    if (figures(nodes.slice(at, at + piece.length)).join() === wanted) return at
  return null
}

describe("a range that was chosen before", () => {
  it("PC22: is confirmed where it stands as it stood, parts no calls, and is taken then", () => {
    const pick = fc.nat({ max: 9_999 })
    const seen = { taken: 0, moved: 0, changed: 0, parted: 0, turnChanged: 0, turnTaken: 0 }
    fc.assert(
      fc.property(
        sessions(),
        pick,
        pick,
        pick,
        fc.constantFrom(null, null, 1),
        fc.integer({ min: -3, max: 3 }),
        (session, a, b, n, turn, dearer) => {
          const rows = rowsOf(session)
          const chosenAt = n % (rows.length + 1)
          const seenBy = a % 3 === 0 ? (all: readonly CompactionNode[]) => all : withoutCalls
          const few = { ...session, offers: session.offers.slice(0, chosenAt) }
          const before = seenBy(nodesOf(carrierOf(few)))
          const range = anyRange(before, a, b)
          if (range === null) return
          // little came in between, a compaction of what stands ahead, or other prices of the route
          const until = Math.min(rows.length, chosenAt + (b % 5))
          const carrier = carrierOf({ ...session, offers: session.offers.slice(0, until) })
          const ahead = nodesOf(carrier).slice(0, range.from)
          const other = dearer === 2 ? anyRange(ahead, 0, ahead.length - 2) : null
          if (other !== null) offerAll(carrier, compacted(carrier, other).events)
          const now = seenBy(nodesOf(carrier)).map((node, i) =>
            dearer === 3 && i === a % before.length ? { ...node, tokens: node.tokens + 1 } : node,
          )
          const piece = before.slice(range.from, range.to)
          const at = placeOf(now, piece)
          const isWhole = figures(before).join() === figures(now).join()
          const isBalanced =
            at !== null &&
            openIn(now) !== null &&
            openIn(now.slice(0, at)) === 0 &&
            openIn(now.slice(0, at + piece.length)) === 0
          const verdict = stableRange({ turn }, before, range, now)
          expect(isLeft(verdict)).toBe(!isBalanced || (turn !== null && !isWhole))
          if (isLeft(verdict)) {
            if (turn !== null && !isWhole) {
              expect(verdict.left.code).toBe("surface-changed")
              seen.turnChanged++
            } else if (at === null) seen.changed++
            else seen.parted++
            return
          }
          expect(verdict.right).toEqual({
            ...range,
            from: at,
            to: (at ?? 0) + piece.length,
          })
          if (turn === null) seen.taken++
          else seen.turnTaken++
          if (at !== range.from) seen.moved++
          // a prompt that came to stand at the head is for the session to protect
          if (at === 0 && now[0]?.kind === surfaceKind.system) return
          const seqs = seqsIn(carrier)
          const { events, checkpoint } = compacted(carrier, verdict.right)
          offerAll(carrier, events)
          expect(seqsIn(carrier)).toEqual([
            ...seqs.slice(0, verdict.right.from),
            checkpoint,
            ...seqs.slice(verdict.right.to),
          ])
        },
      ),
      fewRuns(3),
    )
    expectAllSeen(seen)
  })
})
