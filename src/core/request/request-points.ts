import type { JsonValue } from "../data/json.ts"
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

/** The requests of a log in order, and the attempt that is being prepared. */
export interface RequestPoints {
  readonly points: readonly RequestPoint[]
  readonly open: {
    readonly turn: number
    readonly step: number
    readonly attempt: number
    readonly isSent: boolean
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
  lastSeq: number
}

// the first of these in an attempt shows that the request has gone out
const outcomes: ReadonlySet<string> = new Set([
  "assistant/chunk",
  "text-chunks",
  "reasoning-chunks",
  "tool-call-chunks",
  "assistant/message",
  "assistant/attempt",
  "llm/retry",
])

const send = (draft: PointsDraft): void => {
  draft.points.push({
    turn: draft.turn,
    step: draft.step,
    attempt: draft.attempt,
    throughSeq: draft.lastSeq,
  })
  draft.isSent = true
}

const stepPoints = (draft: PointsDraft, facts: EventFacts, data: JsonValue | undefined): void => {
  if (facts.type === "step/start") {
    Object.assign(draft, turnStepOf(data))
    draft.attempt = 1
    draft.isSent = false
  } else if (draft.attempt > 0) {
    if (!draft.isSent && outcomes.has(facts.type)) send(draft)
    else if (facts.type === "llm/retry-started") {
      draft.attempt++
      draft.isSent = false
    } else if (facts.type === "step/end" || facts.type === "turn/end") {
      // a step that was cancelled before its request still has an address
      if (!draft.isSent && draft.attempt === 1) send(draft)
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
  begin: () => ({ points: [], turn: 0, step: 0, attempt: 0, isSent: false, lastSeq: -1 }),
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
          },
    lastSeq: draft.lastSeq,
  }),
  resume: (state) => ({
    points: [...state.points],
    turn: state.open?.turn ?? 0,
    step: state.open?.step ?? 0,
    attempt: state.open?.attempt ?? 0,
    isSent: state.open?.isSent ?? false,
    lastSeq: state.lastSeq,
  }),
}

/** All requests, that of a step left open at the end of the log included. */
export const allPoints = (state: RequestPoints): readonly RequestPoint[] =>
  state.open === null || state.open.isSent
    ? state.points
    : [
        ...state.points,
        {
          turn: state.open.turn,
          step: state.open.step,
          attempt: state.open.attempt,
          throughSeq: state.lastSeq,
        },
      ]
