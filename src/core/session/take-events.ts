import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import { deepFreeze } from "../data/deep-freeze.ts"
import { losslessCopy } from "../data/lossless-json.ts"
import type { Refusal } from "../data/refusal.ts"
import type { SessionEvent } from "../log/envelope.ts"
import type { LogHeader } from "../log/header.ts"
import { markerRefusal } from "../log/inherited-marker.ts"
import type { RequestLog } from "../request/request-log.ts"
import { takeEvent } from "../request/request-log.ts"
import type { SessionRefusal } from "./refusal.ts"

/** A frozen copy of an event that somebody hands in; whether it is one is asked when it is taken. */
export const eventCopy = (event: unknown): Either<Refusal, SessionEvent> => {
  const copy = losslessCopy(event)
  return isLeft(copy)
    ? left({ code: "not-lossless", fault: copy.left })
    : right(deepFreeze(copy.right as SessionEvent))
}

const taken = (
  header: LogHeader,
  log: RequestLog,
  event: SessionEvent,
): Either<Refusal, RequestLog> => {
  const grown = takeEvent(log, event)
  if (isLeft(grown)) return grown
  const refusal = markerRefusal(header, event.type, event.seq, event.data)
  return refusal === null ? grown : left(refusal)
}

/**
 * Takes whole events into the log of a session that is being made.
 *
 * errors  event-refused, with the index of the first one that is refused
 */
export const takeEvents = <A>(
  header: LogHeader,
  empty: RequestLog,
  events: readonly A[],
  eventOf: (event: A) => Either<Refusal, SessionEvent>,
): Either<SessionRefusal, RequestLog> => {
  let log = empty
  for (const [index, each] of events.entries()) {
    const event = eventOf(each)
    const grown = isLeft(event) ? event : taken(header, log, event.right)
    if (isLeft(grown)) return left({ code: "event-refused", index, refusal: grown.left })
    log = grown.right
  }
  return right(log)
}
