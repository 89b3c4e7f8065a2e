import type { Either } from "fp-ts/lib/Either.js"
import { right } from "fp-ts/lib/Either.js"
import type { Refusal } from "../data/refusal.ts"
import type { SessionEvent } from "../log/envelope.ts"
import { endSeedType, isInheritedMarker } from "../log/inherited-marker.ts"
import type { RequestLog } from "../request/request-log.ts"
import { appendDraft } from "../request/request-log.ts"

const lastOf = ({ events, surface }: RequestLog): SessionEvent | null =>
  events[surface.nextSeq - 1] ?? null

/** Ends what a session began with; a log that ends with such a mark needs no further one. */
export const endSeed = (log: RequestLog, timeMs: number): Either<Refusal, RequestLog> =>
  lastOf(log)?.type === endSeedType
    ? right(log)
    : appendDraft(log, { type: endSeedType, data: {} }, timeMs)

/** Marks all events of a log as inherited, at the time of the last one. */
export const endInherited = (log: RequestLog, createdAtMs: number): Either<Refusal, RequestLog> => {
  const timeMs = lastOf(log)?.time ?? createdAtMs
  return appendDraft(log, { type: endSeedType, data: { inherited: true } }, timeMs)
}

/** Seq of the last mark of inherited events in a log, or null. */
export const inheritedMarkerIn = ({ events, surface }: RequestLog): number | null => {
  for (let seq = surface.nextSeq - 1; seq >= 0; seq--) {
    const event = events[seq]
    if (event?.type === endSeedType && isInheritedMarker(event.data)) return seq
  }
  return null
}
