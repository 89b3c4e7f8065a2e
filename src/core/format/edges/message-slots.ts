import type { JsonArray, JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../../data/json.ts"

type Map<T> = (value: T) => T

/** An object with one own key set anew, in its place; the same object where nothing changed. */
export const withKey = (object: JsonObject, key: string, map: Map<JsonValue>): JsonObject => {
  const value = ownValue(object, key)
  if (value === undefined) return object
  const next = map(value)
  return next === value ? object : { ...object, [key]: next }
}

/** A list with each object in it mapped; the same list where nothing changed. */
export const mapObjects = (value: JsonValue, map: Map<JsonObject>): JsonValue => {
  if (!isJsonArray(value)) return value
  let isChanged = false
  const next = value.map((item) => {
    const mapped = isJsonObject(item) ? map(item) : item
    if (mapped !== item) isChanged = true
    return mapped
  })
  return isChanged ? next : value
}

const inner =
  (map: Map<JsonObject>): Map<JsonValue> =>
  (value) =>
    isJsonObject(value) ? map(value) : value

/** Maps every message that a payload holds, wherever its type keeps them. */
export const mapMessages = (type: string, data: JsonObject, map: Map<JsonObject>): JsonObject => {
  switch (type) {
    case "user/message":
      return map(data)
    case "system/message":
    case "developer/message":
    case "assistant/message":
    case "tool/result":
      return withKey(data, "message", inner(map))
    case "agent/inbox/spliced":
      return withKey(data, "inserted", (value) => mapObjects(value, map))
    case "session/title-llm-request":
      return withKey(data, "messages", (value) => mapObjects(value, map))
    default:
      return data
  }
}

/** The messages that a payload holds. */
export const messagesOf = (type: string, data: JsonObject): readonly JsonObject[] => {
  const messages: JsonObject[] = []
  mapMessages(type, data, (message) => {
    messages.push(message)
    return message
  })
  return messages
}

/** Maps the content that a payload holds: lists of blocks, and tags that stand for a block. */
export interface ContentMap {
  readonly blocks: Map<JsonArray>
  readonly tag: Map<JsonValue>
}

const mapStream = (stream: JsonValue, { blocks, tag }: ContentMap): JsonValue =>
  mapObjects(stream, (record) =>
    withKey(
      record,
      "chunk",
      inner((chunk) => {
        const type = ownValue(chunk, "type")
        if (type === "block-start") return withKey(chunk, "blockType", tag)
        return type === "block-end"
          ? withKey(chunk, "block", (block) => blocks([block])[0] ?? block)
          : chunk
      }),
    ),
  )

/**
 * Maps all content of a payload: that of its messages, of summaries, of nested calls, of queued
 * team messages, and of embedded streams.
 */
export const mapContent = (type: string, data: JsonObject, map: ContentMap): JsonObject => {
  const blocks: Map<JsonValue> = (value) => (isJsonArray(value) ? map.blocks(value) : value)
  const content = (object: JsonObject): JsonObject => withKey(object, "content", blocks)
  const mapped = mapMessages(type, data, content)
  switch (type) {
    case "assistant/message":
    case "assistant/attempt":
      return withKey(mapped, "stream", (stream) => mapStream(stream, map))
    case "compaction/summary":
      return withKey(withKey(mapped, "summary", blocks), "rawOutput", blocks)
    case "tool/code-dispatch":
    case "tool/ptc-dispatch":
      return content(mapped)
    case "team/message/queued":
      return withKey(mapped, "message", inner(content))
    default:
      return mapped
  }
}
