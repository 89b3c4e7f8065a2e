import type { JsonObject } from "../../data/json.ts"
import { jsonEqual, ownValue } from "../../data/json.ts"
import { legacyGoalChange } from "../../format/edges/legacy-goal.ts"
import { countField, objectField, textField } from "../../format/lifecycle/fields.ts"
import { count, exactly, record } from "../../log/shape.ts"
import { shapeCodec } from "../codec.ts"
import type { ValueCodec } from "../codec.ts"
import type { ProjectionDefinition } from "../definition.ts"
import { nullable } from "./nullable.ts"
import { totalApply } from "./total-apply.ts"

/** The goal of a session as its last change left it; null before the first and once it is cleared. */
export interface GoalState {
  readonly current: {
    /** Id, revision, objective, phase and limit of rounds, as they were logged. */
    readonly goal: JsonObject
    readonly roundsStarted: number
    readonly createdAtMs: number
    readonly updatedAtMs: number
  } | null
}

const codec: ValueCodec<GoalState> = shapeCodec(
  exactly({
    current: nullable(
      exactly({ goal: record, roundsStarted: count, createdAtMs: count, updatedAtMs: count }),
      "goal",
    ),
  }),
)

const changed = (state: GoalState, change: JsonObject): GoalState => {
  if (ownValue(change, "version") !== 1) return state
  if (textField(change, "operation") === "clear") return { current: null }
  const goal = objectField(change, "goal")
  if (goal === null) return state
  return {
    current: {
      goal,
      roundsStarted: countField(change, "roundsStarted") ?? 0,
      createdAtMs: countField(change, "createdAt") ?? 0,
      updatedAtMs: countField(change, "updatedAt") ?? 0,
    },
  }
}

/** The latest goal: each change carries it whole, in formats 0 and 1 also inside a message. */
export const goal: ProjectionDefinition<GoalState, GoalState> = {
  key: "goal",
  stateVersion: 1,
  codec,
  reads: new Set(["goal/change", "user/message"]),
  init: () => ({ current: null }),
  apply: totalApply((state, { type }, data) => {
    const change = type === "goal/change" ? data : legacyGoalChange(ownValue(data, "source"))
    if (change === null) return state
    const next = changed(state, change)
    return jsonEqual(next.current, state.current) ? state : next
  }),
  wire: { codec, view: (state) => state },
}
