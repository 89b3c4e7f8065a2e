import { isRight } from "fp-ts/lib/Either.js"
import { isCount } from "../data/count.ts"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { EnvelopeRefusal, PayloadRefusal, ShapeFault } from "../data/refusal.ts"
import type { SlotRefusal } from "../data/relation-refusal.ts"
import { envelopeFacts } from "../log/envelope.ts"
import { payloadRefusal } from "../log/payload.ts"
import { developerBinding } from "../surface/developer-binding.ts"
import type { Format } from "./format.ts"
import { blockTagsRule, misplacedInPayload } from "./lifecycle/block-tags.ts"
import { sourceKind } from "./lifecycle/fields.ts"
import { wrongForkPart } from "./lifecycle/fork-result.ts"
import { heldMessages, slotRefusal } from "./lifecycle/message-slots.ts"

// the first format that asks anything of rows that it drops
const since = 3

const retired: ReadonlySet<string> = new Set(["tool/code-dispatch-start", "tool/code-dispatch"])

const headerFault = ({ version }: Format, data: JsonValue): ShapeFault | null => {
  const header = isJsonObject(data) ? ownValue(data, "header") : undefined
  if (isJsonObject(header) && Object.hasOwn(header, "system"))
    return { path: ["header", "system"], expected: "nothing" }
  if (version < 4) return null
  if (!isJsonObject(header))
    return { path: isJsonObject(data) ? ["header"] : [], expected: "object" }
  const tools = ownValue(header, "tools")
  for (const [i, tool] of (isJsonArray(tools) ? tools : []).entries())
    if (isJsonObject(tool) && Object.hasOwn(tool, "deferLoading") && tool["deferLoading"] !== true)
      return { path: ["header", "tools", i, "deferLoading"], expected: "true" }
  return null
}

/** The fault of a payload that is checked whole, but for what only the core asks of its source. */
const messageFault = (format: Format, type: string, data: JsonValue): ShapeFault | null => {
  const fault = payloadRefusal(format, { type, seq: 0 }, data)?.fault ?? null
  if (type !== "system/message" || fault === null || !isJsonObject(data)) return fault
  const message = ownValue(data, "message")
  if (message === undefined) return null
  if (fault.path[0] !== "message" || fault.path[1] !== "source") return fault
  const kind = isJsonObject(message) ? sourceKind(message) : null
  const isKind = kind !== null && kind !== "" && kind !== "plugin"
  return format.version < 4 || isKind ? null : fault
}

/** The messages of a payload whose sources and blocks alone are asked for. */
const looseMessages = (type: string, data: JsonObject): ReturnType<typeof heldMessages> => {
  if (type === "user/message") return [[[], data]]
  const message = type === "assistant/message" ? ownValue(data, "message") : undefined
  return message === undefined ? heldMessages(type, data) : [[["message"], message]]
}

const ofSlot = (refusal: SlotRefusal | null): ShapeFault | null =>
  refusal === null ? null : { path: refusal.path, expected: `no ${refusal.code}` }

const looseFault = (type: string, data: JsonObject): ShapeFault | null => {
  for (const [path, message] of looseMessages(type, data)) {
    const refusal = isJsonObject(message) ? slotRefusal(0, path, message) : null
    if (refusal !== null) return ofSlot(refusal)
  }
  return blockTagsRule.reads.has(type) ? ofSlot(misplacedInPayload(0, type, data)) : null
}

const forkFault = (format: Format, value: JsonObject, data: JsonObject): ShapeFault | null => {
  const facts = envelopeFacts(format, value)
  const part = isRight(facts) ? wrongForkPart(format, { facts: facts.right, data }) : null
  return part === null ? null : { path: [], expected: `fork result with its ${part}` }
}

// the header that it names may have been dropped
const bindingFault = (data: JsonValue): ShapeFault | null =>
  developerBinding(0, data, () => null)?.code === "header-seq-shape"
    ? { path: ["headerSeq"], expected: "count beside an addition, else nothing" }
    : null

const faultOf = (format: Format, type: string, value: JsonObject): ShapeFault | null => {
  const data = ownValue(value, "data") ?? null
  if (type === "request/header") return headerFault(format, data)
  if (type === "system/message") return messageFault(format, type, data)
  if (format.version < 4) return null
  if (type === "developer/message") return messageFault(format, type, data) ?? bindingFault(data)
  if (type === "tool/result")
    return (
      messageFault(format, type, data) ??
      (isJsonObject(data) ? forkFault(format, value, data) : null)
    )
  return isJsonObject(data) ? looseFault(type, data) : null
}

/**
 * What a reader of formats 3 and 4 throws for a row by itself, wherever it stands: also where it
 * would be dropped with a torn tail.
 *
 * shape   null for a row that may be dropped. Containers that are missing or of another type are
 *         left to reading, and so are all rows of earlier formats
 * source  facts of the log format 1.6, 4.2 and 9
 */
export const hardRefusal = (
  format: Format,
  value: JsonValue,
): EnvelopeRefusal | PayloadRefusal | null => {
  if (format.version < since || !isJsonObject(value)) return null
  const type = ownValue(value, "type")
  if (typeof type !== "string") return null
  const isRetired = retired.has(type) && ownValue(value, "ignorable") !== true
  const fault = format.kinds.has(type) ? faultOf(format, type, value) : null
  if (!isRetired && fault === null) return null
  const seq = ownValue(value, "seq")
  if (!isCount(seq))
    return { code: "envelope-shape", seq: null, fault: { path: ["seq"], expected: "count" } }
  return fault === null
    ? { code: "event-type-unknown", seq, type }
    : { code: "payload-shape", seq, type, fault }
}
