import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { ShapeFault } from "../data/refusal.ts"
import type { Format, FormatRules } from "../format/format.ts"
import { toolResultHolder } from "./tool-result-holder.ts"

const inner = (value: JsonValue | undefined, key: string): JsonValue | undefined =>
  isJsonObject(value) ? ownValue(value, key) : undefined

/** A tool result names its call twice, alike; a log of format 0 may lack the source. */
export const resultFault = (
  holds: FormatRules["toolResultContent"],
  data: JsonObject,
): ShapeFault | null => {
  const message = ownValue(data, "message")
  const called = inner(inner(message, "source"), "callId")
  const isMessage = holds === "message"
  const holder = toolResultHolder(holds, message) ?? undefined
  if (called !== undefined && inner(holder, "toolCallId") !== called)
    return {
      path: isMessage ? ["message", "toolCallId"] : ["message", "content", 0, "toolCallId"],
      expected: "callId of the source",
    }
  return isMessage && Object.hasOwn(data, "error") && inner(message, "isError") !== true
    ? { path: ["message", "isError"], expected: "true beside an error" }
    : null
}

/** A flag says that the value was the adapter's own, so the value must be there. */
export const defaultsFault = (data: JsonObject): ShapeFault | null => {
  const header = ownValue(data, "header")
  const flags = inner(header, "adapterDefaults")
  if (!isJsonObject(flags)) return null
  for (const key of Object.keys(flags))
    if (inner(inner(header, "config"), key) === undefined)
      return { path: ["header", "adapterDefaults", key], expected: `config with ${key}` }
  return null
}

/**
 * What ties two fields of one payload together, which a shape cannot say; null where it holds.
 *
 * shape   asked only of payloads that have the shape of their type
 */
export const tieFault = (format: Format, type: string, data: JsonValue): ShapeFault | null => {
  if (!isJsonObject(data)) return null
  if (type === "tool/result") return resultFault(format.rules.toolResultContent, data)
  return type === "request/header" && format.version >= 3 ? defaultsFault(data) : null
}
