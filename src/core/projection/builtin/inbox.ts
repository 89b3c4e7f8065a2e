import type { JsonArray } from "../../data/json.ts"
import { isJsonObject, jsonEqual } from "../../data/json.ts"
import { arrayField, countField, textField } from "../../format/lifecycle/fields.ts"
import { arrayOf, exactly, record } from "../../log/shape.ts"
import { shapeCodec } from "../codec.ts"
import type { ValueCodec } from "../codec.ts"
import type { ProjectionDefinition } from "../definition.ts"
import { totalApply } from "./total-apply.ts"

/** User messages that wait, in the order in which they are taken: by the next turn or step. */
export interface Inbox {
  readonly nextTurn: JsonArray
  readonly nextStep: JsonArray
}

const codec: ValueCodec<Inbox> = shapeCodec(
  exactly({ nextTurn: arrayOf(record), nextStep: arrayOf(record) }),
)

const queues: ReadonlyMap<string | null, keyof Inbox> = new Map([
  ["next-turn", "nextTurn"],
  ["next-step", "nextStep"],
])

/** What waits for the model: each splice removes messages from a queue and puts others in. */
export const inbox: ProjectionDefinition<Inbox, Inbox> = {
  key: "inbox",
  stateVersion: 1,
  codec,
  reads: new Set(["agent/inbox/spliced"]),
  init: () => ({ nextTurn: [], nextStep: [] }),
  apply: totalApply((state, _facts, data) => {
    const queue = queues.get(textField(data, "target"))
    const start = countField(data, "start")
    if (queue === undefined || start === null) return state
    const waiting = state[queue]
    const end = start + (countField(data, "removedCount") ?? 0)
    const inserted = (arrayField(data, "inserted") ?? []).filter(isJsonObject)
    // beyond the end of a queue there is nothing to remove, and what comes in stands at its end
    const next = [...waiting.slice(0, start), ...inserted, ...waiting.slice(end)]
    return jsonEqual(next, waiting) ? state : { ...state, [queue]: next }
  }),
  wire: { codec, view: (state) => state },
}
