import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { CompactableRange } from "./compactable-range.ts"
import { rangeOf } from "./compactable-range.ts"
import type { CompactionNode } from "./compaction-node.ts"
import type { BalanceRefusal } from "./tool-balance.ts"
import { openCalls } from "./tool-balance.ts"

/** Why two nodes are no ends of a range that a summary may take the place of. */
export type RangeRefusal =
  | BalanceRefusal
  | { readonly code: "range-end-missing"; readonly seq: number }
  | { readonly code: "range-reversed"; readonly startSeq: number; readonly endSeq: number }
  /** A call of one side has its result on the other: so many are open at that end. */
  | {
      readonly code: "range-parts-calls"
      readonly seq: number
      readonly openCalls: number
    }

/**
 * The range from one live node to another, both included. A prompt at the head is not looked for: the
 * session refuses to replace it.
 *
 * shape   ends are seqs of nodes; their order is that of the surface
 * errors  range-end-missing, range-reversed, range-parts-calls, tool-result-uncalled
 * law     PC22 in properties/compaction-stability.prop.ts
 */
export const rangeBetween = (
  nodes: readonly CompactionNode[],
  startSeq: number,
  endSeq: number,
): Either<RangeRefusal, CompactableRange> => {
  const from = nodes.findIndex(({ seq }) => seq === startSeq)
  if (from < 0) return left({ code: "range-end-missing", seq: startSeq })
  const last = nodes.findIndex(({ seq }) => seq === endSeq)
  if (last < 0) return left({ code: "range-end-missing", seq: endSeq })
  if (last < from) return left({ code: "range-reversed", startSeq, endSeq })
  const open = openCalls(nodes)
  if (isLeft(open)) return open
  const before = open.right[from] ?? 0
  if (before > 0) return left({ code: "range-parts-calls", seq: startSeq, openCalls: before })
  const behind = open.right[last + 1] ?? 0
  return behind > 0
    ? left({ code: "range-parts-calls", seq: endSeq, openCalls: behind })
    : right(rangeOf(nodes, from, last + 1))
}
