import { describe, expect, it } from "vitest"
import type { Column } from "#shell/report/table"
import { tableText } from "#shell/report/table"

const columns: readonly Column[] = [
  { title: "name", align: "left" },
  { title: "n", align: "right" },
  { title: "status", align: "left" },
]

describe("a table", () => {
  it("C65: has its columns as wide as a terminal shows what is in them", () => {
    const rows = [
      ["潮汐表 β", "7", "ok"],
      ["–", "1024", "torn"],
    ]
    expect(tableText(columns, rows)).toBe(
      ["name         n  status", "潮汐表 β     7  ok", "–         1024  torn", ""].join("\n"),
    )
    expect(tableText(columns, [])).toBe("name  n  status\n")
  })

  it("C65: has any number of rows", () => {
    const count = 200_000
    const lines = tableText(
      columns,
      Array.from({ length: count }, (_, i) => ["r", String(i), "ok"]),
    ).split("\n")
    expect(lines).toHaveLength(count + 2)
    expect(lines[1]).toBe("r          0  ok")
    expect(lines[count]).toBe("r     199999  ok")
  })
})
