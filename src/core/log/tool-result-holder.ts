import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { FormatRules } from "../format/format.ts"

/**
 * What holds the call id, the content and the error flag of a tool result; null where there is none.
 *
 * shape   formats 0 to 3: the one block of the message; format 4: the message
 */
export const toolResultHolder = (
  holds: FormatRules["toolResultContent"],
  message: JsonValue | undefined,
): JsonObject | null => {
  if (!isJsonObject(message)) return null
  if (holds === "message") return message
  const content = ownValue(message, "content")
  const block = isJsonArray(content) ? content[0] : undefined
  return isJsonObject(block) ? block : null
}
