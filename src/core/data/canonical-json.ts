import { byCodeUnits } from "./code-units.ts"
import { defect } from "./defect.ts"
import type { JsonValue } from "./json.ts"
import { isJsonArray, isJsonObject } from "./json.ts"

// text that is written as it stands; values are still to be written
interface Raw {
  readonly raw: string
}

const raw = (text: string): { readonly text: Raw } => ({ text: { raw: text } })
type Todo = { readonly text: Raw } | { readonly value: JsonValue }

/**
 * The one JSON text of a value: RFC 8785 (JSON Canonicalization Scheme).
 *
 * shape   no spaces, object keys in order of their UTF-16 code units, numbers as ECMAScript prints
 *         them; lone surrogates, which RFC 8785 leaves out, as `\udXXX` escapes
 * cost    the length of the text; does not use the call stack for depth
 * source  RFC 8785 §3.2
 */
export const canonicalJson = (value: JsonValue): string => {
  let text = ""
  const todo: Todo[] = [{ value }]
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    if ("text" in next) {
      text += next.text.raw
      continue
    }
    const item = next.value
    if (isJsonArray(item)) {
      todo.push(raw("]"))
      for (let i = item.length - 1; i >= 0; i--) {
        todo.push({ value: item[i] ?? null })
        if (i > 0) todo.push(raw(","))
      }
      text += "["
    } else if (isJsonObject(item)) {
      const keys = Object.keys(item).sort(byCodeUnits)
      todo.push(raw("}"))
      for (let i = keys.length - 1; i >= 0; i--) {
        const key = keys[i] ?? defect("no such key")
        todo.push({ value: item[key] ?? null }, raw(`${i > 0 ? "," : ""}${JSON.stringify(key)}:`))
      }
      text += "{"
    } else text += JSON.stringify(item)
  }
  return text
}
