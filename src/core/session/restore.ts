import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { CloserTexts } from "../format/closers.ts"
import { crashClosers } from "../format/closers.ts"
import { openTurnAfter } from "../format/open-turn.ts"
import type { SessionEvent } from "../log/envelope.ts"
import { emptyRequestLog } from "../request/request-log.ts"
import type { MessageProjections } from "../surface/message-projection.ts"
import { endSeed, inheritedMarkerIn } from "./end-seed.ts"
import { sessionHeaderOf } from "./header.ts"
import type { SessionRefusal } from "./refusal.ts"
import type { Session, SessionStep } from "./session.ts"
import { sessionOf, withLog } from "./session.ts"
import { eventCopy, takeEvents } from "./take-events.ts"

/**
 * The session of a stored log, as it stands there: nothing is appended.
 *
 * shape   the events are adopted as they are, neither copied nor frozen: they were read from JSON
 *         text, and nobody else writes to them
 * errors  not-a-log, header-field, version-unsupported, session-outdated, event-refused,
 *         inherited-marker-missing
 * law     SE31 in properties/session.prop.ts
 */
export const restoreSession = (
  headerRow: unknown,
  events: readonly SessionEvent[],
  projections: MessageProjections,
): Either<SessionRefusal, Session> => {
  const opened = sessionHeaderOf(headerRow)
  if (isLeft(opened)) return opened
  const { header } = opened.right
  const empty = emptyRequestLog(header.format, projections)
  const log = takeEvents(header, empty, events, right)
  if (isLeft(log)) return log
  const cut = inheritedMarkerIn(log.right)
  if (header.isSeeded && cut === null) return left({ code: "inherited-marker-missing", seq: null })
  return right(
    sessionOf(opened.right, log.right, {
      inheritedEvents: cut ?? 0,
      firstLiveSeq: events.length,
      firstLifecycleSeq: events.length,
    }),
  )
}

export interface Resumption {
  /** Time of the mark; closers have that of the last stored event. */
  readonly timeMs: number
  /** Texts of the results that close an open turn; null leaves it open. */
  readonly texts: CloserTexts | null
}

/**
 * A restored session that goes on: its open turn is closed, where that is asked for, and the mark
 * ends what it began with, unless it ends with one.
 *
 * shape   the session is one that was just restored. Closers count among what it began with
 * errors  closer-text-missing, and those of an append
 * source  facts of the log format 1.7; of prompts and requests 7.5
 */
export const resumeSession = (
  session: Session,
  { timeMs, texts }: Resumption,
): Either<SessionRefusal, SessionStep> => {
  const { header, log } = session
  const { nextSeq } = log.surface
  const open = texts === null ? null : openTurnAfter(header.format, log.events, nextSeq)
  const closers = open === null || texts === null ? [] : crashClosers(header.format, open, texts)
  if (closers === null) return left({ code: "closer-text-missing", turn: open?.turn ?? 0 })
  const closed = takeEvents(header, log, closers, eventCopy)
  if (isLeft(closed)) return closed
  const firstLiveSeq = closed.right.surface.nextSeq
  const marked = endSeed(closed.right, timeMs)
  if (isLeft(marked)) return marked
  return right(withLog({ ...session, firstLiveSeq, firstLifecycleSeq: firstLiveSeq }, marked.right))
}
