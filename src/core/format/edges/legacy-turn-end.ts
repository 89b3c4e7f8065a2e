import type { JsonObject } from "../../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../../data/json.ts"
import type { ShapeFault } from "../../data/refusal.ts"
import { checkOf } from "../../log/shape-check.ts"
import { exactly, safeInt, string } from "../../log/shape.ts"
import { failure } from "./frozen-payloads.ts"

/** A row that was written before format 0 was frozen, as the frozen format has it. */
export interface NormalRow {
  readonly type: string
  readonly data: JsonObject
  /** What is wrong with the older shape, or null. */
  readonly fault: ShapeFault | null
}

const failedStep = checkOf(exactly({ kind: string, step: safeInt, failure }))
const failedStepText = checkOf(
  exactly({ kind: string, step: safeInt, message: string }, { code: string }),
)

/** The end of a turn with a reason from before the freeze as the frozen one. */
export const normalEnd = (data: JsonObject): NormalRow => {
  const type = "turn/end"
  const reason = ownValue(data, "reason")
  const kept: NormalRow = { type, data, fault: null }
  if (reason === undefined || !isJsonObject(reason)) return kept
  const ended = (next: JsonObject, fault: ShapeFault | null = null): NormalRow => ({
    type,
    data: { ...data, reason: next },
    fault: fault === null ? null : { ...fault, path: ["reason", ...fault.path] },
  })
  const isAlone = Object.keys(reason).length === 1
  const kind = reason["kind"]
  switch (typeof kind === "string" ? kind : "") {
    case "aborted":
      return isAlone ? ended({ kind: "aborted", reason: { kind: "legacy" } }) : kept
    case "disposed":
      return isAlone ? ended({ kind: "aborted", reason: { kind: "disposed" } }) : kept
    case "error": {
      if (Object.hasOwn(reason, "failure"))
        return ended({ kind: "error", error: reason["failure"] ?? null }, failedStep.fault(reason))
      if (!Object.hasOwn(reason, "step") && !Object.hasOwn(reason, "message")) return kept
      const error = { message: reason["message"] ?? null, code: reason["code"] ?? "UNKNOWN" }
      return ended({ kind: "error", error }, failedStepText.fault(reason))
    }
    default:
      return kept
  }
}

/** A request header without the prefix of messages that early ones had. */
export const normalHeader = (data: JsonObject): NormalRow => {
  const type = "request/header"
  const header = ownValue(data, "header")
  if (header === undefined || !isJsonObject(header) || !Object.hasOwn(header, "messagePrefix"))
    return { type, data, fault: null }
  const { messagePrefix, ...rest } = header
  const fault: ShapeFault | null =
    messagePrefix !== undefined && isJsonArray(messagePrefix)
      ? null
      : { path: ["header", "messagePrefix"], expected: "array" }
  return { type, data: { ...data, header: rest }, fault }
}
