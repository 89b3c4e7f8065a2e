import type { RangeCounts } from "../columns/row-columns.ts"
import { endSeedType, isInheritedMarker } from "../log/inherited-marker.ts"
import type { Fold } from "./fold.ts"

/** How long a log is and what happened in it, by number. */
export interface Activity {
  readonly eventCount: number
  readonly turnCount: number
  readonly stepCount: number
  /** Epoch milliseconds of the first and the last event; null in an empty log. */
  readonly firstTimeMs: number | null
  readonly lastTimeMs: number | null
  /** Events taken over from another session, at the start of the log. */
  readonly inheritedEvents: number
  /** Seq of the last marker that ends an inherited prefix, or null. */
  readonly inheritedMarkerSeq: number | null
}

type ActivityDraft = { -readonly [Key in keyof Activity]: Activity[Key] }

/** Adds what a scanned range adds up to. */
export const addCounts = (draft: ActivityDraft, counts: RangeCounts): void => {
  if (counts.eventCount === 0) return
  draft.eventCount += counts.eventCount
  draft.turnCount += counts.turnCount
  draft.stepCount += counts.stepCount
  draft.firstTimeMs ??= counts.firstTimeMs
  draft.lastTimeMs = counts.lastTimeMs
}

/** Says that everything before `seq` was inherited. */
export const markInherited = (draft: ActivityDraft, seq: number): void => {
  draft.inheritedMarkerSeq = seq
  draft.inheritedEvents = seq
}

/** Counts events, turns and steps, members of packed runs included. */
export const activityFold: Fold<ActivityDraft, Activity> = {
  reads: new Set([endSeedType]),
  begin: (header) => ({
    eventCount: 0,
    turnCount: 0,
    stepCount: 0,
    firstTimeMs: null,
    lastTimeMs: null,
    inheritedEvents: header.seedLength ?? 0,
    inheritedMarkerSeq: null,
  }),
  step: (draft, facts, data) => {
    draft.eventCount += facts.count
    draft.firstTimeMs ??= facts.timeMs
    draft.lastTimeMs = facts.lastTimeMs
    if (facts.type === "turn/start") draft.turnCount++
    else if (facts.type === "step/start") draft.stepCount++
    else if (isInheritedMarker(data)) markInherited(draft, facts.seq)
  },
  seal: (draft) => ({ ...draft }),
  resume: (state) => ({ ...state }),
}
