import type { JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../../data/json.ts"
import type { ShapeFault } from "../../data/refusal.ts"
import { defaultsFault, resultFault } from "../../log/payload-ties.ts"
import { goalStateFault } from "./legacy-goal.ts"
import { messagesOf } from "./message-slots.ts"

// the sections of a snapshot, the summary of a notice: there with their form, and only with it
const formFault = (source: JsonObject): ShapeFault | null => {
  const form = ownValue(source, "form")
  if (ownValue(source, "kind") !== "plugin" || form === undefined) return null
  for (const [key, owner] of [
    ["sections", "snapshot"],
    ["summary", "notice"],
  ] as const)
    if (Object.hasOwn(source, key) !== (form === owner))
      return { path: ["source", key], expected: form === owner ? key : "nothing" }
  return null
}

const referencesFault = (source: JsonObject): ShapeFault | null => {
  const references = ownValue(source, "references")
  if (ownValue(source, "kind") !== "session-reference" || !isJsonArray(references)) return null
  const seen = new Set<JsonValue>()
  for (const [i, each] of references.entries()) {
    if (!isJsonObject(each)) continue
    const { originalMessages, retainedMessages, omittedMessages, sessionId } = each
    const at = (key: string, expected: string): ShapeFault => ({
      path: ["source", "references", i, key],
      expected,
    })
    if (omittedMessages !== Number(originalMessages) - Number(retainedMessages))
      return at("omittedMessages", "original − retained")
    const isCut = Number(omittedMessages) > 0 || Number(each["omittedBytes"]) > 0
    if (each["truncated"] !== isCut) return at("truncated", "whether something was omitted")
    if (each["inputIndex"] !== i) return at("inputIndex", "the position")
    if (seen.has(sessionId ?? null)) return at("sessionId", "another session")
    seen.add(sessionId ?? null)
  }
  return null
}

const retryFault = (data: JsonObject): ShapeFault | null =>
  Object.hasOwn(data, "maxRetries") && Number(data["maxRetries"]) < Number(data["retry"])
    ? { path: ["maxRetries"], expected: "at least retry" }
    : null

const descriptorFault = (data: JsonObject): ShapeFault | null => {
  if (Object.hasOwn(data, "agentProvider") !== Object.hasOwn(data, "agentModel"))
    return { path: ["agentModel"], expected: "with agentProvider" }
  const filter = ownValue(data, "toolFilter")
  return isJsonObject(filter) && Object.keys(filter).length === 0
    ? { path: ["toolFilter"], expected: "allow or deny" }
    : null
}

const summaryFault = (data: JsonObject): ShapeFault | null =>
  Object.hasOwn(data, "llmStreamCall") && !Object.hasOwn(data, "rawOutput")
    ? { path: ["rawOutput"], expected: "beside llmStreamCall" }
    : null

/** What ties fields of one payload of formats 0 to 2 together beyond its frozen shape, or null. */
export const frozenTie = (type: string, data: JsonObject): ShapeFault | null => {
  for (const message of messagesOf(type, data)) {
    const source = ownValue(message, "source")
    if (source === undefined || !isJsonObject(source)) continue
    const fault = formFault(source) ?? referencesFault(source) ?? goalStateFault(message, source)
    if (fault !== null) return fault
  }
  switch (type) {
    case "tool/result":
      return resultFault("block", data)
    case "request/header":
      return defaultsFault(data)
    case "llm/retry":
      return retryFault(data)
    case "subagent/descriptor":
      return descriptorFault(data)
    case "compaction/summary":
      return summaryFault(data)
    default:
      return null
  }
}
