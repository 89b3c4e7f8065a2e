import { describe, expect, it } from "vitest"
import { usdText } from "#shell/report/price-text"

describe("amounts in text", () => {
  it.each([
    ["0", "0.00"],
    ["1", "0.000000000001"],
    ["280000000", "0.00028"],
    ["500000000000", "0.50"],
    ["12345678901234", "12.345678901234"],
    ["18014398509481982000000", "18014398509.481982"],
    ["1000000000000", "1.00"],
  ])("TZ27: %s pico-USD are %s USD", (picoUsd, text) => {
    expect(usdText(picoUsd)).toBe(text)
  })
})
