/**
 * A tokeniser as a worker is asked for it.
 *
 * shape   `vocabularyFile` is where the vocabulary of its package lies
 */
export type TokenizerSource =
  { readonly name: "o200k" } | { readonly name: "deepseek-v3"; readonly vocabularyFile: string }
