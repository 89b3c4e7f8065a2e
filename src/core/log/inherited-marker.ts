import type { JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"

/** The event type that ends what a session began with: a restored log, or inherited events. */
export const endSeedType = "session/end-seed"

/** Whether the payload of an end-seed says that everything before it was inherited. */
export const isInheritedMarker = (data: JsonValue | undefined): boolean =>
  data !== undefined && isJsonObject(data) && ownValue(data, "inherited") === true
