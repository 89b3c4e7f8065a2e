import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import { isCount } from "../data/count.ts"
import type { CutRefusal } from "../data/refusal.ts"
import type { RequestLog } from "../request/request-log.ts"
import { emptyRequestLog } from "../request/request-log.ts"
import type { MessageProjections } from "../surface/message-projection.ts"
import { endInherited, endSeed, inheritedMarkerIn } from "./end-seed.ts"
import type { SessionDraft } from "./header.ts"
import { newSessionHeader } from "./header.ts"
import type { SessionRefusal } from "./refusal.ts"
import type { SessionStep } from "./session.ts"
import { sessionOf, withLog } from "./session.ts"
import { eventCopy, takeEvents } from "./take-events.ts"

/** What a new session begins with. */
export interface Seed {
  /** Whole events from seq 0 on; they are copied. */
  readonly events: readonly unknown[]
  /** How many of them were inherited from another session; null for a replay of events. */
  readonly inheritedEvents: number | null
  /** Time of the mark behind a replay. */
  readonly timeMs: number
}

/** The refusal of a cut that a log does not reach, or null. */
export const cutRefusal = (cut: number, eventCount: number): CutRefusal | null =>
  isCount(cut) && cut <= eventCount
    ? null
    : { code: "inherited-cut-beyond-end", seq: null, cut, eventCount }

// events behind the cut begin with its mark, and there is no later one
const markRefusal = (log: RequestLog, cut: number): CutRefusal | null => {
  const last = inheritedMarkerIn(log)
  if (last !== null && last > cut) return { code: "inherited-marker-unexpected", seq: last }
  return cut === log.surface.nextSeq || last === cut
    ? null
    : { code: "inherited-marker-missing", seq: null }
}

/**
 * A new session that begins with events, and the mark that ends them, unless they end with one.
 *
 * shape   the events of the step are the mark alone; the seed was there before, and is to be
 *         written first where it stands in no log of this session
 * errors  header-field, event-refused, inherited-cut-beyond-end, inherited-marker-missing,
 *         inherited-marker-unexpected
 */
export const seedSession = (
  draft: SessionDraft,
  { events, inheritedEvents, timeMs }: Seed,
  projections: MessageProjections,
): Either<SessionRefusal, SessionStep> => {
  const opened = newSessionHeader(draft, inheritedEvents !== null)
  if (isLeft(opened)) return opened
  const beyond = inheritedEvents === null ? null : cutRefusal(inheritedEvents, events.length)
  if (beyond !== null) return left(beyond)
  const { header } = opened.right
  const seed = takeEvents(header, emptyRequestLog(header.format, projections), events, eventCopy)
  if (isLeft(seed)) return seed
  const unmarked = inheritedEvents === null ? null : markRefusal(seed.right, inheritedEvents)
  if (unmarked !== null) return left(unmarked)
  const firstLiveSeq = events.length
  const session = sessionOf(opened.right, seed.right, {
    inheritedEvents: inheritedEvents ?? 0,
    firstLiveSeq,
    firstLifecycleSeq: inheritedEvents ?? firstLiveSeq,
  })
  if (inheritedEvents !== null && inheritedEvents < firstLiveSeq) return right([session, []])
  const marked =
    inheritedEvents === null
      ? endSeed(seed.right, timeMs)
      : endInherited(seed.right, header.createdAtMs)
  return isLeft(marked) ? marked : right(withLog(session, marked.right))
}
