import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import { defect } from "../data/defect.ts"
import type { JsonValue } from "../data/json.ts"
import type { Refusal } from "../data/refusal.ts"
import type { Format } from "../format/format.ts"
import type { SessionEvent } from "../log/envelope.ts"
import { rowOf } from "../log/row.ts"
import type { Admission } from "./admit.ts"
import { admitRow } from "./admit.ts"
import type { MessageProjections } from "./message-projection.ts"
import { removedProjection } from "./message-projection.ts"
import type { SurfaceState } from "./state.ts"
import { applySurfacePlan, emptySurface, nodesOf, viewOf } from "./state.ts"
import { isSameToolResult } from "./tool-result.ts"
import type { SurfaceRest } from "./view.ts"

/** The events of a log, or of a window of one: `events[i]` has seq `baseSeq + i`. */
export type EventWindow = readonly SessionEvent[]

/**
 * The surface of a growing log, folded as far as somebody asked. A value: every call answers with
 * a new one, and older ones stay valid.
 */
export interface LiveSurface {
  readonly state: SurfaceState
  /** The last candidate that was found valid, and what it will do once it is in the log. */
  readonly pending: {
    readonly event: SessionEvent
    readonly seq: number
    readonly admission: Admission
  } | null
}

export const liveSurface = (format: Format, baseSeq = 0): LiveSurface => ({
  state: emptySurface(format, baseSeq),
  pending: null,
})

const restOf = (state: SurfaceState, events: EventWindow, candidate: SessionEvent): SurfaceRest => {
  const eventAt = (seq: number): SessionEvent | undefined =>
    seq === candidate.seq ? candidate : events[seq - state.baseSeq]
  const payloadOf = (seq: number): JsonValue =>
    (eventAt(seq) ?? defect(`no event ${seq} in the window`)).data
  return {
    payloadOf,
    headerAt: (seq) => {
      const event = eventAt(seq)
      return event?.type === "request/header" ? event.data : null
    },
    isSameToolResult: (shadowed, next) =>
      isSameToolResult(state.format, payloadOf(shadowed), payloadOf(next)),
  }
}

/** Asks whether an event may follow those of a state; the window holds its earlier events. */
export const admitEvent = (
  state: SurfaceState,
  events: EventWindow,
  projections: MessageProjections,
  event: SessionEvent,
): Either<Refusal, Admission> => {
  const row = rowOf(state.format, event)
  return isLeft(row)
    ? row
    : admitRow(viewOf(state, projections), row.right, restOf(state, events, event), -1, 0)
}

/**
 * Folds the events that came since. A candidate that was validated for this very place is not
 * planned again; any other event goes the full way.
 *
 * errors  the first refusal, with the surface as it was
 */
export const catchUp = (
  live: LiveSurface,
  events: EventWindow,
  projections: MessageProjections,
): Either<Refusal, LiveSurface> => {
  let { state, pending } = live
  const end = state.baseSeq + events.length
  while (state.nextSeq < end) {
    const seq = state.nextSeq
    const event = events[seq - state.baseSeq] ?? defect(`no event ${seq} in the window`)
    const admission =
      pending !== null && pending.event === event && pending.seq === seq
        ? right(pending.admission)
        : admitEvent(state, events, projections, event)
    if (isLeft(admission)) return admission
    state = applySurfacePlan(state, admission.right.plan, admission.right.detail)
    if (pending !== null && pending.seq <= seq) pending = null
  }
  return right(state === live.state ? live : { state, pending })
}

/**
 * Asks whether an event may be appended next, and keeps its plan. The log is not changed, and the
 * surface only as far as it was behind.
 */
export const validateNext = (
  live: LiveSurface,
  events: EventWindow,
  projections: MessageProjections,
  event: SessionEvent,
): Either<Refusal, LiveSurface> => {
  const current = catchUp(live, events, projections)
  if (isLeft(current)) return current
  const { state } = current.right
  const admission = admitEvent(state, events, projections, event)
  return isLeft(admission)
    ? admission
    : right({ state, pending: { event, seq: state.nextSeq, admission: admission.right } })
}

/**
 * The live nodes, after catching up.
 *
 * errors  projection-removed when an interpreter is gone whose work is on the surface
 */
export const readNodes = (
  live: LiveSurface,
  events: EventWindow,
  projections: MessageProjections,
): Either<Refusal, readonly [LiveSurface, readonly number[]]> => {
  const current = catchUp(live, events, projections)
  if (isLeft(current)) return current
  const removed = removedProjection(current.right.state.usedProjections, projections)
  return removed === null ? right([current.right, nodesOf(current.right.state)]) : left(removed)
}
