import type { JsonValue } from "../data/json.ts"
import type { Format } from "../format/format.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import type { Message } from "../messages/event-message.ts"
import type { MessageProjection, MessageProjections } from "./message-projection.ts"

/**
 * What the planner may see of a surface: the same face for a sealed state and for a draft.
 *
 * A *place* orders live nodes: a node is before another when its place is smaller. Places are not
 * dense, and hold until the surface changes; the node at position 0 always has place 0.
 */
export interface SurfaceView {
  readonly format: Format
  /** The seq that the next event must have. */
  readonly nextSeq: number
  readonly projections: MessageProjections
  /** Interpreters whose work is on the surface; none of them may go away. */
  readonly usedProjections: ReadonlyMap<string, MessageProjection>
  /** The place of a live node, −1 for any other seq. */
  readonly placeOf: (seq: number) => number
  readonly kindAt: (place: number) => SurfaceKind
  /** Seqs of the live nodes from one place to another, both included, in surface order. */
  readonly seqsBetween: (from: number, to: number) => readonly number[]
  /** The rewritten message of a live node, where a projection rewrote it. */
  readonly projectedMessage: (seq: number) => Message | undefined
}

/** What the planner asks of payloads, which are not at hand for every event of a large log. */
export interface SurfaceRest {
  /** Payload of the candidate itself or of a live node. */
  readonly payloadOf: (seq: number) => JsonValue
  /** Payload of the request header at an earlier seq; null where that event is another one. */
  readonly headerAt: (seq: number) => JsonValue | null
  /** Whether two tool results hold the same data but for their content. */
  readonly isSameToolResult: (shadowed: number, candidate: number) => boolean
}
