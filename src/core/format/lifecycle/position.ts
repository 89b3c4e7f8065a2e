import type { JsonObject } from "../../data/json.ts"
import { numberField } from "./fields.ts"

/** Which turn and step of a log are open, and which ones may come next. */
export interface Position {
  /** The open turn, or null. */
  readonly turn: number | null
  /** The open step, or null. */
  readonly step: number | null
  readonly nextTurn: number
  readonly nextStep: number
  /** The step of this turn that was closed last, or null. */
  readonly lastStep: number | null
}

export const startPosition: Position = {
  turn: null,
  step: null,
  nextTurn: 1,
  nextStep: 1,
  lastStep: null,
}

/**
 * The position after an event, right or wrong: a start opens what it names and an end closes what
 * is open, so that one wrong number is found once and not again at every later event.
 */
export const advance = (position: Position, type: string, data: JsonObject): Position => {
  switch (type) {
    case "turn/start": {
      const turn = numberField(data, "turn") ?? position.nextTurn
      return { turn, step: null, nextTurn: turn + 1, nextStep: 1, lastStep: null }
    }
    case "step/start": {
      const step = numberField(data, "step") ?? position.nextStep
      const nextStep = step + 1
      if (position.turn !== null) return { ...position, step, nextStep }
      // the start of its turn is missing
      const turn = numberField(data, "turn") ?? position.nextTurn
      return { turn, step, nextTurn: turn + 1, nextStep, lastStep: null }
    }
    case "step/end": {
      // one that was never opened has been, all the same
      const step = position.step ?? numberField(data, "step")
      if (step === null) return position
      return { ...position, step: null, lastStep: step, nextStep: step + 1 }
    }
    case "turn/end": {
      const turn = position.turn ?? numberField(data, "turn")
      const nextTurn = turn === null ? position.nextTurn : turn + 1
      return { ...position, turn: null, step: null, nextTurn }
    }
    default:
      return position
  }
}
