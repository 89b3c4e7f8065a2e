import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import type { SessionEvent } from "../log/envelope.ts"
import type { RequestLog } from "../request/request-log.ts"
import { emptyRequestLog } from "../request/request-log.ts"
import type { MessageProjections } from "../surface/message-projection.ts"
import type { SessionDraft, SessionHeader } from "./header.ts"
import { newSessionHeader } from "./header.ts"
import type { SessionRefusal } from "./refusal.ts"

/**
 * A session as it is now. A value: what happens to it makes another one, and it stays valid, also
 * when two candidates grow from it. What only moves forward is shared.
 */
export interface Session extends SessionHeader {
  /** Its events, and what they lead to. */
  readonly log: RequestLog
  /** Events that it took over from another session; they come first. */
  readonly inheritedEvents: number
  /** Seq behind what the session began with; what comes from there on happened in this process. */
  readonly firstLiveSeq: number
  /** Seq of the first event that belongs to this life of the session. */
  readonly firstLifecycleSeq: number
  /** All events as a snapshot, once somebody asked for it. */
  readonly cache: { snapshot: readonly SessionEvent[] | null }
}

/** A session after something happened, and the events that are to be written for it, in order. */
export type SessionStep = readonly [session: Session, events: readonly SessionEvent[]]

/** How a session came to be: what is known once its first events are in. */
export interface Origin {
  readonly inheritedEvents: number
  readonly firstLiveSeq: number
  readonly firstLifecycleSeq: number
}

/** A session of a log whose events are known to be right. */
export const sessionOf = (
  { header, headerRow }: SessionHeader,
  log: RequestLog,
  { inheritedEvents, firstLiveSeq, firstLifecycleSeq }: Origin,
): Session => ({
  header,
  headerRow,
  log,
  inheritedEvents,
  firstLiveSeq,
  firstLifecycleSeq,
  cache: { snapshot: null },
})

/** The session whose log has grown to be this one, as that of an admitted attempt has. */
export const withLog = (session: Session, log: RequestLog): SessionStep => [
  { ...session, log, cache: { snapshot: null } },
  log.events.slice(session.log.surface.nextSeq, log.surface.nextSeq),
]

/**
 * A new session without events; nothing marks its beginning.
 *
 * errors  header-field, not-lossless
 */
export const createSession = (
  draft: SessionDraft,
  projections: MessageProjections,
): Either<SessionRefusal, Session> => {
  const opened = newSessionHeader(draft, false)
  if (isLeft(opened)) return opened
  const log = emptyRequestLog(opened.right.header.format, projections)
  return right(
    sessionOf(opened.right, log, { inheritedEvents: 0, firstLiveSeq: 0, firstLifecycleSeq: 0 }),
  )
}
