import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left } from "fp-ts/lib/Either.js"
import type { CompactableRange } from "./compactable-range.ts"
import type { CompactionNode } from "./compaction-node.ts"
import type { CompactionOwner } from "./compaction-plan.ts"
import type { RangeRefusal } from "./range-between.ts"
import { rangeBetween } from "./range-between.ts"

/** The surface is not the one any more that a range was chosen on. */
export interface SurfaceChanged {
  readonly code: "surface-changed"
  /** The first position, on the surface as it was, that is another now; its length for one more. */
  readonly position: number
}

const isSameNode = (one: CompactionNode | undefined, other: CompactionNode | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.seq === other.seq &&
  one.tokens === other.tokens &&
  one.heuristicTokens === other.heuristicTokens

const firstChange = (
  before: readonly CompactionNode[],
  now: readonly CompactionNode[],
): number | null => {
  const length = Math.max(before.length, now.length)
  for (let position = 0; position < length; position++)
    if (!isSameNode(before[position], now[position])) return position
  return null
}

/**
 * A range that was chosen before, on the surface as it is now: asked once a compaction has started, and
 * again before it is committed, as a model may have taken a while.
 *
 * shape   of a compaction within a turn the whole surface must be as it was, nodes and prices. Of one
 *         between turns only the range must, wherever it stands now: what was appended is kept
 * errors  surface-changed; what rangeBetween refuses
 * law     PC22 in properties/compaction-stability.prop.ts: what is confirmed is taken by the planner
 * source  compaction of the agent, late 0.1.7
 */
export const stableRange = (
  { turn }: Pick<CompactionOwner, "turn">,
  before: readonly CompactionNode[],
  { from, to, shadowedSeqs }: CompactableRange,
  now: readonly CompactionNode[],
): Either<SurfaceChanged | RangeRefusal, CompactableRange> => {
  const changed = turn === null ? null : firstChange(before, now)
  if (changed !== null) return left({ code: "surface-changed", position: changed })
  const range = rangeBetween(now, shadowedSeqs[0] ?? -1, shadowedSeqs.at(-1) ?? -1)
  if (isLeft(range)) return range
  const inside = firstChange(before.slice(from, to), now.slice(range.right.from, range.right.to))
  return inside === null ? range : left({ code: "surface-changed", position: from + inside })
}
