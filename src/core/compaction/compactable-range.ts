import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import { surfaceKind } from "../format/surface-kind.ts"
import type { CompactionNode } from "./compaction-node.ts"
import type { BalanceRefusal } from "./tool-balance.ts"
import { openCalls } from "./tool-balance.ts"

/** Nodes that one summary may take the place of. */
export interface CompactableRange {
  /** Positions of the first node on the surface, and one past the last. */
  readonly from: number
  readonly to: number
  readonly shadowedSeqs: readonly number[]
  /** By the fixed heuristic. */
  readonly shadowedTokens: number
  /** On the route that was measured. */
  readonly shadowedRouteTokens: number
}

// the prompt at the head is protected, even while it is empty
const firstFoldable = (nodes: readonly CompactionNode[]): number =>
  nodes[0]?.kind === surfaceKind.system ? 1 : 0

const retainedFrom = (nodes: readonly CompactionNode[], retainTokens: number): number => {
  let sum = 0
  for (let position = nodes.length - 1; position >= 0; position--) {
    sum += nodes[position]?.tokens ?? 0
    if (sum >= retainTokens) return position
  }
  return 0
}

/** Nodes between two positions, with their sums. */
export const rangeOf = (
  nodes: readonly CompactionNode[],
  from: number,
  to: number,
): CompactableRange => {
  const shadowedSeqs: number[] = []
  let shadowedTokens = 0
  let shadowedRouteTokens = 0
  for (const { seq, tokens, heuristicTokens } of nodes.slice(from, to)) {
    shadowedSeqs.push(seq)
    shadowedTokens += heuristicTokens
    shadowedRouteTokens += tokens
  }
  return { from, to, shadowedSeqs, shadowedTokens, shadowedRouteTokens }
}

/**
 * The longest range that may be summarised while the newest nodes are kept; null where there is
 * none.
 *
 * shape   begins behind the prompt at the head, ends where no tool call is open, and leaves at
 *         least one node behind it
 * units   `retainTokens` on the route; with 0 the newest node alone is kept
 * errors  tool-result-uncalled
 * law     TK31 in properties/compaction.prop.ts
 * source  compaction of the agent, late 0.1.7
 */
export const compactableRange = (
  nodes: readonly CompactionNode[],
  retainTokens: number,
): Either<BalanceRefusal, CompactableRange | null> => {
  const first = firstFoldable(nodes)
  let to = retainedFrom(nodes, retainTokens)
  if (to <= first) return right(null)
  const open = openCalls(nodes)
  if (isLeft(open)) return open
  while (to > first && open.right[to] !== 0) to--
  return right(to <= first ? null : rangeOf(nodes, first, to))
}
