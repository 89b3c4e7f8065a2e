import type { CountTokens } from "../../core/tokens/tokenizer.ts"
import { loadDeepseekV3 } from "./deepseek-v3.ts"
import { loadO200k } from "./o200k.ts"
import type { TokenizerSource } from "./tokenizer-source.ts"

// a vocabulary takes longer to load than most logs to read: once a worker
const loaded: Map<TokenizerSource["name"], Promise<CountTokens>> = new Map()

/** The tokeniser that was asked for. Its packages are loaded by the first one who asks. */
export const loadTokenizer = (source: TokenizerSource): Promise<CountTokens> => {
  const known = loaded.get(source.name)
  if (known !== undefined) return known
  const tokenizer = source.name === "o200k" ? loadO200k() : loadDeepseekV3(source.vocabularyFile)
  loaded.set(source.name, tokenizer)
  return tokenizer
}
