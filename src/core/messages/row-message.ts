import type { JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import { deriveEventMessage } from "./derive.ts"
import type { Message } from "./event-message.ts"

/** The message of a row that was accepted before and is read again, or null. */
export const rowMessage = (
  kind: SurfaceKind,
  row: JsonValue,
  projected: Message | undefined,
): Message | null => {
  const data = isJsonObject(row) ? ownValue(row, "data") : undefined
  return deriveEventMessage(kind, data ?? null, projected)
}
