import type { SurfaceTexts } from "../core/fold/surface-texts.ts"
import type { CountTokens, TextCount, TokenizedSurface } from "../core/tokens/tokenizer.ts"
import {
  addCount,
  messageCount,
  noTokens,
  textCount,
  tokenizedSurface,
} from "../core/tokens/tokenizer.ts"
import type { OpenLog } from "./log-file.ts"
import { messagesOfNodes } from "./read-log.ts"
import type { TokenizerSource } from "./tokenizer/tokenizer-source.ts"

/**
 * The tokens of the texts of a surface; each line is read again, one at a time.
 *
 * source  priced are the logged events, as by the fixed heuristic: no projection is
 */
export const countTexts = (
  log: OpenLog,
  { nodes, promptSeq, prompt, tools }: SurfaceTexts,
  tokenizer: TokenizerSource["name"],
  count: CountTokens,
): TokenizedSurface => {
  let system: TextCount = textCount(count, prompt)
  let messages: TextCount = noTokens
  for (const { seq, kind, message } of messagesOfNodes(log, nodes, [])) {
    const counted = messageCount(count, kind, message)
    if (seq === promptSeq) system = addCount(system, counted)
    else messages = addCount(messages, counted)
  }
  return tokenizedSurface(tokenizer, system, textCount(count, tools), messages)
}
