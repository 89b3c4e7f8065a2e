import { describe, expect, it } from "vitest"
import { isCount, isSafeInt } from "#core/data/count"
import { refusalSeq } from "#core/data/refusal"

const highest = 9_007_199_254_740_991

describe("whole numbers", () => {
  it.each([0, 1, 42, highest])("D20: %d is a count and a safe integer", (value) => {
    expect(isCount(value)).toBe(true)
    expect(isSafeInt(value)).toBe(true)
  })

  it.each([-1, -highest])("D20: %d is a safe integer and no count", (value) => {
    expect(isCount(value)).toBe(false)
    expect(isSafeInt(value)).toBe(true)
  })

  it.each([-0, 0.5, highest + 1, -highest - 1, NaN, Infinity, "1", null, undefined, true, [1], 1n])(
    "D20: %s is neither",
    (value) => {
      expect(isCount(value)).toBe(false)
      expect(isSafeInt(value)).toBe(false)
    },
  )
})

describe("refusals", () => {
  it("D21: a refusal names its event where there is one", () => {
    expect(refusalSeq({ code: "sources-empty", seq: 7 })).toBe(7)
    expect(refusalSeq({ code: "row-not-object", seq: null })).toBeNull()
    expect(refusalSeq({ code: "invalid-json" })).toBeNull()
  })
})
