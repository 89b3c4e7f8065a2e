import { isLeft } from "fp-ts/lib/Either.js"
import * as t from "io-ts"
import type { JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { ObjectShape, Shape } from "./shape.ts"
import { extraKey, never, tagOf } from "./shape.ts"

/** An io-ts codec between any value and the JSON it is. */
export type JsonCodec = t.Type<JsonValue, JsonValue, unknown>

type Validate = t.Validate<unknown, JsonValue>

const codec = (name: string, validate: Validate): JsonCodec =>
  new t.Type(
    name,
    (value): value is JsonValue => !isLeft(validate(value, [])),
    validate,
    (value) => value,
  )

const inside = (
  inner: JsonCodec,
  key: string | number,
  value: unknown,
  context: t.Context,
): t.Validation<JsonValue> =>
  inner.validate(value, t.appendContext(context, String(key), inner, value))

const nameOf = (shape: Shape): string => {
  switch (shape.is) {
    case "leaf":
      return shape.name
    case "array":
      return shape.max === shape.min
        ? `array of ${shape.min}`
        : shape.min > 0
          ? "nonempty array"
          : "array"
    case "tagged":
      return `object with nonempty ${shape.key}`
    case "lazy":
      return nameOf(shape.shape())
    case "any":
    case "object":
      return "object"
    case "never":
      return "nothing"
  }
}

/** The io-ts codec of a shape: the same verdict as the guard, with the place of the first fault. */
export const codecOf = (shape: Shape): JsonCodec => {
  const name = nameOf(shape)
  switch (shape.is) {
    case "any":
      return codec(name, (value) => t.success(value as JsonValue))
    case "never":
      return codec(name, t.failure)
    case "leaf":
      return codec(name, (value, context) =>
        shape.test(value as JsonValue) ? t.success(value as JsonValue) : t.failure(value, context),
      )
    case "array": {
      const of = codecOf(shape.of)
      return codec(name, (value, context) => {
        if (!isJsonArray(value) || value.length < shape.min || value.length > shape.max)
          return t.failure(value, context)
        for (const [i, item] of value.entries()) {
          const inner = inside(of, i, item, context)
          if (isLeft(inner)) return inner
        }
        return t.success(value)
      })
    }
    case "object":
      return objectCodec(shape, name)
    case "tagged": {
      const cases = new Map([...shape.cases].map(([tag, s]) => [tag, codecOf(s)] as const))
      const otherwise = codecOf(shape.otherwise)
      const another = codec(`another ${shape.key}`, t.failure)
      return codec(name, (value, context) => {
        const tag = tagOf(shape.key, value as JsonValue)
        if (tag === null) return t.failure(value, context)
        // a tag without any shape is itself what is wrong
        if (shape.cases.get(tag)?.is === "never") return inside(another, shape.key, tag, context)
        return (cases.get(tag) ?? otherwise).validate(value, context)
      })
    }
    case "lazy": {
      let whole: JsonCodec | null = null
      return codec("recursive", (value, context) =>
        (whole ??= codecOf(shape.shape())).validate(value, context),
      )
    }
  }
}

const objectCodec = (shape: ObjectShape, name: string): JsonCodec => {
  const fields = [
    ...Object.entries(shape.required).map(([key, s]) => [key, codecOf(s), true] as const),
    ...Object.entries(shape.optional).map(([key, s]) => [key, codecOf(s), false] as const),
  ]
  const unknownKey = codecOf(never)
  return codec(name, (value, context) => {
    if (!isJsonObject(value)) return t.failure(value, context)
    for (const [key, field, isRequired] of fields) {
      const inner = ownValue(value, key)
      if (inner === undefined && !isRequired) continue
      // a missing required key is no JSON value, which not even `any` may accept
      const verdict =
        inner === undefined
          ? t.failure<JsonValue>(inner, t.appendContext(context, key, field, inner))
          : inside(field, key, inner, context)
      if (isLeft(verdict)) return verdict
    }
    const extra = shape.exact ? extraKey(shape, value) : null
    return extra === null ? t.success(value) : inside(unknownKey, extra, value[extra], context)
  })
}
