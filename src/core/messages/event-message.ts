import type { JsonArray, JsonObject, JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import { surfaceKind } from "../format/surface-kind.ts"

/** A message as the log holds it: the very object, never a copy. */
export type Message = JsonObject

/** The message inside the payload of a surface event, empty or not; null where there is none. */
export const eventMessage = (kind: SurfaceKind, data: JsonValue): Message | null => {
  if (kind === surfaceKind.none || !isJsonObject(data)) return null
  const message = kind === surfaceKind.user ? data : data["message"]
  return isJsonObject(message) ? message : null
}

/** The content blocks of a message; none where it has no array of them. */
export const contentOf = (message: Message): JsonArray => {
  const content = message["content"]
  return isJsonArray(content) ? content : []
}

/** The text of a message: that of its text blocks, with nothing between them. */
export const messageText = (message: Message): string => {
  let all = ""
  for (const block of contentOf(message)) {
    const text =
      isJsonObject(block) && block["type"] === "text" ? ownValue(block, "text") : undefined
    if (typeof text === "string") all += text
  }
  return all
}

/**
 * Whether a surface event becomes a message: an empty system, developer or assistant message keeps
 * its place on the surface but says nothing.
 */
export const derivesMessage = (kind: SurfaceKind, message: Message): boolean =>
  kind === surfaceKind.user || kind === surfaceKind.toolResult || contentOf(message).length > 0
