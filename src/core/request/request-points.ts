import type { JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { Fold } from "../fold/fold.ts"
import type { EventFacts } from "../log/event-facts.ts"
import { turnStepOf } from "../log/turn-step.ts"

/** One request to a model: an attempt of a step, and the last event before it was sent. */
export interface RequestPoint {
  readonly turn: number
  readonly step: number
  /** 1 for the first attempt of the step. */
  readonly attempt: number
  /** The model saw the log up to and including this seq. */
  readonly throughSeq: number
}

/** A failed attempt, or an answer that was finished; null while neither is known. */
type AttemptEnd = "failed" | "finished" | null

/** The requests of a log in order, and the attempt that is being prepared. */
export interface RequestPoints {
  readonly points: readonly RequestPoint[]
  readonly open: {
    readonly turn: number
    readonly step: number
    readonly attempt: number
    readonly isSent: boolean
    /** How the attempt has ended, so far as a further one may follow it without a word. */
    readonly ended: AttemptEnd
  } | null
  readonly lastSeq: number
}

interface PointsDraft {
  points: RequestPoint[]
  turn: number
  step: number
  /** 0 while no step is open. */
  attempt: number
  isSent: boolean
  ended: AttemptEnd
  lastSeq: number
}

/**
 * How an event tells of requests: as part of an answer, as something else that came of one, as the
 * end of an attempt, or as a bound of a step or an attempt.
 */
export type RequestMark = "chunk" | "outcome" | "ending" | "bound"

// the first chunk, outcome or ending of an attempt shows that the request has gone out
const marks: ReadonlyMap<string, RequestMark> = new Map([
  ["assistant/chunk", "chunk"],
  ["text-chunks", "chunk"],
  ["reasoning-chunks", "chunk"],
  ["tool-call-chunks", "chunk"],
  ["assistant/message", "ending"],
  ["assistant/attempt", "ending"],
  ["llm/retry", "outcome"],
  ["llm/retry-started", "bound"],
  ["step/start", "bound"],
  ["step/end", "bound"],
  ["turn/end", "bound"],
])

/** What a type of event tells of requests; null for all others. */
export const requestMark = (type: string): RequestMark | null => marks.get(type) ?? null

const send = (draft: PointsDraft, throughSeq: number): void => {
  draft.points.push({
    turn: draft.turn,
    step: draft.step,
    attempt: draft.attempt,
    throughSeq,
  })
  draft.isSent = true
}

/** Whether a chunk is the last one of its answer. */
export const isFinish = (type: string, data: JsonValue | undefined): boolean => {
  if (type !== "assistant/chunk" || !isJsonObject(data)) return false
  const chunk = ownValue(data, "chunk")
  return isJsonObject(chunk) && ownValue(chunk, "type") === "finish"
}

const answer = (
  draft: PointsDraft,
  mark: RequestMark,
  { type, seq }: EventFacts,
  data: JsonValue | undefined,
): void => {
  // an attempt may be followed by another one without a word of a retry
  if (draft.ended === "failed" && mark === "ending") nextAttempt(draft)
  if (draft.ended === "finished" && mark === "chunk") nextAttempt(draft)
  if (!draft.isSent) send(draft, seq - 1)
  if (type === "assistant/attempt") draft.ended = "failed"
  else if (isFinish(type, data)) draft.ended = "finished"
}

const nextAttempt = (draft: PointsDraft): void => {
  draft.attempt++
  draft.isSent = false
  draft.ended = null
}

const stepPoints = (draft: PointsDraft, facts: EventFacts, data: JsonValue | undefined): void => {
  if (facts.type === "step/start") {
    Object.assign(draft, turnStepOf(data))
    draft.attempt = 1
    draft.isSent = false
    draft.ended = null
  } else if (draft.attempt > 0) {
    const mark = requestMark(facts.type)
    if (mark !== null && mark !== "bound") answer(draft, mark, facts, data)
    else if (facts.type === "llm/retry-started") nextAttempt(draft)
    else if (facts.type === "step/end" || facts.type === "turn/end") {
      // a step that was cancelled before its request still has an address
      if (!draft.isSent && draft.attempt === 1) send(draft, facts.seq - 1)
      draft.attempt = 0
    }
  }
  draft.lastSeq = facts.seq + facts.count - 1
}

/**
 * Where each request of a log was sent: just before the first event that only an answer, or its
 * failure, can have caused.
 */
export const requestPointsFold: Fold<PointsDraft, RequestPoints> = {
  reads: new Set(["step/start", "assistant/chunk"]),
  begin: () => ({
    points: [],
    turn: 0,
    step: 0,
    attempt: 0,
    isSent: false,
    ended: null,
    lastSeq: -1,
  }),
  step: stepPoints,
  seal: (draft) => ({
    points: [...draft.points],
    open:
      draft.attempt === 0
        ? null
        : {
            turn: draft.turn,
            step: draft.step,
            attempt: draft.attempt,
            isSent: draft.isSent,
            ended: draft.ended,
          },
    lastSeq: draft.lastSeq,
  }),
  resume: (state) => ({
    points: [...state.points],
    turn: state.open?.turn ?? 0,
    step: state.open?.step ?? 0,
    attempt: state.open?.attempt ?? 0,
    isSent: state.open?.isSent ?? false,
    ended: state.open?.ended ?? null,
    lastSeq: state.lastSeq,
  }),
}

/** The request to come of a step that the log leaves open; null where there is none. */
export const openPoint = ({ open, lastSeq }: RequestPoints): RequestPoint | null => {
  if (open === null || open.isSent) return null
  const { turn, step, attempt } = open
  return { turn, step, attempt, throughSeq: lastSeq }
}

/** All requests, that of a step left open at the end of the log included. */
export const allPoints = (state: RequestPoints): readonly RequestPoint[] => {
  const open = openPoint(state)
  return open === null ? state.points : [...state.points, open]
}
