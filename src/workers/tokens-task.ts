import { countTexts } from "./count-texts.ts"
import { withOpenLog } from "./log-file.ts"
import type { TokensReply, TokensRequest } from "./task-protocol.ts"
import { loadTokenizer } from "./tokenizer/load-tokenizer.ts"

/** Counts the tokens of a part of a surface that was folded elsewhere. */
export default async ({
  source,
  identity,
  texts,
  tokenizer,
}: TokensRequest): Promise<TokensReply> => {
  const count = await loadTokenizer(tokenizer)
  return withOpenLog(source, identity, (log) => ({
    is: "counted",
    tokenized: countTexts(log, texts, tokenizer.name, count),
  }))
}
