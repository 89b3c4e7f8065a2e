import { isCount } from "../../data/count.ts"
import type { JsonArray, JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../../data/json.ts"

// Most payloads are not checked by anybody before a rule reads them: what is not there, or is
// something else, is null.

/** The text under a key, or null. */
export const textField = (object: JsonObject, key: string): string | null => {
  const value = ownValue(object, key)
  return typeof value === "string" ? value : null
}

/** The number under a key, or null. */
export const numberField = (object: JsonObject, key: string): number | null => {
  const value = ownValue(object, key)
  return typeof value === "number" ? value : null
}

/** The count under a key, or null. */
export const countField = (object: JsonObject, key: string): number | null => {
  const value = ownValue(object, key)
  return isCount(value) ? value : null
}

/** The object under a key, or null. */
export const objectField = (object: JsonObject, key: string): JsonObject | null => {
  const value = ownValue(object, key)
  return isJsonObject(value) ? value : null
}

/** The array under a key, or null. */
export const arrayField = (object: JsonObject, key: string): JsonArray | null => {
  const value = ownValue(object, key)
  return isJsonArray(value) ? value : null
}

/** The kind of a message's source, or null. */
export const sourceKind = (message: JsonObject): string | null => {
  const source = objectField(message, "source")
  return source === null ? null : textField(source, "kind")
}

/** The tag of a content block, or null. */
export const blockTag = (block: JsonValue | undefined): string | null =>
  isJsonObject(block) ? textField(block, "type") : null
