import fc from "fast-check"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { Shape } from "#core/log/shape"
import {
  any,
  arrayOf,
  boolean,
  count,
  exactly,
  lazy,
  never,
  nonempty,
  object,
  oneOf,
  positive,
  record,
  safeInt,
  string,
  tagged,
} from "#core/log/shape"
import { isArray, isObject } from "../model/naive-row.ts"
import { jsonValues } from "./json.ts"

const text = fc.string({ minLength: 1, maxLength: 4 })

const leaves: Readonly<Record<string, fc.Arbitrary<JsonValue>>> = {
  string: fc.string({ maxLength: 4 }),
  "nonempty string": text,
  boolean: fc.boolean(),
  number: fc.integer(),
  count: fc.nat(),
  "positive count": fc.integer({ min: 1, max: 99 }),
  "safe integer": fc.integer(),
  object: fc.constant({ some: "field" }),
  "absolute path": fc.constantFrom("/w", "C:\\w", "\\\\host\\w"),
  "object of reasoningEffort or maxTokens, each true": fc.constantFrom<JsonObject>(
    { maxTokens: true },
    { maxTokens: true, reasoningEffort: true },
  ),
}

// what `oneOf` was given stands in its name, as JSON
const leafValues = (name: string): fc.Arbitrary<JsonValue> =>
  leaves[name] ??
  fc.constantFrom(...name.split(" or ").map((each) => JSON.parse(each) as JsonValue))

const objectOf = (
  required: readonly (readonly [string, fc.Arbitrary<JsonValue>])[],
  optional: readonly (readonly [string, fc.Arbitrary<JsonValue>])[],
): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      fc.tuple(...required.map(([, value]) => value)),
      fc.tuple(...optional.map(([, value]) => fc.option(value, { nil: undefined }))),
    )
    .map(([values, more]) =>
      Object.fromEntries([
        ...required.map(([key], i) => [key, values[i] ?? null] as const),
        ...optional.flatMap(([key], i) => {
          const value = more[i]
          return value === undefined ? [] : [[key, value] as const]
        }),
      ]),
    )

const fields = (
  shapes: Readonly<Record<string, Shape>>,
  room: number,
): readonly (readonly [string, fc.Arbitrary<JsonValue>])[] =>
  Object.entries(shapes).map(([key, shape]) => [key, valuesOf(shape, room - 1)] as const)

/** Values that a shape takes, but for `never` and for what nests deeper than `room`. */
const valuesOf = (shape: Shape, room = 6): fc.Arbitrary<JsonValue> => {
  switch (shape.is) {
    case "any":
      return jsonValues
    case "never":
      return fc.constant("never")
    case "leaf":
      return leafValues(shape.name)
    case "array": {
      const maxLength = room <= 0 ? shape.min : Math.min(shape.max, shape.min + 2)
      return fc.array(valuesOf(shape.of, room - 1), { minLength: shape.min, maxLength })
    }
    case "object":
      return objectOf(fields(shape.required, room), room <= 0 ? [] : fields(shape.optional, room))
    case "tagged": {
      const { key, otherwise } = shape
      const cases = [...shape.cases].map(([tag, of]) =>
        valuesOf(of, room - 1).map((value) => withTag(value, key, tag)),
      )
      const other = fc
        .tuple(valuesOf(otherwise, room - 1), text)
        .map(([value, tag]) => withTag(value, key, tag))
      return fc.oneof(...cases, other)
    }
    case "lazy":
      return room <= 0 ? fc.constant(null) : valuesOf(shape.shape(), room - 1)
  }
}

const withTag = (value: JsonValue, key: string, tag: string): JsonValue =>
  isObject(value) ? { ...value, [key]: tag } : { [key]: tag }

const strays: readonly JsonValue[] = [
  null,
  "",
  "text",
  0,
  -1,
  1.5,
  2 ** 53,
  true,
  false,
  [],
  {},
  [null],
  { plugin: "x", kind: "plugin" },
  { type: "tool-result" },
  { type: "" },
]

/** Drops, adds or exchanges something at one place of a value. */
const spoilt = (
  value: JsonValue,
  at: readonly number[],
  how: number,
  stray: JsonValue,
): JsonValue => {
  const [here = 0, ...rest] = at
  if (isArray(value)) {
    const index = here % Math.max(1, value.length)
    if (at.length > 1 && value.length > 0)
      return value.map((item, i) => (i === index ? spoilt(item, rest, how, stray) : item))
    if (how === 0) return value.filter((_, i) => i !== index)
    return how === 1 ? [...value, stray] : value.map((item, i) => (i === index ? stray : item))
  }
  if (!isObject(value)) return stray
  const entries = Object.entries(value)
  const index = here % Math.max(1, entries.length)
  if (at.length > 1 && entries.length > 0)
    return Object.fromEntries(
      entries.map(([key, inner], i) => [
        key,
        i === index ? spoilt(inner, rest, how, stray) : inner,
      ]),
    )
  if (how === 0) return Object.fromEntries(entries.filter((_, i) => i !== index))
  if (how === 1) return { ...value, [here % 2 === 0 ? "stray" : "constructor"]: stray }
  return Object.fromEntries(entries.map(([key, inner], i) => [key, i === index ? stray : inner]))
}

/** Values that a shape takes, values one change away from them, and now and then any other. */
export const nearValuesOf = (shape: Shape): fc.Arbitrary<JsonValue> => {
  const right = valuesOf(shape)
  const path = fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 6 })
  const near = fc
    .tuple(right, path, fc.nat({ max: 2 }), fc.constantFrom(...strays))
    .map(([value, at, how, stray]) => spoilt(value, at, how, stray))
  return fc.oneof(
    { arbitrary: right, weight: 3 },
    { arbitrary: near, weight: 6 },
    { arbitrary: jsonValues, weight: 1 },
  )
}

const leafShapes: readonly Shape[] = [
  any,
  never,
  string,
  nonempty,
  boolean,
  count,
  positive,
  safeInt,
  record,
  oneOf("a", "b"),
  oneOf(1, true),
]

const keyed = (shape: fc.Arbitrary<Shape>): fc.Arbitrary<Record<string, Shape>> =>
  fc.dictionary(fc.constantFrom("a", "b", "c", "type", "__proto__", "constructor"), shape, {
    maxKeys: 3,
  })

/** Shapes of every sort, nested a few levels, among them ones that contain themselves. */
export const shapes: fc.Arbitrary<Shape> = fc.letrec<{ readonly shape: Shape }>((tie) => ({
  shape: fc.oneof(
    { depthSize: "small", maxDepth: 3 },
    fc.constantFrom(...leafShapes),
    fc
      .tuple(tie("shape"), fc.nat({ max: 2 }), fc.option(fc.nat({ max: 2 }), { nil: Infinity }))
      .map(([of, min, more]) => arrayOf(of, min, min + more)),
    fc.tuple(keyed(tie("shape")), keyed(tie("shape"))).map((each) => object(...each)),
    fc.tuple(keyed(tie("shape")), keyed(tie("shape"))).map((each) => exactly(...each)),
    fc.tuple(keyed(tie("shape")), tie("shape")).map(([cases, of]) => tagged("type", cases, of)),
    tie("shape").map((shape) => lazy(() => shape)),
    tie("shape").map((shape) => {
      const itself: Shape = object({ a: shape }, { more: lazy(() => itself) })
      return itself
    }),
  ),
})).shape
