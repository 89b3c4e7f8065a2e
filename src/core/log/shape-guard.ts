import type { JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { Shape } from "./shape.ts"
import { extraKey, tagOf } from "./shape.ts"

export type Guard = (value: JsonValue) => boolean

/**
 * The fast yes-or-no test of a shape.
 *
 * cost    a closure call a described value; deeper than data/lossless-json.ts allows never comes in
 */
export const guardOf = (shape: Shape): Guard => {
  switch (shape.is) {
    case "any":
      return () => true
    case "never":
      return () => false
    case "leaf":
      return shape.test
    case "array": {
      const of = guardOf(shape.of)
      return (value) =>
        isJsonArray(value) &&
        value.length >= shape.min &&
        value.length <= shape.max &&
        value.every(of)
    }
    case "object": {
      const required = Object.entries(shape.required).map(([key, s]) => [key, guardOf(s)] as const)
      const optional = Object.entries(shape.optional).map(([key, s]) => [key, guardOf(s)] as const)
      return (value) => {
        if (!isJsonObject(value)) return false
        for (const [key, test] of required) {
          const inner = ownValue(value, key)
          if (inner === undefined || !test(inner)) return false
        }
        for (const [key, test] of optional) {
          const inner = ownValue(value, key)
          if (inner !== undefined && !test(inner)) return false
        }
        return !shape.exact || extraKey(shape, value) === null
      }
    }
    case "tagged": {
      const cases = new Map([...shape.cases].map(([tag, s]) => [tag, guardOf(s)] as const))
      const otherwise = guardOf(shape.otherwise)
      return (value) => {
        const tag = tagOf(shape.key, value)
        return tag !== null && (cases.get(tag) ?? otherwise)(value)
      }
    }
    case "lazy": {
      let guard: Guard | null = null
      return (value) => (guard ??= guardOf(shape.shape()))(value)
    }
  }
}
