import type { JsonObject } from "../../data/json.ts"
import { isJsonObject, ownValue } from "../../data/json.ts"
import { notStartedText } from "../closers.ts"
import type { Format } from "../format.ts"
import { arrayField, blockTag, objectField, textField } from "./fields.ts"
import { toolResultHolder } from "../../log/tool-result-holder.ts"

/** Lower-case hex SHA-256 of a text in UTF-8, handed in: ES2023 has none. */
export type Sha256 = (text: string) => string

const errorName = "ToolNotStartedError"
const errorCode = "TOOL_NOT_STARTED"

/** A tool result, by what rules ask of it. */
export interface ToolResult {
  readonly callId: string | null
  readonly messageId: string
  readonly isError: boolean
  /** The text of its content where that is exactly one text block, otherwise null. */
  readonly onlyText: string | null
  /** Whether its error says that the call was not started. */
  readonly isNotStarted: boolean
  readonly errorName: string | null
}

const onlyTextOf = (holder: JsonObject): string | null => {
  const content = arrayField(holder, "content") ?? []
  const block = content[0]
  return content.length === 1 && blockTag(block) === "text" && isJsonObject(block)
    ? textField(block, "text")
    : null
}

/** Reads the payload of a tool result of any format. */
export const toolResultOf = (format: Format, data: JsonObject): ToolResult => {
  const message = objectField(data, "message") ?? {}
  const holder = toolResultHolder(format.rules.toolResultContent, message) ?? {}
  const error = objectField(data, "error")
  return {
    callId: textField(holder, "toolCallId"),
    messageId: textField(message, "id") ?? "",
    isError: ownValue(holder, "isError") === true,
    onlyText: onlyTextOf(holder),
    isNotStarted: error !== null && textField(error, "code") === errorCode,
    errorName: error === null ? null : textField(error, "name"),
  }
}

/** Whether its error has both the code and the name of a call that was not started. */
export const hasNotStartedError = (result: ToolResult): boolean =>
  result.isNotStarted && result.errorName === errorName

/** The number at the end of an id with this prefix; null where it is not written canonically. */
export const idNumber = (id: string, prefix: string): number | null => {
  if (!id.startsWith(prefix)) return null
  const digits = id.slice(prefix.length)
  const number = Number(digits)
  return /^\d+$/.test(digits) && Number.isSafeInteger(number) && String(number) === digits
    ? number
    : null
}

/** Whether a result is what crash recovery writes for a call that never started. */
export const isInterruptedRepair = (result: ToolResult, sha256: Sha256): boolean =>
  hasNotStartedError(result) &&
  result.isError &&
  result.callId !== null &&
  idNumber(result.messageId, `interrupted-tool-result-${result.callId}-`) !== null &&
  result.onlyText !== null &&
  // longer text cannot have that many bytes, and need not be hashed
  result.onlyText.length <= notStartedText.byteCount &&
  sha256(result.onlyText) === notStartedText.sha256

/** Whether a result says of itself that a fork wrote it for a call that never started. */
export const isForkRepair = (result: ToolResult): boolean =>
  result.isNotStarted && result.messageId.startsWith("forked-tool-result-")
