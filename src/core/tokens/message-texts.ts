import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { Message } from "../messages/event-message.ts"
import { contentOf, derivesMessage } from "../messages/event-message.ts"
import { withoutMark } from "./estimate.ts"

/** Takes one text of a message; `isText` is false for the JSON that stands for any other block. */
export type OnText = (text: string, isText: boolean) => void

const stringAt = (block: JsonObject, key: string): string => {
  const value = ownValue(block, key)
  return typeof value === "string" ? value : ""
}

// nests no deeper than a parsed line may
const blockTexts = (block: JsonValue, onText: OnText): void => {
  if (!isJsonObject(block)) return onText(JSON.stringify(block), false)
  const tag: unknown = ownValue(block, "type")
  switch (tag) {
    case "text":
    case "reasoning":
      return onText(stringAt(block, "text"), true)
    case "tool-call":
      onText(stringAt(block, "name"), true)
      return onText(stringAt(block, "arguments"), true)
    case "tool-result": {
      const content = ownValue(block, "content")
      if (isJsonArray(content)) for (const inner of content) blockTexts(inner, onText)
      return
    }
    default:
      return onText(JSON.stringify(withoutMark(block)), false)
  }
}

/**
 * The texts of a message, one by one, as the fixed heuristic takes them apart.
 *
 * shape   text and reasoning, name and arguments of a tool call, each by itself; a system message is
 *         one text; a block of another kind is its JSON. None where no message comes of the event
 */
export const messageTexts = (kind: SurfaceKind, message: Message, onText: OnText): void => {
  if (!derivesMessage(kind, message)) return
  const content = contentOf(message)
  if (kind !== surfaceKind.system) {
    for (const block of content) blockTexts(block, onText)
    return
  }
  const isText = (block: JsonValue): block is JsonObject =>
    isJsonObject(block) && ownValue(block, "type") === "text"
  const texts = content.map((block) =>
    isText(block) ? stringAt(block, "text") : JSON.stringify(block),
  )
  onText(texts.join(""), content.every(isText))
}
