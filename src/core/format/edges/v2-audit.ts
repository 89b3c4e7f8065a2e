import type { JsonArray, JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../../data/json.ts"
import { contentTags } from "./content-tags.ts"
import type { CauseClass, CauseDetail } from "./cause.ts"
import { mapContent, messagesOf } from "./message-slots.ts"
import { sourceKinds } from "./source-kinds.ts"

/** The text at the end of a path of keys; empty where there is none. */
export const textAt = (value: JsonValue | undefined, ...path: readonly string[]): string => {
  let inner = value
  for (const key of path)
    inner = inner !== undefined && isJsonObject(inner) ? ownValue(inner, key) : undefined
  return typeof inner === "string" ? inner : ""
}

// in a list of blocks and inside its tool results
const unknownTags = (blocks: JsonArray, into: Set<string>): void => {
  for (const block of blocks) {
    if (!isJsonObject(block)) continue
    const tag = block["type"] ?? ""
    if (typeof tag === "string" && !contentTags.has(tag)) into.add(tag)
    const inner = ownValue(block, "content")
    // lists nest no deeper than a parsed line may
    if (tag === "tool-result" && inner !== undefined && isJsonArray(inner)) unknownTags(inner, into)
  }
}

const isRepairId = (id: string, callId: string): boolean => {
  const prefix = `interrupted-tool-result-${callId}-`
  const number = id.startsWith(prefix) ? id.slice(prefix.length) : ""
  return /^(0|[1-9]\d*)$/.test(number) && Number.isSafeInteger(Number(number))
}

type Tell = (of: CauseClass, detail: CauseDetail) => void

const auditResult = (data: JsonObject, tell: Tell): void => {
  const error = ownValue(data, "error")
  if (error === undefined) return
  const message = ownValue(data, "message")
  const content = message !== undefined && isJsonObject(message) ? message["content"] : undefined
  const block = content !== undefined && isJsonArray(content) ? content[0] : undefined
  if (!isJsonObject(block) || block["isError"] !== true)
    tell("malformed", { code: "error-without-flag" })
  const id = textAt(message, "id")
  const isNotStarted = textAt(error, "code") === "TOOL_NOT_STARTED"
  if (isNotStarted && !isRepairId(id, textAt(message, "source", "callId")))
    tell("malformed", { code: "repair-id", id })
}

/** What a payload of format 2 may not hold, since format 3 knows no more: kinds, tags, repairs. */
export const auditV2 = (type: string, data: JsonObject, tell: Tell): void => {
  for (const message of messagesOf(type, data)) {
    const kind = textAt(message, "source", "kind")
    if (!sourceKinds.has(kind)) tell("unsupported", { code: "source-kind", kind })
  }
  const tags = new Set<string>()
  mapContent(type, data, {
    blocks: (blocks) => {
      unknownTags(blocks, tags)
      return blocks
    },
    tag: (tag) => {
      if (typeof tag === "string" && !contentTags.has(tag)) tags.add(tag)
      return tag
    },
  })
  for (const tag of tags) tell("unsupported", { code: "content-tag", tag })
  if (type === "tool/result") auditResult(data, tell)
}
