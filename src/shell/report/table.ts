import stringWidth from "string-width"

export interface Column {
  readonly title: string
  readonly align: "left" | "right"
}

const plain = /^[ -~]*$/
const gap = "  "

// most cells are plain, and a table may have as many rows as a log has requests
const widthOf = (cell: string): number => (plain.test(cell) ? cell.length : stringWidth(cell))

/**
 * Rows in columns, without borders: the same text on a terminal and in a pipe. Characters that take
 * two places on a terminal count as two.
 */
export const tableText = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string => {
  const all = [columns.map(({ title }) => title), ...rows]
  const widths = columns.map(() => 0)
  for (const row of all)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, widthOf(cell))
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, i) => {
        const room = " ".repeat((widths[i] ?? 0) - widthOf(cell))
        return columns[i]?.align === "right" ? room + cell : cell + room
      })
      .join(gap)
      .trimEnd()
  return `${all.map(lineOf).join("\n")}\n`
}
