import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { blockTag } from "../format/lifecycle/fields.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import { contentOf } from "../messages/event-message.ts"
import type { CompactionNode } from "./compaction-node.ts"

/** A tool result on the surface that no call before it asked for. */
export interface BalanceRefusal {
  readonly code: "tool-result-uncalled"
  readonly seq: number
}

const callsIn = ({ message }: CompactionNode): number => {
  let calls = 0
  for (const block of contentOf(message)) if (blockTag(block) === "tool-call") calls++
  return calls
}

/**
 * Open tool calls in front of each position of the surface, and behind the last one. Where it is 0
 * the surface can be cut without parting a call from its result.
 *
 * errors  tool-result-uncalled
 */
export const openCalls = (
  nodes: readonly CompactionNode[],
): Either<BalanceRefusal, readonly number[]> => {
  const counts: number[] = [0]
  let open = 0
  for (const node of nodes) {
    if (node.kind === surfaceKind.assistant) open += callsIn(node)
    else if (node.kind === surfaceKind.toolResult) open--
    if (open < 0) return left({ code: "tool-result-uncalled", seq: node.seq })
    counts.push(open)
  }
  return right(counts)
}
