/** Most values that one line may hold: what a parser makes of them must fit into memory. */
export const maxValues = 8_000_000

const quote = 34
const backslash = 92

/**
 * Whether JSON text may hold more than `maxValues` values: each but the first follows a comma, a
 * colon or an opening bracket outside of strings.
 *
 * cost    nothing for text that is too short to hold so many; otherwise one look at each character
 */
export const hasTooManyValues = (text: string): boolean => {
  if (text.length <= maxValues) return false
  let values = 1
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === quote) isInString = !isInString
    else if (isInString) {
      if (char === backslash) at++
    } else if (char === 44 || char === 58 || char === 91 || char === 123) values++
    if (values > maxValues) return true
  }
  return false
}
