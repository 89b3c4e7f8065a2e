import type { JsonValue } from "../../core/data/json.ts"
import { isJsonArray, isJsonObject } from "../../core/data/json.ts"
import { contentOf } from "../../core/messages/event-message.ts"
import type { Message } from "../../core/messages/event-message.ts"
import { printable, printableLine } from "./escape.ts"

const textOf = (value: JsonValue | undefined): string =>
  typeof value === "string" ? printable(value) : ""

const nameOf = (value: JsonValue | undefined): string =>
  typeof value === "string" ? printableLine(value) : "?"

const indented = (text: string): string => text.replaceAll(/^/gm, "  ")

const blockText = (block: JsonValue): string => {
  if (!isJsonObject(block)) return printable(JSON.stringify(block))
  const tag: unknown = block["type"]
  switch (tag) {
    case "text":
      return textOf(block["text"])
    case "reasoning":
      return `(reasoning)\n${indented(textOf(block["text"]))}`
    case "tool-call":
      return `→ ${nameOf(block["name"])}(${textOf(block["arguments"])})`
    case "tool-result": {
      const content = block["content"]
      return isJsonArray(content) ? content.map(blockText).join("\n") : ""
    }
    default:
      return printable(JSON.stringify(block))
  }
}

/** A message for people: its number and role, then its content, block by block. */
export const messageText = (message: Message, number: number): string => {
  const role = nameOf(message["role"])
  const blocks = contentOf(message).map(blockText).join("\n")
  return `── ${number} ${role}\n${blocks}\n\n`
}
