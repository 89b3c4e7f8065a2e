import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import type { JsonValue } from "../data/json.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import type { Message } from "../messages/event-message.ts"
import { eventMessage } from "../messages/event-message.ts"
import type { SurfaceState } from "../surface/state.ts"
import type { MeasuredNode } from "../tokens/measure.ts"

/** A live node as compaction sees it. */
export interface CompactionNode extends MeasuredNode {
  readonly kind: SurfaceKind
  /** The payload that was logged. */
  readonly data: JsonValue
  /** The message as it is now, rewrites applied; empty ones are here too. */
  readonly message: Message
}

/** A measurement of another surface than the one at hand. */
export interface NodesRefusal {
  readonly code: "measurement-mismatch"
  /** The first position at which they differ. */
  readonly position: number
}

/** The live nodes with their prices, in surface order. */
export const compactionNodes = (
  surface: SurfaceState,
  payloadOf: (seq: number) => JsonValue,
  measured: readonly MeasuredNode[],
): Either<NodesRefusal, readonly CompactionNode[]> => {
  const nodes: CompactionNode[] = []
  for (let position = 0; position < Math.max(surface.size, measured.length); position++) {
    const node = position < surface.size ? surface.entries[position] : undefined
    const price = measured[position]
    if (node === undefined || node.seq !== price?.seq)
      return left({ code: "measurement-mismatch", position })
    const data = payloadOf(node.seq)
    const message = surface.projected.get(node.seq) ?? eventMessage(node.kind, data) ?? {}
    nodes.push({ ...price, kind: node.kind, data, message })
  }
  return right(nodes)
}
