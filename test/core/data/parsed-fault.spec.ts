import { describe, expect, it } from "vitest"
import type { JsonValue } from "#core/data/json"
import { parsedFault } from "#core/data/lossless-json"

const faultIn = (text: string): unknown => parsedFault(JSON.parse(text) as JsonValue)

describe("parsed text that could not be written again", () => {
  it.each([
    "null",
    "0",
    '""',
    "[]",
    "{}",
    '{"a":[1,-1,1.5,1e300,{"b":[true,null,"-0"]}],"__proto__":{"x":0}}',
    "9007199254740993",
    "1e-400",
  ])("D14: %s has no fault", (text) => {
    expect(faultIn(text)).toBeNull()
  })

  it.each<[string, (string | number)[]]>([
    ["-0", []],
    ["-0.0", []],
    ["-1e-400", []],
    ["[1,[-0]]", [1, 0]],
    ['{"a":{"b":-0}}', ["a", "b"]],
    ['{"__proto__":-0}', ["__proto__"]],
  ])("D14: %s is a negative zero", (text, path) => {
    expect(faultIn(text)).toStrictEqual({ what: "negative-zero", path })
  })

  it.each<[string, (string | number)[]]>([
    ["1e400", []],
    ["[-1e400]", [0]],
    ['{"a":[0,1e309]}', ["a", 1]],
  ])("D14: %s is not finite", (text, path) => {
    expect(faultIn(text)).toStrictEqual({ what: "non-finite", path })
  })

  it("D12 D14: 1000 levels have no fault, 1001 are too deep", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth)
    expect(faultIn(nested(1000))).toBeNull()
    expect(faultIn(nested(1001))).toMatchObject({ what: "too-deep" })
    expect(faultIn(`{"a":${nested(999)}}`)).toBeNull()
    expect(faultIn(`{"a":${nested(1000)}}`)).toMatchObject({ what: "too-deep" })
  })

  it("D12 D14: 100,000 levels are too deep, and use no call stack", () => {
    const objects = '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000)
    expect(faultIn(objects)).toMatchObject({ what: "too-deep" })
  })
})
