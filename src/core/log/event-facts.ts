import type { SurfaceKind } from "../format/surface-kind.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { SourceRuns } from "./source-runs.ts"

/** What an event does to the surface. Numbers, since a column holds them too. */
export const surfaceOp = { none: 0, append: 1, replace: 2 } as const

export type SurfaceOp = (typeof surfaceOp)[keyof typeof surfaceOp]

/** Facts of a single event that has nothing to do with the surface. */
export const offSurfaceFacts = (type: string, seq: number, timeMs: number): EventFacts => ({
  type,
  seq,
  count: 1,
  timeMs,
  lastTimeMs: timeMs,
  kind: surfaceKind.none,
  op: surfaceOp.none,
  start: -1,
  end: -1,
  sources: null,
})

/**
 * The little that planning and counting need of a row, made equally from an event object and from
 * a line of a log. Nothing of the payload.
 */
export interface EventFacts {
  readonly type: string
  /** The event's seq, or that of the first member of a packed run. */
  readonly seq: number
  /** Events in this row: 1, or the members of a packed run. */
  readonly count: number
  /** Epoch milliseconds of the first event of the row, and of the last. */
  readonly timeMs: number
  readonly lastTimeMs: number
  readonly kind: SurfaceKind
  readonly op: SurfaceOp
  /** Endpoints of a replacement, otherwise −1. */
  readonly start: number
  readonly end: number
  /** Null where the event cites nothing; an empty list is kept apart from it. */
  readonly sources: SourceRuns | null
}
