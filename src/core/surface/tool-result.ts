import type { JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, jsonEqual } from "../data/json.ts"
import type { Format } from "../format/format.ts"

/**
 * A tool result's payload with other content: all that a rewrite may change.
 *
 * shape   formats 0 to 3: the content of the one block; format 4: the content of the message
 */
export const withResultContent = (
  format: Format,
  data: JsonValue,
  content: JsonValue,
): JsonValue => {
  if (!isJsonObject(data)) return data
  const message = data["message"]
  if (!isJsonObject(message)) return data
  if (format.rules.toolResultContent === "message")
    return { ...data, message: { ...message, content } }
  const blocks = message["content"]
  if (!isJsonArray(blocks) || !isJsonObject(blocks[0])) return data
  return {
    ...data,
    message: { ...message, content: [{ ...blocks[0], content }, ...blocks.slice(1)] },
  }
}

/** Whether two payloads of tool results are equal but for their content. */
export const isSameToolResult = (format: Format, left: JsonValue, right: JsonValue): boolean =>
  jsonEqual(withResultContent(format, left, null), withResultContent(format, right, null))
