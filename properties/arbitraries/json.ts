import fc from "fast-check"
import type { JsonValue } from "#core/data/json"

const strings = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("", "\ud800", "a\udfff", "\u2028", "\u0000", '"\\', "é", "𝄞"),
)

/** Keys, among them those that objects inherit and those that sort unlike they read. */
export const keys: fc.Arbitrary<string> = fc.oneof(
  strings,
  fc.constantFrom("__proto__", "constructor", "toString", "length", "1", "10", "2", "\ufb33", "𝄞"),
)

const numbers = fc.oneof(
  fc.integer(),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => (Object.is(value, -0) ? 0 : value)),
  fc.constantFrom(1e21, 1e-7, 5e-324, Number.MAX_SAFE_INTEGER, -1, 0.1, 1e23),
)

const leaves = fc.oneof(fc.constant(null), fc.boolean(), numbers, strings)

/** Anything that JSON text can hold: own `__proto__` keys and lone surrogates included. */
export const jsonValues: fc.Arbitrary<JsonValue> = fc.letrec<{ readonly value: JsonValue }>(
  (tie) => ({
    value: fc.oneof(
      { depthSize: "small", maxDepth: 5 },
      leaves,
      fc.array(tie("value"), { maxLength: 4 }),
      fc
        .array(fc.tuple(keys, tie("value")), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries)),
    ),
  }),
).value

/** A value and one place in it: the path of keys and indexes picks by `at`, modulo what is there. */
export const changed = (value: JsonValue, at: readonly number[], leaf: JsonValue): JsonValue => {
  const [here = 0, ...rest] = at
  if (typeof value !== "object" || value === null || at.length === 0) return leaf
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[]
    if (items.length === 0) return [leaf]
    const index = here % items.length
    return items.map((item, i) => (i === index ? changed(item, rest, leaf) : item))
  }
  const entries = Object.entries(value)
  if (entries.length === 0) return { added: leaf }
  const index = here % entries.length
  return Object.fromEntries(
    entries.map(([key, inner], i) => [key, i === index ? changed(inner, rest, leaf) : inner]),
  )
}

const shuffled = (value: JsonValue): JsonValue => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(shuffled)
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, shuffled(inner)]),
  )
}

/** Two values: the same with its keys in another order, one that was changed, or any two. */
export const jsonPairs: fc.Arbitrary<readonly [JsonValue, JsonValue]> = fc.oneof(
  jsonValues.map((value) => [value, shuffled(value)] as const),
  fc
    .tuple(jsonValues, fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 4 }), leaves)
    .map(([value, at, leaf]) => [value, shuffled(changed(value, at, leaf))] as const),
  fc.tuple(jsonValues, jsonValues),
)
