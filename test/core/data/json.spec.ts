import { describe, expect, it } from "vitest"
import type { JsonValue } from "#core/data/json"
import { isJsonArray, isJsonObject, jsonEqual, ownValue } from "#core/data/json"

const parsed = (text: string): JsonValue => JSON.parse(text) as JsonValue

describe("equal data", () => {
  it.each([
    ["null", "null"],
    ['"a"', '"a"'],
    ["1.0", "1"],
    ["[]", "[]"],
    ['{"a":1,"b":[2,{"c":3,"d":4}]}', '{"b":[2,{"d":4,"c":3}],"a":1}'],
    ['{"__proto__":1}', '{"__proto__":1}'],
  ])("D18: %s equals %s", (left, right) => {
    expect(jsonEqual(parsed(left), parsed(right))).toBe(true)
    expect(jsonEqual(parsed(right), parsed(left))).toBe(true)
  })

  it.each([
    ["null", "0"],
    ["0", "false"],
    ['"1"', "1"],
    ["[]", "{}"],
    ["{}", "null"],
    ["[1,2]", "[2,1]"],
    ["[1]", "[1,null]"],
    ['{"a":1}', '{"a":1,"b":1}'],
    ['{"a":null}', '{"b":null}'],
    ['{"a":{"b":1}}', '{"a":{"b":2}}'],
    // keys that every object inherits are no data
    ['{"toString":null}', "{}"],
    ['{"__proto__":null}', '{"a":null}'],
    ['{"__proto__":1}', '{"__proto__":2}'],
    ['{"__proto__":{}}', '{"a":{}}'],
  ])("D18: %s does not equal %s", (left, right) => {
    expect(jsonEqual(parsed(left), parsed(right))).toBe(false)
    expect(jsonEqual(parsed(right), parsed(left))).toBe(false)
  })

  it("D18: a missing value equals only a missing one", () => {
    expect(jsonEqual(undefined, undefined)).toBe(true)
    expect(jsonEqual(undefined, null)).toBe(false)
  })

  it("D18: 100,000 levels are compared, and use no call stack", () => {
    const deep = (leaf: string): JsonValue =>
      parsed("[".repeat(100_000) + leaf + "]".repeat(100_000))
    expect(jsonEqual(deep("1"), deep("1"))).toBe(true)
    expect(jsonEqual(deep("1"), deep("2"))).toBe(false)
  })
})

describe("objects, arrays and their own values", () => {
  it("D19: an object is neither null nor an array", () => {
    expect([{}, [], null, "x", 1, undefined].map(isJsonObject)).toStrictEqual([
      true,
      false,
      false,
      false,
      false,
      false,
    ])
    expect([{}, [], null].map(isJsonArray)).toStrictEqual([false, true, false])
  })

  it("D19: what a prototype holds is not a value of the object", () => {
    const object = parsed('{"a":null,"__proto__":{"b":1}}')
    if (!isJsonObject(object)) throw new Error("no object")
    expect(ownValue(object, "a")).toBeNull()
    expect(ownValue(object, "__proto__")).toStrictEqual({ b: 1 })
    expect(ownValue(object, "b")).toBeUndefined()
    expect(ownValue(object, "constructor")).toBeUndefined()
    expect(ownValue({}, "__proto__")).toBeUndefined()
  })
})
