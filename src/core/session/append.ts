import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { Refusal } from "../data/refusal.ts"
import { endSeedType, isInheritedMarker } from "../log/inherited-marker.ts"
import type { EventDraft, RequestLog } from "../request/request-log.ts"
import { appendDraft, eventIn } from "../request/request-log.ts"
import type { SessionRefusal } from "./refusal.ts"
import type { Session, SessionStep } from "./session.ts"
import { withLog } from "./session.ts"

const appended = (
  log: RequestLog,
  draft: EventDraft,
  timeMs: number,
): Either<Refusal, RequestLog> => {
  const grown = appendDraft(log, draft, timeMs)
  if (isLeft(grown)) return grown
  const { type, seq, data } = eventIn(grown.right, log.surface.nextSeq)
  // what a session inherited is settled before its first event of its own
  return type === endSeedType && isInheritedMarker(data)
    ? left({ code: "inherited-marker-unexpected", seq })
    : grown
}

/**
 * Appends one event: a frozen copy of the draft, at the next seq.
 *
 * errors  not-lossless, then what the envelope, the surface or the payload refuses
 * cost    the event; a session that is not the longest of those grown from one copies its list
 * law     SE30 in properties/session.prop.ts
 */
export const appendEvent = (
  session: Session,
  draft: EventDraft,
  timeMs: number,
): Either<Refusal, SessionStep> => {
  const grown = appended(session.log, draft, timeMs)
  return isLeft(grown) ? grown : right(withLog(session, grown.right))
}

/**
 * Appends several events at one time, or none of them.
 *
 * errors  event-refused, with the index of the first one that is refused
 */
export const appendEvents = (
  session: Session,
  drafts: readonly EventDraft[],
  timeMs: number,
): Either<SessionRefusal, SessionStep> => {
  let { log } = session
  for (const [index, draft] of drafts.entries()) {
    const grown = appended(log, draft, timeMs)
    if (isLeft(grown)) return left({ code: "event-refused", index, refusal: grown.left })
    log = grown.right
  }
  return right(withLog(session, log))
}
