/** What JSON text can hold. Objects keep every own key, a literal `__proto__` included. */
export type JsonValue = null | boolean | number | string | JsonArray | JsonObject
export type JsonArray = readonly JsonValue[]
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** Whether a value is a JSON object: neither null nor an array. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isJsonArray = (value: unknown): value is JsonArray => Array.isArray(value)

/** An own property, or undefined; never one that was inherited from a prototype. */
export const ownValue = (object: JsonObject, key: string): JsonValue | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

/** Whether two JSON values hold the same data, whatever the order of their keys. */
export const jsonEqual = (left: JsonValue | undefined, right: JsonValue | undefined): boolean => {
  // pairs still to compare, flat: a deep value must not use the call stack
  const open: (JsonValue | undefined)[] = [left, right]
  while (open.length > 0) {
    const b = open.pop()
    const a = open.pop()
    if (a === b) continue
    if (isJsonArray(a)) {
      if (!isJsonArray(b) || a.length !== b.length) return false
      for (let i = 0; i < a.length; i++) open.push(a[i], b[i])
    } else if (isJsonObject(a)) {
      if (!isJsonObject(b)) return false
      const keys = Object.keys(a)
      if (keys.length !== Object.keys(b).length) return false
      for (const key of keys) {
        if (!Object.hasOwn(b, key)) return false
        open.push(a[key], b[key])
      }
    } else return false
  }
  return true
}
