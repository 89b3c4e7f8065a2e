import Table from "cli-table3"

export interface Column {
  readonly title: string
  readonly align: "left" | "right"
}

const bare = {
  top: "",
  "top-mid": "",
  "top-left": "",
  "top-right": "",
  bottom: "",
  "bottom-mid": "",
  "bottom-left": "",
  "bottom-right": "",
  left: "",
  "left-mid": "",
  mid: "",
  "mid-mid": "",
  right: "",
  "right-mid": "",
  middle: "  ",
}

// the table takes time with the square of its rows, and more of them than a call can have arguments
// end it: long ones are put together of slices that have the same widths
const sliceLength = 500

const sliceOf = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  colWidths: readonly number[],
): { readonly text: string; readonly widths: readonly number[] } => {
  const table = new Table({
    colAligns: columns.map((column) => column.align),
    colWidths: [...colWidths],
    chars: bare,
    // colours would end up in a pipe
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  })
  for (const row of rows) table.push([...row])
  const text = table.toString()
  return { text, widths: table.options.colWidths.map((width) => width ?? 0) }
}

/** Rows in columns, without borders: the same text on a terminal and in a pipe. */
export const tableText = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string => {
  const all = [columns.map((column) => column.title), ...rows]
  const slices: (readonly (readonly string[])[])[] = []
  for (let from = 0; from < all.length; from += sliceLength)
    slices.push(all.slice(from, from + sliceLength))
  const widths = columns.map(() => 0)
  for (const slice of slices)
    for (const [i, width] of sliceOf(columns, slice, []).widths.entries())
      widths[i] = Math.max(widths[i] ?? 0, width)
  return slices
    .flatMap((slice) => sliceOf(columns, slice, widths).text.split("\n"))
    .map((line) => `${line.trimEnd()}\n`)
    .join("")
}
