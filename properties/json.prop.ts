import { isDeepStrictEqual } from "node:util"
import fc from "fast-check"
import { isLeft, isRight } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import { canonicalJson } from "#core/data/canonical-json"
import type { JsonValue } from "#core/data/json"
import { jsonEqual } from "#core/data/json"
import { losslessCopy, maxDepth, parsedFault } from "#core/data/lossless-json"
import { jsonPairs, jsonValues, keys } from "./arbitraries/json.ts"
import { isLossless, naiveCanonical } from "./model/naive-json.ts"
import { fewRuns } from "./scale.ts"

const parsed = (text: string): JsonValue => JSON.parse(text) as JsonValue

const containers = (value: unknown, met: Set<object> = new Set()): Set<object> => {
  if (typeof value !== "object" || value === null) return met
  met.add(value)
  for (const inner of Object.values(value)) containers(inner, met)
  return met
}

const nested = (depth: number, kinds: readonly boolean[]): string => {
  const isArray = (level: number): boolean => kinds[level % kinds.length] === true
  const levels = Array.from({ length: depth }, (_, level) => level)
  const open = levels.map((level) => (isArray(level) ? "[" : '{"k":')).join("")
  const close = levels
    .reverse()
    .map((level) => (isArray(level) ? "]" : "}"))
    .join("")
  return `${open}null${close}`
}

describe("equality of JSON", () => {
  it("D18: jsonEqual = deep equality of the platform, whatever the order of keys", () => {
    let equal = 0
    fc.assert(
      fc.property(jsonPairs, ([a, b]) => {
        const expected = isDeepStrictEqual(a, b)
        expect(jsonEqual(a, b)).toBe(expected)
        expect(jsonEqual(b, a)).toBe(expected)
        equal += expected ? 1 : 0
      }),
    )
    expect(equal).toBeGreaterThan(0)
  })
})

describe("canonical text", () => {
  it("D15 D16: canonicalJson = a recursion over JSON.stringify, and reads back the same", () => {
    fc.assert(
      fc.property(jsonValues, (value) => {
        const text = canonicalJson(value)
        expect(text).toBe(naiveCanonical(value))
        expect(isDeepStrictEqual(parsed(text), value)).toBe(true)
      }),
    )
  })

  it("D15 D18: equal values have one text, others have two", () => {
    fc.assert(
      fc.property(jsonPairs, ([a, b]) => {
        expect(canonicalJson(a) === canonicalJson(b)).toBe(isDeepStrictEqual(a, b))
      }),
    )
  })

  it("D15: keys grow by their UTF-16 code units", () => {
    fc.assert(
      fc.property(fc.uniqueArray(keys, { maxLength: 8 }), (some) => {
        const text = canonicalJson(Object.fromEntries(some.map((key) => [key, 1])))
        // an object that is parsed again has its whole numbers first, so the text is taken apart
        const written = [...text.matchAll(/("(?:[^"\\]|\\.)*"):1/g)].map(([, key]) =>
          parsed(key ?? ""),
        )
        expect(written).toEqual([...some].sort())
      }),
    )
  })
})

class Named {
  field = 1
}

// what fc.anything does not make
const makers: readonly (() => unknown)[] = [
  () => new Named(),
  () => Object.defineProperty({ a: 1 }, "b", { value: 2, enumerable: false }),
  () => Object.assign({ a: 1 }, { [Symbol("s")]: 1 }),
  () => Object.assign([1], { more: 1 }),
  () => Object.setPrototypeOf([1], [2]) as unknown,
  () => Object.setPrototypeOf({ a: 1 }, { b: 2 }) as unknown,
  () => parsed('{"__proto__":{"polluted":true}}'),
  () => Object.assign(Object.create(null) as object, { a: 1 }),
  () => [undefined],
  () => ({ a: undefined }),
  () => () => 1,
  () => Array.from({ length: 3 }).fill(0, 1),
  () => Object.assign([1], { length: 3 }),
]

const strange = fc.constantFrom(...makers).map((make) => make())

const anything = fc.oneof(
  fc.anything({
    key: keys,
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
    maxDepth: 3,
  }),
  jsonValues,
  fc.tuple(jsonValues, strange).map(([value, odd]) => ({ value, odd })),
  strange,
)

describe("lossless JSON", () => {
  it("D1: losslessCopy takes exactly what JSON can hold, and copies it apart", () => {
    const seen = { taken: 0, refused: 0 }
    fc.assert(
      fc.property(anything, (value) => {
        const copy = losslessCopy(value)
        expect(isRight(copy)).toBe(isLossless(value))
        if (isLeft(copy)) {
          seen.refused++
          return
        }
        seen.taken++
        expect(naiveCanonical(copy.right)).toBe(naiveCanonical(value as JsonValue))
        const mine = containers(copy.right)
        for (const theirs of containers(value)) expect(mine.has(theirs)).toBe(false)
        for (const each of mine)
          expect([Object.prototype, Array.prototype]).toContain(Object.getPrototypeOf(each))
      }),
    )
    expect(Math.min(seen.taken, seen.refused)).toBeGreaterThan(0)
  })

  it("D11: parsed JSON text copies equal, a literal __proto__ key included", () => {
    fc.assert(
      fc.property(jsonValues, (value) => {
        const text = JSON.stringify(value)
        const copy = losslessCopy(parsed(text))
        expect(isLeft(copy) ? copy.left : JSON.stringify(copy.right)).toBe(text)
        expect(parsedFault(parsed(text))).toBeNull()
      }),
    )
  })

  it("D13: the path of a fault leads to it", () => {
    const bad = fc.constantFrom<unknown>(-0, NaN, Infinity, undefined, 1n, Symbol("s"), new Named())
    const path = fc.array(fc.oneof(fc.nat({ max: 3 }), keys), { maxLength: 5 })
    fc.assert(
      fc.property(bad, path, (wrong, way) => {
        const value = way.reduceRight<unknown>(
          (inner, key) =>
            typeof key === "number"
              ? [...Array.from({ length: key }, () => 0), inner, 0]
              : Object.fromEntries([
                  [`${key}-before`, 0],
                  [key, inner],
                ]),
          wrong,
        )
        const copy = losslessCopy(value)
        expect(isLeft(copy) ? copy.left.path : null).toEqual(way)
      }),
    )
  })

  it("D14: losslessCopy and parsedFault refuse the same parsed text, at the same place", () => {
    // JSON text that parses to what JSON cannot hold
    const spoilt = fc.constantFrom("-0", "1e400", "-1e999", "1", '"-0"', "0", "{}")
    const text = fc
      .tuple(jsonValues, fc.array(spoilt, { maxLength: 3 }))
      .map(
        ([value, more]) =>
          `[${[JSON.stringify(value), ...more].join(",")},{"k":[${more.join(",")}]}]`,
      )
    fc.assert(
      fc.property(text, (each) => {
        const value = parsed(each)
        const copy = losslessCopy(value)
        expect(parsedFault(value)).toEqual(isLeft(copy) ? copy.left : null)
      }),
    )
  })

  it("D12 D17: 1000 levels are taken, more are refused, and none uses the stack up", () => {
    const kinds = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 })
    const depths = fc.oneof(
      fc.integer({ min: 1, max: 3 }),
      fc.integer({ min: maxDepth - 2, max: maxDepth + 2 }),
      fc.constant(100_000),
    )
    fc.assert(
      fc.property(depths, kinds, (depth, some) => {
        const value = parsed(nested(depth, some))
        const copy = losslessCopy(value)
        const fault = parsedFault(value)
        expect(isLeft(copy) ? copy.left.what : null).toBe(depth > 1_000 ? "too-deep" : null)
        expect(fault?.what ?? null).toBe(depth > 1_000 ? "too-deep" : null)
        expect(jsonEqual(value, parsed(nested(depth, some)))).toBe(true)
        expect(canonicalJson(value)).toHaveLength(nested(depth, some).length)
      }),
      fewRuns(0.1),
    )
  })
})
