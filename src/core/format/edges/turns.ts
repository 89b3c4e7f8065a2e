import type { JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonArray, ownValue } from "../../data/json.ts"

const numberOf = (data: JsonObject, key: string): number | null => {
  const value: JsonValue | undefined = ownValue(data, key)
  return typeof value === "number" ? value : null
}

const isNextTurnSplice = (type: string, data: JsonObject): boolean => {
  const inserted = ownValue(data, "inserted")
  return (
    type === "agent/inbox/spliced" &&
    ownValue(data, "target") === "next-turn" &&
    isJsonArray(inserted) &&
    inserted.length > 0
  )
}

/** A step by the numbers of its start; null where that has none. */
export interface StepPlace {
  readonly turn: number | null
  readonly step: number | null
}

/** Which turn and step of a log are open, and whether a restart has left one so. */
export class OpenTurns {
  turn: number | null = null
  step: StepPlace | null = null
  private hasQueued = false

  /**
   * What a `turn/start` finds open: nothing; the turn that a restart interrupted, where the next
   * one was queued just before; or a turn that nothing explains.
   */
  before(data: JsonObject): "nothing" | "interrupted" | "open" {
    if (this.turn === null) return "nothing"
    const isNext = numberOf(data, "turn") === this.turn + 1
    return this.hasQueued && isNext && this.step === null ? "interrupted" : "open"
  }

  note(type: string, data: JsonObject): void {
    this.hasQueued = isNextTurnSplice(type, data)
    switch (type) {
      case "turn/start":
        this.turn = numberOf(data, "turn")
        this.step = null
        break
      case "turn/end":
        this.turn = null
        this.step = null
        break
      case "step/start":
        this.step = { turn: numberOf(data, "turn"), step: numberOf(data, "step") }
        break
      case "step/end":
        this.step = null
        break
      default:
    }
  }
}

/** The payload that closes a turn which a restart interrupted. */
export const interrupted = (turn: number): JsonObject => ({
  turn,
  reason: { kind: "interrupted" },
})
