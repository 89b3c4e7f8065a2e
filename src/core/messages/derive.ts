import type { JsonValue } from "../data/json.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import type { Message } from "./event-message.ts"
import { derivesMessage, eventMessage } from "./event-message.ts"

/**
 * The message that one event puts before the model, or null.
 *
 * shape   the object of the log itself, or the one that a projection made of it; no framing is
 *         added. Empty system, developer and assistant messages, and all events off the surface,
 *         derive nothing
 */
export const deriveEventMessage = (
  kind: SurfaceKind,
  data: JsonValue,
  projected?: Message,
): Message | null => {
  if (projected !== undefined) return projected
  const message = eventMessage(kind, data)
  return message !== null && derivesMessage(kind, message) ? message : null
}
