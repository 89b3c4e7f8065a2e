import fc from "fast-check"
import { isRight } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import type { JsonValue } from "#core/data/json"
import { formats } from "#core/format/catalog"
import { checkOf } from "#core/log/shape-check"
import type { ShapeCheck } from "#core/log/shape-check"
import type { Shape } from "#core/log/shape"
import { nearValuesOf, shapes } from "./arbitraries/shapes.ts"
import { fewRuns } from "./scale.ts"

/** What a shape means, as a recursion. */
const fits = (shape: Shape, value: JsonValue): boolean => {
  const isRecord = typeof value === "object" && value !== null && !Array.isArray(value)
  switch (shape.is) {
    case "any":
      return true
    case "never":
      return false
    case "leaf":
      return shape.test(value)
    case "lazy":
      return fits(shape.shape(), value)
    case "array": {
      const items = Array.isArray(value) ? (value as readonly JsonValue[]) : null
      return (
        items !== null &&
        items.length >= shape.min &&
        items.length <= shape.max &&
        items.every((item) => fits(shape.of, item))
      )
    }
    case "object": {
      if (!isRecord) return false
      const entries = new Map(Object.entries(value))
      const required = new Map(Object.entries(shape.required))
      const optional = new Map(Object.entries(shape.optional))
      for (const [key, inner] of required)
        if (!entries.has(key) || !fits(inner, entries.get(key) ?? null)) return false
      for (const [key, inner] of optional)
        if (entries.has(key) && !fits(inner, entries.get(key) ?? null)) return false
      const isKnown = (key: string): boolean => required.has(key) || optional.has(key)
      return !shape.exact || [...entries.keys()].every(isKnown)
    }
    case "tagged": {
      const tag = isRecord ? new Map(Object.entries(value)).get(shape.key) : undefined
      if (typeof tag !== "string" || tag === "") return false
      return fits(shape.cases.get(tag) ?? shape.otherwise, value)
    }
  }
}

/** Walks a path as far as it goes; the last key alone may be missing. */
const leadsSomewhere = (value: JsonValue, path: readonly (string | number)[]): boolean => {
  let inner: unknown = value
  for (const key of path) {
    if (typeof inner !== "object" || inner === null) return false
    inner = new Map(Object.entries(inner)).get(String(key))
  }
  return true
}

const verdictsAgree = (shape: Shape, check: ShapeCheck, value: JsonValue): boolean => {
  const expected = fits(shape, value)
  const decoded = check.codec.decode(value)
  const fault = check.fault(value)
  expect(check.guard(value)).toBe(expected)
  expect(isRight(decoded)).toBe(expected)
  expect(check.codec.is(value)).toBe(expected)
  expect(fault === null).toBe(expected)
  if (isRight(decoded)) expect(decoded.right).toBe(value)
  if (fault !== null) expect(leadsSomewhere(value, fault.path)).toBe(true)
  return expected
}

describe("the guard and the codec of one shape", () => {
  it("agree for shapes of every sort", () => {
    const seen = { taken: 0, refused: 0 }
    const cases = shapes.chain((shape) => fc.tuple(fc.constant(shape), nearValuesOf(shape)))
    fc.assert(
      fc.property(cases, ([shape, value]) => {
        seen[verdictsAgree(shape, checkOf(shape), value) ? "taken" : "refused"]++
      }),
    )
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(0)
  })

  it.each(formats)("agree for header and payloads of format $version", (format) => {
    const named: readonly (readonly [string, Shape, ShapeCheck])[] = [
      ["header", format.rules.header, format.header],
      ...Object.entries(format.rules.payloads).map(
        ([type, shape]) => [type, shape, checkOf(shape)] as const,
      ),
    ]
    for (const [name, shape, check] of named) {
      const seen = { taken: 0, refused: 0 }
      fc.assert(
        fc.property(nearValuesOf(shape), (value) => {
          seen[verdictsAgree(shape, check, value) ? "taken" : "refused"]++
        }),
        fewRuns(0.5),
      )
      expect([name, Math.min(seen.taken, seen.refused) > 0]).toEqual([name, true])
    }
  })
})
