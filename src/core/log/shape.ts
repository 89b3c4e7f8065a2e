import { isCount, isSafeInt } from "../data/count.ts"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"

/**
 * A shape of JSON, described once as data. The fast guard and the explaining io-ts codec are both
 * derived from it; properties/shape.prop.ts holds them equal.
 */
export type Shape =
  | { readonly is: "any" | "never" }
  | {
      readonly is: "leaf"
      readonly name: string
      readonly test: (value: JsonValue) => boolean
      /** All values that pass, where they can be listed. */
      readonly values?: readonly Literal[]
    }
  | { readonly is: "array"; readonly of: Shape; readonly min: number; readonly max: number }
  | ObjectShape
  | {
      readonly is: "tagged"
      readonly key: string
      readonly cases: ReadonlyMap<string, Shape>
      readonly otherwise: Shape
    }
  | { readonly is: "lazy"; readonly shape: () => Shape }

type Literal = string | number | boolean

export interface ObjectShape {
  readonly is: "object"
  readonly required: Readonly<Record<string, Shape>>
  readonly optional: Readonly<Record<string, Shape>>
  /** Whether other keys are refused. */
  readonly exact: boolean
}

/** A shape with a test of its own; the name is what an explanation says was expected. */
export const leaf = (name: string, test: (value: JsonValue) => boolean): Shape => ({
  is: "leaf",
  name,
  test,
})

export const any: Shape = { is: "any" }
export const never: Shape = { is: "never" }
export const string: Shape = leaf("string", (value) => typeof value === "string")
export const nonempty: Shape = leaf("nonempty string", (v) => typeof v === "string" && v !== "")
export const boolean: Shape = leaf("boolean", (value) => typeof value === "boolean")
export const count: Shape = leaf("count", isCount)
export const positive: Shape = leaf("positive count", (value) => isCount(value) && value > 0)
export const safeInt: Shape = leaf("safe integer", isSafeInt)
export const record: Shape = leaf("object", isJsonObject)

export const oneOf = (...values: readonly Literal[]): Shape => ({
  is: "leaf",
  name: values.map((value) => JSON.stringify(value)).join(" or "),
  test: (value) => values.some((allowed) => allowed === value),
  values,
})

export const arrayOf = (of: Shape, min = 0, max: number = Infinity): Shape => ({
  is: "array",
  of,
  min,
  max,
})

/** Required and optional keys; other keys are kept. */
export const object = (
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): ObjectShape => ({ is: "object", required, optional, exact: false })

/** Required and optional keys and no others. */
export const exactly = (
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): ObjectShape => ({ is: "object", required, optional, exact: true })

/** A shape picked by the nonempty string under `key`. */
export const tagged = (
  key: string,
  cases: Readonly<Record<string, Shape>>,
  otherwise: Shape = any,
): Shape => ({ is: "tagged", key, cases: new Map(Object.entries(cases)), otherwise })

export const lazy = (shape: () => Shape): Shape => ({ is: "lazy", shape })

/** An object shape with some keys described anew. */
export const extend = (
  base: ObjectShape,
  required: Readonly<Record<string, Shape>>,
  optional: Readonly<Record<string, Shape>> = {},
): ObjectShape => ({
  ...base,
  required: { ...base.required, ...required },
  optional: { ...base.optional, ...optional },
})

/** The tag under `key`, or null where there is none to pick a case by. */
export const tagOf = (key: string, value: JsonValue): string | null => {
  const tag = isJsonObject(value) ? ownValue(value, key) : undefined
  return typeof tag === "string" && tag !== "" ? tag : null
}

/** A key that an exact object shape does not name, or null. */
export const extraKey = (shape: ObjectShape, value: JsonObject): string | null => {
  for (const key of Object.keys(value))
    if (!Object.hasOwn(shape.required, key) && !Object.hasOwn(shape.optional, key)) return key
  return null
}
