import stringWidth from "string-width"

export interface Column {
  readonly title: string
  readonly align: "left" | "right"
}

const gap = "  "
const ascii = /^[ -~]*$/

/** Places that a text takes on a terminal; most texts are ASCII, and quickly told. */
const widthOf = (text: string): number => (ascii.test(text) ? text.length : stringWidth(text))

/**
 * Rows in columns, without borders: the same text on a terminal and in a pipe.
 *
 * cost    linear in the rows: a log may have a hundred thousand requests
 */
export const tableText = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string => {
  const all = [columns.map(({ title }) => title), ...rows]
  const widths = columns.map((_, i) =>
    all.reduce((widest, row) => Math.max(widest, widthOf(row[i] ?? "")), 0),
  )
  const cellText = (text: string, i: number): string => {
    const space = " ".repeat(Math.max(0, (widths[i] ?? 0) - widthOf(text)))
    return columns[i]?.align === "right" ? space + text : text + space
  }
  return all.map((row) => `${row.map(cellText).join(gap).trimEnd()}\n`).join("")
}
