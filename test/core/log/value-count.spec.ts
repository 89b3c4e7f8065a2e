import { describe, expect, it } from "vitest"
import { parseLine } from "#core/log/row"
import { hasTooManyValues, maxValues } from "#core/log/value-count"

describe("the number of values in a line", () => {
  it("L47: counts what stands outside of strings", () => {
    const many = `[${"0,".repeat(maxValues)}0]`
    expect(hasTooManyValues(many)).toBe(true)
    expect(parseLine(many)).toStrictEqual({
      _tag: "Left",
      left: { code: "too-many-values", limit: maxValues },
    })
    expect(hasTooManyValues(`[${"0,".repeat(maxValues - 3)}0]`)).toBe(false)
    // commas, quotes and brackets of a text are none
    const text = JSON.stringify('",[{:\\'.repeat(maxValues / 2 + 8))
    expect(hasTooManyValues(text)).toBe(false)
    expect(parseLine(text)._tag).toBe("Right")
  })
})
