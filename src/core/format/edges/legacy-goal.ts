import type { JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../../data/json.ts"
import type { ShapeFault } from "../../data/refusal.ts"
import { checkOf } from "../../log/shape-check.ts"
import { goalChangeShape } from "./frozen-plugin-payloads.ts"

const changeCheck = checkOf(goalChangeShape)

/** The source that a message about a goal has once its change is an event of its own. */
export const goalPlugin: JsonObject = { kind: "plugin", plugin: "goal" }

/** The change of a goal that a message of formats 0 and 1 may carry in its source, or null. */
export const legacyGoalChange = (source: JsonValue | undefined): JsonObject | null => {
  if (source === undefined || !isJsonObject(source) || ownValue(source, "kind") !== "goal")
    return null
  const change = ownValue(source, "change")
  return change !== undefined && isJsonObject(change) ? change : null
}

/**
 * Why a message about a goal is not bound to it, or null: a round has a number, a change has none,
 * names the goal and its revision, and is what the message says.
 */
export const goalStateFault = (message: JsonObject, source: JsonObject): ShapeFault | null => {
  if (ownValue(source, "kind") !== "goal") return null
  const change = legacyGoalChange(source)
  const round = ownValue(source, "round")
  if ((round === 0) !== (change !== null))
    return { path: ["source", "round"], expected: change === null ? "positive count" : "0" }
  if (change === null) return null
  const fault = changeCheck.fault(change)
  if (fault !== null) return { ...fault, path: ["source", "change", ...fault.path] }
  const goal = ownValue(change, "goal") ?? ownValue(change, "cleared") ?? null
  for (const [key, own] of [
    ["goalId", "id"],
    ["revision", "revision"],
  ] as const)
    if (!isJsonObject(goal) || source[key] !== goal[own])
      return { path: ["source", key], expected: `${own} of the change` }
  const content = ownValue(message, "content")
  const block = isJsonArray(content) && content.length === 1 ? content[0] : undefined
  const text = `<goal_state>${JSON.stringify(change)}</goal_state>`
  return isJsonObject(block) && block["type"] === "text" && block["text"] === text
    ? null
    : { path: ["content"], expected: "the change between goal_state tags" }
}
