import type { JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonObject } from "../../data/json.ts"
import type { SlotRefusal } from "../../data/relation-refusal.ts"
import { misplacedBlock } from "./block-tags.ts"
import { arrayField, sourceKind, textField } from "./fields.ts"
import type { LifecycleRule } from "./rule.ts"

/** Where events that are no messages themselves hold some. */
const slotKeys: Readonly<Record<string, string>> = {
  "agent/inbox/spliced": "inserted",
  "session/title-llm-request": "messages",
}

/** Messages that an event which is none itself holds, with their paths; none where it holds none. */
export const heldMessages = (
  type: string,
  data: JsonObject,
): readonly (readonly [path: readonly (string | number)[], message: JsonValue])[] => {
  const key = slotKeys[type]
  const messages = key === undefined ? null : arrayField(data, key)
  return (messages ?? []).map((message, i) => [[key ?? "", i], message] as const)
}

/** What is wrong with a message that stands where only some may, or null. */
export const slotRefusal = (
  seq: number,
  path: readonly (string | number)[],
  message: JsonValue,
): SlotRefusal | null => {
  if (!isJsonObject(message)) return { code: "message-slot-shape", seq, path }
  if (textField(message, "role") === "developer") return { code: "developer-role", seq, path }
  const kind = sourceKind(message)
  if (kind === null || kind === "" || kind === "plugin")
    return { code: "message-source", seq, path, kind }
  return misplacedBlock(seq, [...path, "content"], arrayField(message, "content"), false)
}

/**
 * A message held by an event that is none itself has a source of its own and blocks of its time.
 *
 * shape   one finding a message
 * source  rules R17 to R20 and R23 of the format
 */
export const messageSlotsRule: LifecycleRule<null> = {
  since: 4,
  reads: new Set(Object.keys(slotKeys)),
  begin: () => null,
  step: (_draft, { facts, data }, _before, findings) => {
    const { seq, type } = facts
    const key = slotKeys[type] ?? ""
    if (arrayField(data, key) === null)
      return findings.report({ code: "message-slot-shape", seq, path: [key] })
    for (const [path, message] of heldMessages(type, data)) {
      const refusal = slotRefusal(seq, path, message)
      if (refusal !== null) findings.report(refusal)
    }
  },
}
