import { pieceTokens } from "../../core/tokens/byte-pairs.ts"
import type { CountTokens } from "../../core/tokens/tokenizer.ts"

const ascii = /^[\0-\x7f]*$/

// one code unit a byte: such text is cut and looked up without copies
const bytesOf = (text: string): string =>
  ascii.test(text) ? text : Buffer.from(text).toString("latin1")

// pieces that are no token by themselves come again and again; this many take about 10 MB
const knownLimit = 100_000
const knownLength = 64

/**
 * Counts by o200k: the splitting and the vocabulary are those of gpt-tokenizer, the merging is our
 * own, as that of the package takes time with the square of a piece without a break.
 *
 * shape   the names of special tokens are ordinary text; half of a surrogate pair counts as U+FFFD
 */
export const loadO200k = async (): Promise<CountTokens> => {
  const { default: tokens } = await import("gpt-tokenizer/bpeRanks/o200k_base")
  const { O200KBase } = await import("gpt-tokenizer/encodingParams/o200k_base")
  const { tokenSplitRegex } = O200KBase(tokens)
  const ranks = new Map<string, number>()
  for (const [rank, token] of tokens.entries())
    if (token !== undefined)
      ranks.set(typeof token === "string" ? bytesOf(token) : String.fromCharCode(...token), rank)
  let known = new Map<string, number>()
  const count = (piece: string): number => {
    const bytes = bytesOf(piece)
    if (ranks.has(bytes)) return 1
    const before = known.get(bytes)
    if (before !== undefined) return before
    const counted = pieceTokens(ranks, bytes)
    if (known.size === knownLimit) known = new Map()
    if (bytes.length <= knownLength) known.set(bytes, counted)
    return counted
  }
  return (text) => {
    let total = 0
    for (const [piece] of text.matchAll(tokenSplitRegex)) total += count(piece)
    return total
  }
}
