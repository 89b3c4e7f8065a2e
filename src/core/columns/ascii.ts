/** ASCII text to compare with bytes, four at a time; the names of a format hold nothing else. */
export interface Token {
  readonly length: number
  readonly words: Int32Array
  /** What of the last word counts. */
  readonly lastMask: number
}

export const tokenOf = (text: string): Token => {
  const words = new Int32Array(Math.ceil(text.length / 4))
  for (let at = 0; at < text.length; at++)
    words[at >> 2] = (words[at >> 2] as number) | (text.charCodeAt(at) << ((at & 3) * 8))
  const rest = text.length & 3
  return { length: text.length, words, lastMask: rest === 0 ? -1 : (1 << (rest * 8)) - 1 }
}

/** Whether a token stands at a place; up to three bytes behind it are read, not compared. */
export const standsAt = (view: DataView, at: number, token: Token): boolean => {
  const { words } = token
  const last = words.length - 1
  for (let word = 0; word < last; word++)
    if (view.getInt32(at + word * 4, true) !== words[word]) return false
  return (view.getInt32(at + last * 4, true) & token.lastMask) === words[last]
}
