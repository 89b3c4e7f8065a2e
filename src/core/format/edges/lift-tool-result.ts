import type { JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../../data/json.ts"
import type { ShapeFault } from "../../data/refusal.ts"

const extended = (
  object: JsonObject,
  known: readonly string[],
  prefix: string,
): readonly (readonly [string, JsonValue])[] =>
  Object.entries(object).flatMap(([key, value]) =>
    known.includes(key) ? [] : [[`plugin:${prefix}:${key}`, value] as const],
  )

const faultAt = (expected: string, ...path: readonly (string | number)[]): ShapeFault => ({
  path: ["message", ...path],
  expected,
})

/**
 * A tool result's message without the block around its content.
 *
 * shape   a message of another role passes as it is; fields that nobody names become a plugin's
 * errors  the place where the wrapper is not one of a tool result
 */
export const liftToolResult = (
  message: JsonObject,
): { readonly message: JsonObject; readonly fault: ShapeFault | null } => {
  if (ownValue(message, "role") !== "user") return { message, fault: null }
  const { id, source, content: blocks } = message
  const failed = (fault: ShapeFault): ReturnType<typeof liftToolResult> => ({ message, fault })
  if (typeof id !== "string" || id === "") return failed(faultAt("nonempty string", "id"))
  if (!isJsonObject(source) || source["kind"] !== "tool")
    return failed(faultAt('"tool"', "source", "kind"))
  const block = isJsonArray(blocks) && blocks.length === 1 ? blocks[0] : undefined
  if (!isJsonObject(block) || block["type"] !== "tool-result")
    return failed(faultAt("one tool result", "content"))
  const { toolCallId, content, isError } = block
  if (typeof toolCallId !== "string" || toolCallId !== source["callId"])
    return failed(faultAt("callId of the source", "content", 0, "toolCallId"))
  if (content === undefined || !isJsonArray(content))
    return failed(faultAt("array", "content", 0, "content"))
  if (typeof isError !== "boolean") return failed(faultAt("boolean", "content", 0, "isError"))
  return {
    message: {
      role: "tool",
      source,
      toolCallId,
      content,
      isError,
      id,
      ...Object.fromEntries([
        ...extended(block, ["type", "toolCallId", "content", "isError"], "result"),
        ...extended(message, ["id", "role", "source", "content"], "message"),
      ]),
    },
    fault: null,
  }
}
