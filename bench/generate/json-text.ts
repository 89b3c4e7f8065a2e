const lineWidth = 100

type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonRecord
type JsonRecord = { readonly [key: string]: JsonValue }

// Numbers fill their lines; `used` is what stands before the array on its first line.
const numbersText = (numbers: readonly number[], indent: string, used: number): string => {
  const oneLine = `[${numbers.join(", ")}]`
  // One more for the comma behind it.
  if (used + oneLine.length + 1 <= lineWidth) return oneLine
  const inner = indent + "  "
  const lines: string[] = []
  let line = inner
  numbers.forEach((number, i) => {
    const text = i === numbers.length - 1 ? `${number}` : `${number},`
    const gap = line === inner ? "" : " "
    if (line.length + gap.length + text.length > lineWidth) {
      lines.push(line)
      line = inner + text
    } else {
      line += gap + text
    }
  })
  return `[\n${[...lines, line].join("\n")}\n${indent}]`
}

const valueText = (value: JsonValue, indent: string, used: number): string => {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const inner = indent + "  "
  if (Array.isArray(value)) {
    const items: readonly JsonValue[] = value
    if (items.every((item) => typeof item === "number")) return numbersText(items, indent, used)
    const rows = items.map((item) => inner + valueText(item, inner, inner.length))
    return `[\n${rows.join(",\n")}\n${indent}]`
  }
  const rows = Object.entries(value).map(([key, item]) => {
    const start = `${inner}${JSON.stringify(key)}: `
    return start + valueText(item, inner, start.length)
  })
  return rows.length === 0 ? "{}" : `{\n${rows.join(",\n")}\n${indent}}`
}

/** JSON text as the formatter of this repository would lay it out, so that it can be committed. */
export const jsonText = (value: object): string => valueText(value as JsonRecord, "", 0) + "\n"
