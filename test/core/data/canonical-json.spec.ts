import { describe, expect, it } from "vitest"
import { canonicalJson } from "#core/data/canonical-json"
import type { JsonValue } from "#core/data/json"

const canonicalOf = (text: string): string => canonicalJson(JSON.parse(text) as JsonValue)

describe("the one text of a value", () => {
  it.each<[JsonValue, string]>([
    [null, "null"],
    [true, "true"],
    [false, "false"],
    [0, "0"],
    ["", '""'],
    [[], "[]"],
    [{}, "{}"],
    [[1, [2, []], {}], "[1,[2,[]],{}]"],
    [{ a: { b: null }, c: [false] }, '{"a":{"b":null},"c":[false]}'],
  ])("D15: %j has no spaces", (value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })

  it("D15: keys stand in the order of their code units, at every level", () => {
    expect(canonicalOf('{"b":1,"a":{"d":1,"c":2},"A":[{"z":0,"10":0,"9":0}]}')).toBe(
      '{"A":[{"10":0,"9":0,"z":0}],"a":{"c":2,"d":1},"b":1}',
    )
  })

  // RFC 8785 section 3.2.2
  it("D15: numbers, strings and literals are written as the RFC's sample says", () => {
    const sample = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`
    expect(canonicalOf(sample)).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],` +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
  })

  // RFC 8785 section 3.2.3: an emoji begins with a surrogate and so comes before U+FB33
  it("D15: keys beyond the first plane are ordered by code units, not by characters", () => {
    const sample = String.raw`{
      "\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh",
      "1": "One", "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control",
      "\u00f6": "Latin Small Letter O With Diaeresis"
    }`
    const values = Object.values(JSON.parse(canonicalOf(sample)) as Record<string, string>)
    // "1" is an index, which an object always lists first
    expect(values).toStrictEqual([
      "One",
      "Carriage Return",
      "Control",
      "Latin Small Letter O With Diaeresis",
      "Euro Sign",
      "Emoji: Grinning Face",
      "Hebrew Letter Dalet With Dagesh",
    ])
    expect(canonicalOf(sample).startsWith(String.raw`{"\r":"Carriage Return","1":"One",`)).toBe(
      true,
    )
  })

  // RFC 8785 appendix B
  it.each([
    ["4.9406564584124654e-324", "5e-324"],
    ["1.7976931348623157e308", "1.7976931348623157e+308"],
    ["9007199254740992", "9007199254740992"],
    ["295147905179352825856", "295147905179352830000"],
    ["9.999999999999997e22", "9.999999999999997e+22"],
    ["1e21", "1e+21"],
    ["999999999999999900000", "999999999999999900000"],
    ["0.000001", "0.000001"],
    ["0.0000001", "1e-7"],
    ["-5e-324", "-5e-324"],
  ])("D15: the number %s is written %s", (text, canonical) => {
    expect(canonicalOf(text)).toBe(canonical)
  })

  it("D16: lone surrogates are escapes, pairs are themselves", () => {
    expect(canonicalJson("\ud800x")).toBe(String.raw`"\ud800x"`)
    expect(canonicalJson(["\udfff", "\ud83d\ude00"])).toBe(String.raw`["\udfff","😀"]`)
    expect(canonicalJson({ "\udc00": 1 })).toBe(String.raw`{"\udc00":1}`)
  })

  it("D11 D15: a key `__proto__` is written like any other", () => {
    expect(canonicalOf('{"b":1,"__proto__":{"y":1,"x":2}}')).toBe(
      '{"__proto__":{"x":2,"y":1},"b":1}',
    )
  })

  it("D17: 100,000 levels are written, and use no call stack", () => {
    const text = "[".repeat(100_000) + "]".repeat(100_000)
    expect(canonicalOf(text)).toBe(text)
  })
})
