import type { JsonObject } from "../../data/json.ts"
import { isJsonObject } from "../../data/json.ts"
import type { TitleRefusal } from "../../data/relation-refusal.ts"
import { arrayField, blockTag, sourceKind, textField } from "./fields.ts"
import type { LifecycleRule } from "./rule.ts"

type Part = (TitleRefusal & { readonly code: "title-request-message" })["part"]

const wrongPart = (data: JsonObject): Part | null => {
  const messages = arrayField(data, "messages") ?? []
  const message = messages[0]
  if (messages.length !== 1 || !isJsonObject(message)) return "count"
  if (textField(message, "role") !== "user") return "role"
  if (sourceKind(message) !== "dsh-session-title-llm") return "source"
  const content = arrayField(message, "content") ?? []
  return content.length === 1 && blockTag(content[0]) === "text" ? null : "content"
}

/**
 * A request for a title holds one message of one text, made by the title's own producer.
 *
 * source  rule R59 of the format
 */
export const titleRequestRule: LifecycleRule<null> = {
  since: 4,
  reads: new Set(["session/title-llm-request"]),
  begin: () => null,
  step: (_draft, { facts, data }, _before, findings) => {
    const part = wrongPart(data)
    if (part !== null) findings.report({ code: "title-request-message", seq: facts.seq, part })
  },
}
