import { isSafeInt } from "../../data/count.ts"
import type { JsonObject } from "../../data/json.ts"
import { ownValue } from "../../data/json.ts"
import { objectField, textField } from "../../format/lifecycle/fields.ts"
import { count, exactly, safeInt, string } from "../../log/shape.ts"
import { shapeCodec } from "../codec.ts"
import type { ValueCodec } from "../codec.ts"
import type { ProjectionDefinition } from "../definition.ts"
import { nullable } from "./nullable.ts"
import { totalApply } from "./total-apply.ts"

/** Where a session stands: in a turn and a step of it, or between turns. */
export interface TurnBoundary {
  /** The open turn and the seq of the event that opened it; null between turns. */
  readonly open: { readonly turn: number; readonly seq: number } | null
  /** The open step of that turn. */
  readonly step: number | null
  /** The turn that ended last, the seq of its end, and the kind of reason where it gives one. */
  readonly last: {
    readonly turn: number
    readonly seq: number
    readonly reason: string | null
  } | null
}

const codec: ValueCodec<TurnBoundary> = shapeCodec(
  exactly({
    open: nullable(exactly({ turn: safeInt, seq: count }), "open turn"),
    step: nullable(safeInt, "step"),
    last: nullable(
      exactly({ turn: safeInt, seq: count, reason: nullable(string, "reason") }),
      "ended turn",
    ),
  }),
)

const reasonOf = (reason: JsonObject | null): string | null =>
  reason === null ? null : textField(reason, "kind")

/** The open turn and step, and how the last turn ended. */
export const turnBoundary: ProjectionDefinition<TurnBoundary, TurnBoundary> = {
  key: "turnBoundary",
  stateVersion: 1,
  codec,
  reads: new Set(["turn/start", "turn/end", "step/start", "step/end"]),
  init: () => ({ open: null, step: null, last: null }),
  apply: totalApply((state, { type, seq }, data) => {
    const turn = ownValue(data, "turn")
    const step = ownValue(data, "step")
    if (!isSafeInt(turn)) return state
    switch (type) {
      case "turn/start":
        return { ...state, open: { turn, seq }, step: null }
      case "turn/end":
        return {
          open: null,
          step: null,
          last: { turn, seq, reason: reasonOf(objectField(data, "reason")) },
        }
      case "step/start":
        return isSafeInt(step) && step !== state.step ? { ...state, step } : state
      default:
        return state.step === null ? state : { ...state, step: null }
    }
  }),
  wire: { codec, view: (state) => state },
}
