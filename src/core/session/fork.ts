import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { ForkTexts } from "../format/closers.ts"
import { forkClosers } from "../format/closers.ts"
import { openTurnAfter } from "../format/open-turn.ts"
import { emptyRequestLog } from "../request/request-log.ts"
import { endInherited } from "./end-seed.ts"
import type { SessionDraft } from "./header.ts"
import { newSessionHeader } from "./header.ts"
import type { SessionRefusal } from "./refusal.ts"
import { cutRefusal } from "./seed.ts"
import type { Session, SessionStep } from "./session.ts"
import { sessionOf } from "./session.ts"
import { eventCopy, takeEvents } from "./take-events.ts"

/** A session that begins with what another one began with. */
export interface Fork {
  /** The parent is the session that is forked. */
  readonly draft: Omit<SessionDraft, "parentSession">
  /** Events to take over: those before this seq. */
  readonly inheritedEvents: number
  /** Texts of the results for calls that were open there. */
  readonly texts: ForkTexts
}

/**
 * Forks a session: its first events, the mark that they are inherited, and what closes the turn
 * that was open behind them.
 *
 * shape   the events of the step are the mark and the closers; the whole log of the child is to be
 *         written. Inherited events are the very ones of the session
 * errors  inherited-cut-beyond-end, header-field
 * cost    nothing for the whole session; a shorter prefix is folded anew
 * law     SE32 in properties/session.prop.ts
 * source  facts of the log format 6.4
 */
export const forkSession = (
  session: Session,
  { draft, inheritedEvents, texts }: Fork,
): Either<SessionRefusal, SessionStep> => {
  const { log } = session
  const { nextSeq } = log.surface
  const beyond = cutRefusal(inheritedEvents, nextSeq)
  if (beyond !== null) return left(beyond)
  const opened = newSessionHeader({ ...draft, parentSession: session.header.id }, true)
  if (isLeft(opened)) return opened
  const { header } = opened.right
  const { format, createdAtMs } = header
  const empty = emptyRequestLog(format, log.projections)
  const prefix =
    inheritedEvents === nextSeq
      ? right(log)
      : takeEvents(header, empty, log.events.slice(0, inheritedEvents), right)
  if (isLeft(prefix)) return prefix
  const marked = endInherited(prefix.right, createdAtMs)
  if (isLeft(marked)) return marked
  const open = openTurnAfter(format, marked.right.events, inheritedEvents + 1)
  const closers = open === null ? [] : forkClosers(format, open, texts)
  const closed = takeEvents(header, marked.right, closers, eventCopy)
  if (isLeft(closed)) return closed
  const firstLiveSeq = closed.right.surface.nextSeq
  const child = sessionOf(opened.right, closed.right, {
    inheritedEvents,
    firstLiveSeq,
    firstLifecycleSeq: inheritedEvents,
  })
  return right([child, closed.right.events.slice(inheritedEvents, firstLiveSeq)])
}
