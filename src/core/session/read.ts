import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import type { ProjectionRefusal } from "../data/refusal.ts"
import type { SessionEvent } from "../log/envelope.ts"
import { messagesOf } from "../messages/derived-history.ts"
import type { Message } from "../messages/event-message.ts"
import { withHistory } from "../request/request-log.ts"
import type { MessageProjections } from "../surface/message-projection.ts"
import { removedProjection } from "../surface/message-projection.ts"
import { nodesOf } from "../surface/state.ts"
import type { Session } from "./session.ts"

/** The event at a seq, or null where there is none yet. */
export const eventAt = ({ log }: Session, seq: number): SessionEvent | null =>
  seq < log.surface.nextSeq ? (log.events[seq] ?? null) : null

const all = ({ log, cache }: Session): readonly SessionEvent[] =>
  (cache.snapshot ??= Object.freeze(log.events.slice(0, log.surface.nextSeq)))

/**
 * The events from one seq on, up to another that is not included.
 *
 * shape   a frozen array, which later events do not change; that of all events is the same array
 *         for the same session. Bounds behind the end are the end
 */
export const snapshotEvents = (
  session: Session,
  from: number = 0,
  to: number = session.log.surface.nextSeq,
): readonly SessionEvent[] =>
  from <= 0 && to >= session.log.surface.nextSeq
    ? all(session)
    : Object.freeze(all(session).slice(Math.max(0, from), Math.max(0, to)))

const removedIn = ({ log }: Session): ProjectionRefusal | null =>
  removedProjection(log.surface.usedProjections, log.projections)

/**
 * Seqs of the live nodes, in surface order.
 *
 * errors  projection-removed when an interpreter is gone whose work is on the surface
 */
export const readSurface = (session: Session): Either<ProjectionRefusal, readonly number[]> => {
  const removed = removedIn(session)
  return removed === null ? right(nodesOf(session.log.surface)) : left(removed)
}

/**
 * The messages that the session derives: a fresh array each time, of shared messages.
 *
 * shape   with the session that remembers them, and derives only what is new from then on
 * errors  projection-removed, as for `readSurface`
 */
export const readMessages = (
  session: Session,
): Either<ProjectionRefusal, readonly [Session, readonly Message[]]> => {
  const removed = removedIn(session)
  if (removed !== null) return left(removed)
  const log = withHistory(session.log)
  return right([{ ...session, log }, messagesOf(log.history)])
}

/** The session with other interpreters at hand. */
export const withProjections = (session: Session, projections: MessageProjections): Session => ({
  ...session,
  log: { ...session.log, projections },
})
