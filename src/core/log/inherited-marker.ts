import type { JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { CutRefusal } from "../data/refusal.ts"
import type { LogHeader } from "./header.ts"

/** The event type that ends what a session began with: a restored log, or inherited events. */
export const endSeedType = "session/end-seed"

/** Whether the payload of an end-seed says that everything before it was inherited. */
export const isInheritedMarker = (data: JsonValue | undefined): boolean =>
  data !== undefined && isJsonObject(data) && ownValue(data, "inherited") === true

/** The refusal of an event that marks a cut in a log whose header knows of none, or null. */
export const markerRefusal = (
  header: LogHeader,
  type: string,
  seq: number,
  data: JsonValue,
): CutRefusal | null => {
  if (type !== endSeedType || !isInheritedMarker(data)) return null
  const isAllowed = header.isSeeded && header.format.rules.inheritedCut === "marker"
  return isAllowed ? null : { code: "inherited-marker-unexpected", seq }
}
