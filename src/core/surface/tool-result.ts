import type { JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, jsonEqual } from "../data/json.ts"
import type { Format } from "../format/format.ts"

/**
 * A tool result's payload with its content blanked: what a rewrite must keep.
 *
 * shape   formats 0 to 3: the content of the one block; format 4: the content of the message
 */
const withoutContent = (format: Format, data: JsonValue): JsonValue => {
  if (!isJsonObject(data)) return data
  const message = data["message"]
  if (!isJsonObject(message)) return data
  if (format.rules.toolResultContent === "message")
    return { ...data, message: { ...message, content: null } }
  const blocks = message["content"]
  if (!isJsonArray(blocks) || !isJsonObject(blocks[0])) return data
  const content = [{ ...blocks[0], content: null }, ...blocks.slice(1)]
  return { ...data, message: { ...message, content } }
}

/** Whether two payloads of tool results are equal but for their content. */
export const isSameToolResult = (format: Format, left: JsonValue, right: JsonValue): boolean =>
  jsonEqual(withoutContent(format, left), withoutContent(format, right))
