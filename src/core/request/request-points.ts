import { isCount } from "../data/count.ts"
import type { JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { Fold } from "../fold/fold.ts"
import type { EventFacts } from "../log/event-facts.ts"

/** One request to a model: an attempt of a step, and the last event before it was sent. */
export interface RequestPoint {
  readonly turn: number
  readonly step: number
  /** 1 for the first attempt of the step. */
  readonly attempt: number
  /** The model saw the log up to and including this seq. */
  readonly throughSeq: number
}

/** The requests of a log in order, and the attempt that is being prepared. */
export interface RequestPoints {
  readonly points: readonly RequestPoint[]
  readonly open: {
    readonly turn: number
    readonly step: number
    readonly attempt: number
    readonly isSent: boolean
    /** Whether the attempt has failed. */
    readonly isFailed: boolean
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
  isFailed: boolean
  lastSeq: number
}

/**
 * How an event tells of requests: as something that came of one, as the end of an attempt, or as a
 * bound of a step or an attempt.
 */
export type RequestMark = "outcome" | "ending" | "bound"

// the first outcome or ending of an attempt shows that the request has gone out
const marks: ReadonlyMap<string, RequestMark> = new Map([
  ["assistant/chunk", "outcome"],
  ["text-chunks", "outcome"],
  ["reasoning-chunks", "outcome"],
  ["tool-call-chunks", "outcome"],
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

const numberOf = (data: JsonValue | undefined, key: string): number => {
  const value = data !== undefined && isJsonObject(data) ? ownValue(data, key) : undefined
  return isCount(value) ? value : 0
}

/** The turn and the step that a payload names; 0 for what it does not. */
export const placeIn = (
  data: JsonValue | undefined,
): { readonly turn: number; readonly step: number } => ({
  turn: numberOf(data, "turn"),
  step: numberOf(data, "step"),
})

const send = (draft: PointsDraft, throughSeq: number): void => {
  draft.points.push({
    turn: draft.turn,
    step: draft.step,
    attempt: draft.attempt,
    throughSeq,
  })
  draft.isSent = true
}

const answer = (draft: PointsDraft, mark: RequestMark, { type, seq }: EventFacts): void => {
  // a failed attempt may be followed by another one without a word of a retry
  if (draft.isFailed && mark === "ending") nextAttempt(draft)
  if (!draft.isSent) send(draft, seq - 1)
  if (type === "assistant/attempt") draft.isFailed = true
}

const nextAttempt = (draft: PointsDraft): void => {
  draft.attempt++
  draft.isSent = false
  draft.isFailed = false
}

const stepPoints = (draft: PointsDraft, facts: EventFacts, data: JsonValue | undefined): void => {
  if (facts.type === "step/start") {
    const { turn, step } = placeIn(data)
    draft.turn = turn
    draft.step = step
    draft.attempt = 1
    draft.isSent = false
    draft.isFailed = false
  } else if (draft.attempt > 0) {
    const mark = requestMark(facts.type)
    if (mark === "outcome" || mark === "ending") answer(draft, mark, facts)
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
  reads: new Set(["step/start"]),
  begin: () => ({
    points: [],
    turn: 0,
    step: 0,
    attempt: 0,
    isSent: false,
    isFailed: false,
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
            isFailed: draft.isFailed,
          },
    lastSeq: draft.lastSeq,
  }),
  resume: (state) => ({
    points: [...state.points],
    turn: state.open?.turn ?? 0,
    step: state.open?.step ?? 0,
    attempt: state.open?.attempt ?? 0,
    isSent: state.open?.isSent ?? false,
    isFailed: state.open?.isFailed ?? false,
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
