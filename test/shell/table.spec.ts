import { expect, it } from "vitest"
import { tableText } from "#shell/report/table"

const columns = [
  { title: "name", align: "left" },
  { title: "count", align: "right" },
] as const

it("C8: a table of any length is text, in columns as wide as what is shown in them", () => {
  const rows = Array.from({ length: 200_000 }, (_, i) => [`row ${i}`, String(i)])
  const lines = tableText(columns, rows).split("\n")
  const shown = lines.filter((line) => line.startsWith("row "))
  expect(shown.map((line) => line.split(/\s+/))).toStrictEqual(
    rows.map(([, count = ""]) => ["row", count, count]),
  )
  expect(lines[0]).toBe("name         count")
  expect(
    tableText(columns, [
      ["漢字", "1"],
      ["é", "22"],
    ]),
  ).toBe("name  count\n漢字      1\né        22\n")
  expect(tableText(columns, [["a", "1"]])).toBe("name  count\na         1\n")
  expect(tableText(columns, [])).toBe("name  count\n")
})
