import type { JsonValue } from "../data/json.ts"
import { ownValue } from "../data/json.ts"
import type { Format } from "../format/format.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { TurnStep } from "../log/turn-step.ts"
import { eventMessage, messageText } from "../messages/event-message.ts"
import { loggedHeader } from "../request/header.ts"

/** A system prompt as readers show it. */
export interface SystemPromptNode extends TurnStep {
  readonly seq: number
  /** Epoch milliseconds. */
  readonly time: number
  /** Empty for a prompt that says nothing: it keeps its place and overrides none. */
  readonly text: string
  /** Whether it was appended behind a system message that stands on the surface. */
  readonly update: boolean
}

/** Whether prompts are system messages; up to format 2 they stand in request headers. */
export const hasPromptNodes = (format: Format): boolean => format.kinds.has("system/message")

/** The type of the events that hold the prompts of a format. */
export const promptTypeOf = (format: Format): "system/message" | "request/header" =>
  hasPromptNodes(format) ? "system/message" : "request/header"

const systemText = (data: JsonValue): string => {
  const message = eventMessage(surfaceKind.system, data)
  return message === null ? "" : messageText(message)
}

const headerText = (data: JsonValue): string => {
  const header = loggedHeader(data)
  const system = header === null ? undefined : ownValue(header, "system")
  return typeof system === "string" ? system : ""
}

/**
 * The text of a prompt in the payload of the event that holds it: the text blocks of a message, with
 * nothing between them; up to format 2 that of a request header.
 */
export const promptTextOf = (format: Format, data: JsonValue): string =>
  hasPromptNodes(format) ? systemText(data) : headerText(data)
