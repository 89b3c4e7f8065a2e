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

/** Rows in columns, without borders: the same text on a terminal and in a pipe. */
export const tableText = (
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): string => {
  const table = new Table({
    head: columns.map((column) => column.title),
    colAligns: columns.map((column) => column.align),
    chars: bare,
    // colours would end up in a pipe
    style: { head: [], border: [], "padding-left": 0, "padding-right": 0 },
  })
  for (const row of rows) table.push([...row])
  return `${table
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")}\n`
}
