import type { Shape } from "../../log/shape.ts"
import { arrayOf, count, exactly, safeInt, string } from "../../log/shape.ts"
import { nullable } from "./nullable.ts"

/** How much was done in a session and how long it took, in milliseconds of the events' own times. */
export interface SessionStats {
  readonly turns: number
  readonly steps: number
  /** From the start of a step to its answer. */
  readonly llmMs: number
  readonly toolMs: number
  /** From the start of a step to the first of its answer, over `ttftSteps` steps. */
  readonly ttftMs: number
  readonly ttftSteps: number
  /** From the first of an answer to its end, over the steps that report `decodeTokens`. */
  readonly decodeMs: number
  readonly decodeTokens: number
}

export interface OpenStep {
  readonly turn: number
  readonly step: number
  readonly startTimeMs: number
  readonly firstTokenTimeMs: number | null
}

export interface SessionStatsState {
  readonly stats: SessionStats
  readonly lastTurn: number | null
  readonly openStep: OpenStep | null
  /** Tool calls without a result so far; a list, as an id may be any text. */
  readonly pendingCalls: readonly { readonly callId: string; readonly timeMs: number }[]
}

export const noStats: SessionStats = {
  turns: 0,
  steps: 0,
  llmMs: 0,
  toolMs: 0,
  ttftMs: 0,
  ttftSteps: 0,
  decodeMs: 0,
  decodeTokens: 0,
}

/** The shape of what is shown. */
export const statsShape: Shape = exactly({
  turns: count,
  steps: count,
  llmMs: count,
  toolMs: count,
  ttftMs: count,
  ttftSteps: count,
  decodeMs: count,
  decodeTokens: count,
})

const openStep: Shape = exactly({
  turn: safeInt,
  step: safeInt,
  startTimeMs: safeInt,
  firstTokenTimeMs: nullable(safeInt, "time"),
})

/** The shape of the state. */
export const statsStateShape: Shape = exactly({
  stats: statsShape,
  lastTurn: nullable(safeInt, "turn"),
  openStep: nullable(openStep, "open step"),
  pendingCalls: arrayOf(exactly({ callId: string, timeMs: safeInt })),
})
