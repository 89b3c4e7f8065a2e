import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import type { JsonValue } from "../data/json.ts"
import type { ProjectionRefusal } from "../data/refusal.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import type { Message } from "../messages/event-message.ts"

/** A live node as a projection sees it: its message with earlier rewrites applied. */
export interface ProjectedNode {
  readonly kind: SurfaceKind
  readonly message: Message
}

/** A new message for a live node. It keeps the node's place, its role and the message's identity. */
export interface MessageUpdate {
  readonly seq: number
  readonly message: Message
}

/**
 * Interprets one event type that rewrites messages.
 *
 * shape   `project` checks the whole decision before it answers, and never writes to its input
 */
export interface MessageProjection {
  readonly type: string
  readonly project: (
    seq: number,
    data: JsonValue,
    nodeAt: (seq: number) => ProjectedNode | null,
  ) => Either<ProjectionRefusal, readonly MessageUpdate[]>
}

/** The interpreters at hand, by event type. A value: registering makes a new one. */
export type MessageProjections = ReadonlyMap<string, MessageProjection>

export const noProjections: MessageProjections = new Map()

/** Adds an interpreter; a second one for the same type is refused. */
export const registerProjection = (
  projections: MessageProjections,
  projection: MessageProjection,
): Either<ProjectionRefusal, MessageProjections> =>
  projections.has(projection.type)
    ? left({ code: "projection-registered", seq: null, type: projection.type })
    : right(new Map([...projections, [projection.type, projection]]))

/** The interpreters without that of one type. */
export const removeProjection = (
  projections: MessageProjections,
  type: string,
): MessageProjections => new Map([...projections].filter(([each]) => each !== type))

/** The refusal of a surface whose interpreter is gone or was exchanged, or null. */
export const removedProjection = (
  used: ReadonlyMap<string, MessageProjection>,
  projections: MessageProjections,
): ProjectionRefusal | null => {
  for (const [type, projection] of used)
    if (projections.get(type) !== projection) return { code: "projection-removed", seq: null, type }
  return null
}
