import { describe, expect, it } from "vitest"
import { tableText } from "#shell/report/table"

describe("tables", () => {
  it("C8: have as many rows as there are, more than a call can have arguments", () => {
    const columns = [{ title: "n", align: "right" }] as const
    const rowCount = 130_000
    const text = tableText(
      columns,
      Array.from({ length: rowCount }, (_, i) => [i === 99_999 ? "123" : "17"]),
    )
    const lines = (count: number): string => " 17\n".repeat(count)
    // as wide everywhere as the widest of all
    const isAsExpected = text === `  n\n${lines(99_999)}123\n${lines(30_000)}`
    expect(isAsExpected).toBe(true)
  })
})
