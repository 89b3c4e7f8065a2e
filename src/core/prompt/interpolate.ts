import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { byCodeUnits } from "../data/code-units.ts"
import type { RenderRefusal, TextOwner } from "./refusal.ts"

/** What a variable may be called. */
export const variableName: RegExp = /^[a-z][a-z0-9_]*$/

export type Variables = Readonly<Record<string, string | undefined>>

const excerptLength = 16

/** Where the complete group that opens at `open` closes, −1 where there is none. */
const closeOf = (text: string, open: number): number => {
  let at = open + 2
  while (at < text.length && text[at] !== "{" && text[at] !== "}") at++
  return text.startsWith("}}", at) ? at : -1
}

/**
 * A text with its references `{{name}}` replaced by values, which are not looked at again.
 *
 * shape   `{{` without a `}}` behind it is prose, and so are single braces and a lone `}}`
 * errors  the first reference that is malformed, or unknown, or has no value; never empty text
 *         in place of one
 * cost    the length of the text
 * law     PM68, PM69 in properties/prompt.prop.ts
 */
export const interpolated = (
  text: string,
  variables: Variables,
  owner: TextOwner,
): Either<RenderRefusal, string> => {
  let open = text.indexOf("{{")
  if (open < 0) return right(text)
  const lastClose = text.lastIndexOf("}}")
  let result = ""
  let cursor = 0
  for (; open >= 0; open = text.indexOf("{{", cursor)) {
    result += text.slice(cursor, open)
    const close = closeOf(text, open)
    if (close >= 0) {
      const name = text.slice(open + 2, close)
      cursor = close + 2
      if (!variableName.test(name))
        return left({ code: "reference-malformed", owner, excerpt: text.slice(open, cursor) })
      if (!Object.hasOwn(variables, name)) {
        const known = Object.keys(variables).sort(byCodeUnits)
        return left({ code: "reference-unknown", owner, name, known })
      }
      const value = variables[name]
      if (value === undefined) return left({ code: "reference-without-value", owner, name })
      result += value
    } else if (lastClose >= open + 2) {
      const excerpt = text.slice(open, open + excerptLength)
      return left({ code: "reference-malformed", owner, excerpt })
    } else {
      result += "{{"
      cursor = open + 2
    }
  }
  return right(result + text.slice(cursor))
}
