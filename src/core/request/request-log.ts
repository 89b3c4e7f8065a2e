import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import { deepFreeze } from "../data/deep-freeze.ts"
import { defect } from "../data/defect.ts"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonObject } from "../data/json.ts"
import { losslessCopy } from "../data/lossless-json.ts"
import type { Refusal } from "../data/refusal.ts"
import type { Format } from "../format/format.ts"
import type { SessionEvent } from "../log/envelope.ts"
import type { DerivedHistory } from "../messages/derived-history.ts"
import { deriveHistory, noHistory } from "../messages/derived-history.ts"
import { admitEvent } from "../surface/live.ts"
import type { MessageProjections } from "../surface/message-projection.ts"
import type { SurfaceState } from "../surface/state.ts"
import { applySurfacePlan, emptySurface } from "../surface/state.ts"
import { loggedHeader } from "./header.ts"
import type { ToolHistoryState, ToolsAt } from "./tool-history.ts"
import { loggedTools, noToolHistory, stepToolHistory } from "./tool-history.ts"

/** A log, folded to what requests are made of. A value: taking an event makes a new one. */
export interface RequestLog {
  readonly projections: MessageProjections
  /**
   * The events; those from `surface.nextSeq` on belong to another log that shares the array, which
   * only the longest may push to.
   */
  readonly events: readonly SessionEvent[]
  readonly surface: SurfaceState
  readonly history: DerivedHistory
  /** The latest header and its seq; null and −1 before the first one. */
  readonly header: JsonObject | null
  readonly headerSeq: number
  /** Payload of the latest `request/context`, or null. */
  readonly context: JsonObject | null
  readonly toolHistory: ToolHistoryState
}

export const emptyRequestLog = (format: Format, projections: MessageProjections): RequestLog => ({
  projections,
  events: [],
  surface: emptySurface(format),
  history: noHistory,
  header: null,
  headerSeq: -1,
  context: null,
  toolHistory: noToolHistory,
})

/** The event at a seq that the log has. */
export const eventIn = (log: RequestLog, seq: number): SessionEvent =>
  log.events[seq] ?? defect(`no event ${seq}`)

/** The payload of the event at a seq that the log has. */
export const payloadIn =
  (log: RequestLog): ((seq: number) => JsonValue) =>
  (seq) =>
    eventIn(log, seq).data

const toolsIn =
  ({ events, surface }: RequestLog): ToolsAt =>
  (headerSeq) => {
    const event = headerSeq < surface.nextSeq ? events[headerSeq] : undefined
    return event?.type === "request/header" ? loggedTools(event.data) : []
  }

/**
 * The log with one further event, which is kept as it is.
 *
 * errors  what the surface, or its payload, refuses; the older log stays valid
 */
export const takeEvent = (log: RequestLog, event: SessionEvent): Either<Refusal, RequestLog> => {
  const { surface } = log
  const admission = admitEvent(surface, log.events, log.projections, event)
  if (isLeft(admission)) return admission
  const { type, seq, data } = event
  const toolHistory = stepToolHistory(log.toolHistory, type, seq, data, toolsIn(log))
  if (isLeft(toolHistory)) return toolHistory
  // the longest of the logs that share an array owns its end
  const isOwner = log.events.length === surface.nextSeq
  const events = (isOwner ? log.events : log.events.slice(0, surface.nextSeq)) as SessionEvent[]
  events.push(event)
  const header = type === "request/header" ? loggedHeader(data) : null
  const isContext = type === "request/context" && isJsonObject(data)
  return right({
    ...log,
    events,
    surface: applySurfacePlan(surface, admission.right.plan, admission.right.detail),
    ...(header === null ? {} : { header, headerSeq: seq }),
    ...(isContext ? { context: data } : {}),
    toolHistory: toolHistory.right,
  })
}

/** An event that has no place in a log yet. */
export interface EventDraft {
  readonly type: string
  readonly data: unknown
  readonly sourceEventSeqs?: readonly number[]
  readonly surfaceOp?: JsonValue
  /** Says that readers who do not know the type may pass over it. */
  readonly ignorable?: true
}

/**
 * The log with a new event at its end: a frozen copy that shares nothing with the draft. Each
 * property of the draft is read once.
 *
 * errors  not-lossless, then those of `takeEvent`
 */
export const appendDraft = (
  log: RequestLog,
  draft: EventDraft,
  timeMs: number,
): Either<Refusal, RequestLog> => {
  const { type, data, sourceEventSeqs, surfaceOp, ignorable } = draft
  const copy = losslessCopy({
    type,
    seq: log.surface.nextSeq,
    time: timeMs,
    data,
    ...(sourceEventSeqs === undefined ? {} : { sourceEventSeqs }),
    ...(surfaceOp === undefined ? {} : { surfaceOp }),
    ...(ignorable === undefined ? {} : { ignorable }),
  })
  return isLeft(copy)
    ? left({ code: "not-lossless", fault: copy.left })
    : takeEvent(log, deepFreeze(copy.right as SessionEvent))
}

/** The log with its messages derived as far as it goes; they are in `history`. */
export const withHistory = (log: RequestLog): RequestLog => ({
  ...log,
  history: deriveHistory(log.history, log.surface, payloadIn(log)),
})
