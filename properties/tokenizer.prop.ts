import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { pieceTokens } from "#core/tokens/byte-pairs"
import type { CountTokens } from "#core/tokens/tokenizer"
import { textCount } from "#core/tokens/tokenizer"
import { tokenizerSource } from "#shell/tokenizer"
import { loadTokenizer } from "#workers/tokenizer/load-tokenizer"
import { fewRuns } from "./scale.ts"
import { expectAllSeen } from "./seen.ts"

const loaded = async (name: string): Promise<CountTokens> => {
  const source = tokenizerSource(name)
  if (source === null) throw new Error(`${name} loads nothing`)
  return loadTokenizer(source)
}

const bits = [
  ...Array.from("abcdeE 12=/.,\n\t'\"-<|>中文字é\u0301😀"),
  "\ud800",
  "\r\n",
  "'s",
  "  ",
  "the ",
  " of",
]
const words = [
  "hello",
  " world",
  "function",
  "。",
  "你好",
  "<|endoftext|>",
  "<｜User｜>",
  "{}",
  "=>",
]

const texts = fc
  .array(fc.oneof(fc.constantFrom(...bits), fc.constantFrom(...words)), { maxLength: 60 })
  .map((parts) => parts.join(""))

// of a package that looks for the next pair in all of a piece, as long as it has the patience
const longPieces = fc
  .record({ of: fc.constantFrom(...bits), times: fc.integer({ min: 2, max: 1500 }), end: texts })
  .map(({ of, times, end }) => of.repeat(times) + end)

const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

describe("tokenisers", () => {
  let o200k: CountTokens = () => 0
  let deepseek: CountTokens = () => 0

  beforeAll(async () => {
    o200k = await loaded("o200k")
    deepseek = await loaded("deepseek-v3")
  })

  it("TZ5: o200k comes to the numbers of its package", () => {
    fc.assert(
      fc.property(fc.oneof(texts, longPieces, fc.string({ unit: "binary" })), (text) => {
        expect(o200k(text)).toBe(countTokens(text, asText))
      }),
    )
  })

  it("TZ5: pairs are merged as anybody would merge them, in any vocabulary", () => {
    const seen = { merged: 0, kept: 0 }
    const vocabulary = fc.uniqueArray(
      fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 2, maxLength: 5 }),
      { maxLength: 25 },
    )
    const pieces = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 40 })
    fc.assert(
      fc.property(vocabulary, pieces, (tokens, piece) => {
        const ranks = new Map([...["a", "b", "c"], ...tokens].map((token, rank) => [token, rank]))
        const parts = [...piece]
        while (!ranks.has(parts.join(""))) {
          const pairs = parts.slice(1).map((part, i) => ranks.get(`${parts[i]}${part}`) ?? Infinity)
          const lowest = Math.min(...pairs)
          if (lowest === Infinity) break
          const at = pairs.indexOf(lowest)
          parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`)
        }
        const expected = ranks.has(piece) ? 1 : parts.length
        expect(pieceTokens(ranks, piece)).toBe(expected)
        if (expected < piece.length) seen.merged++
        else seen.kept++
      }),
    )
    expectAllSeen(seen)
  })

  it("TZ6: slices add up to the text where they are exact", () => {
    const seen = { exact: 0, cut: 0 }
    const lengths = { wanted: 3, longest: 30 }
    fc.assert(
      fc.property(fc.oneof(texts, longPieces), (text) => {
        for (const count of [o200k, deepseek]) {
          const { tokens, isExact } = textCount(count, text, lengths)
          if (isExact) expect(tokens).toBe(count(text))
          if (isExact && text.length > lengths.longest) seen.exact++
          if (!isExact) seen.cut++
        }
      }),
      fewRuns(0.5),
    )
    expectAllSeen(seen)
  })
})
