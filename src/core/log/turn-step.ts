import { isCount } from "../data/count.ts"
import type { JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"

/** A step of a turn. */
export interface TurnStep {
  readonly turn: number
  readonly step: number
}

const countIn = (data: JsonValue | undefined, key: string): number => {
  const value = data !== undefined && isJsonObject(data) ? ownValue(data, key) : undefined
  return isCount(value) ? value : 0
}

/** The turn and step that a payload names; 0 where it names none. */
export const turnStepOf = (data: JsonValue | undefined): TurnStep => ({
  turn: countIn(data, "turn"),
  step: countIn(data, "step"),
})
