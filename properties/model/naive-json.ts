import type { JsonValue } from "#core/data/json"

/** RFC 8785 as a recursion over JSON.stringify of leaves. */
export const naiveCanonical = (value: JsonValue): string => {
  if (Array.isArray(value))
    return `[${(value as readonly JsonValue[]).map(naiveCanonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const entries = new Map(Object.entries(value))
  // the default sort is by UTF-16 code units
  const keys = [...entries.keys()].sort()
  const inner = keys.map(
    (key) => `${JSON.stringify(key)}:${naiveCanonical(entries.get(key) ?? null)}`,
  )
  return `{${inner.join(",")}}`
}

const own = (value: object): readonly PropertyDescriptor[] | null => {
  const descriptors = Reflect.ownKeys(value).map((key) => ({
    key,
    descriptor: Reflect.getOwnPropertyDescriptor(value, key),
  }))
  const isPlain = descriptors.every(
    ({ key, descriptor }) => typeof key === "string" && descriptor?.enumerable === true,
  )
  return isPlain ? descriptors.flatMap(({ descriptor }) => descriptor ?? []) : null
}

/** Whether JSON can hold a value without loss, as docs/SPEC.md says it; values without cycles. */
export const isLossless = (value: unknown, room = 1_000): boolean => {
  if (value === null || typeof value === "boolean" || typeof value === "string") return true
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== "object" || room === 0) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  if (Array.isArray(value)) {
    const isDense = Array.from({ length: value.length }, (_, i) => i).every((i) =>
      Object.hasOwn(value, i),
    )
    const isBare = Reflect.ownKeys(value).length === value.length + 1
    return (
      prototype === Array.prototype &&
      isDense &&
      isBare &&
      value.every((item) => isLossless(item, room - 1))
    )
  }
  const properties = own(value)
  return (
    (prototype === null || prototype === Object.prototype) &&
    properties !== null &&
    properties.every((each) => isLossless(each.value, room - 1))
  )
}
