import type { Token } from "./ascii.ts"
import { standsAt, tokenOf } from "./ascii.ts"
import type { Lexer } from "./lexer.ts"

// the buckets of a sample in their order, and the total, which nobody counts
const names: readonly Token[] = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
  "totalTokens",
].map((name) => tokenOf(`"${name}":`))

/**
 * Reads a usage object in plain layout: counts under known names, each at most once.
 *
 * shape   fills the buckets, 0 for one that is not there; false for any other object
 */
export const usageAt = (lexer: Lexer, from: number, buckets: number[]): boolean => {
  const { bytes, view } = lexer
  for (let bucket = 0; bucket < names.length; bucket++) buckets[bucket] = 0
  let seen = 0
  if (bytes[from] !== 123) return false
  for (let at = from + 1; ;) {
    let field = 0
    while (field < names.length && !standsAt(view, at, names[field] as Token)) field++
    if (field === names.length || (seen & (1 << field)) !== 0) return false
    seen |= 1 << field
    at = lexer.integer(at + (names[field] as Token).length)
    if (at < 0 || lexer.int < 0) return false
    buckets[field] = lexer.int
    const next = bytes[at++]
    if (next === 125) return true
    if (next !== 44) return false
  }
}
