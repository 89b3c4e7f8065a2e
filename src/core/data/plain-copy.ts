import type { JsonValue } from "./json.ts"
import { maxDepth, numberFault } from "./lossless-json.ts"

/**
 * A detached copy of ordinary data, quickly; undefined where there is anything that is not, and
 * `losslessCopy` must say what.
 *
 * shape   enumerable keys alone: unlike there, hidden ones are left out and no fault
 * cost    a quarter of losslessCopy
 */
export const plainCopy = (value: unknown, depth = 1): JsonValue | undefined => {
  if (typeof value !== "object" || value === null) return leafCopy(value)
  if (depth > maxDepth) return undefined
  const prototype: unknown = Object.getPrototypeOf(value)
  if (Array.isArray(value)) {
    if (prototype !== Array.prototype) return undefined
    const items: JsonValue[] = []
    for (let i = 0; i < value.length; i++) {
      const item = plainCopy(value[i], depth + 1)
      if (item === undefined) return undefined
      items.push(item)
    }
    return items
  }
  if (prototype !== Object.prototype) return undefined
  const copy: Record<string, JsonValue> = {}
  for (const key of Object.keys(value)) {
    const inner = plainCopy((value as Record<string, unknown>)[key], depth + 1)
    // plain assignment to `__proto__` would set the prototype instead of keeping the key
    if (inner === undefined || key === "__proto__") return undefined
    copy[key] = inner
  }
  return copy
}

const leafCopy = (value: unknown): JsonValue | undefined => {
  if (typeof value === "string" || typeof value === "boolean" || value === null) return value
  return typeof value === "number" && numberFault(value) === null ? value : undefined
}
