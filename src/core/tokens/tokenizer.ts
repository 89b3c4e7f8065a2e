import type { SurfaceKind } from "../format/surface-kind.ts"
import type { Message } from "../messages/event-message.ts"
import { messageTexts } from "./message-texts.ts"
import type { SliceLengths } from "./text-slices.ts"
import { textSlices } from "./text-slices.ts"

/** What tokens can be counted by. */
export const tokenizerNames = ["heuristic", "o200k", "deepseek-v3"] as const

export type TokenizerName = (typeof tokenizerNames)[number]

/** Tokens of some texts; `isExact` where a tokeniser said so of all of them. */
export interface TextCount {
  readonly tokens: number
  readonly isExact: boolean
}

export const noTokens: TextCount = { tokens: 0, isExact: true }

export const addCount = (a: TextCount, b: TextCount): TextCount => ({
  tokens: a.tokens + b.tokens,
  isExact: a.isExact && b.isExact,
})

/** Counts the tokens of one text, of which it knows nothing else. */
export type CountTokens = (text: string) => number

/** Tokens of a text of any length. */
export const textCount = (count: CountTokens, text: string, lengths?: SliceLengths): TextCount => {
  let total = noTokens
  for (const slice of textSlices(text, lengths))
    total = addCount(total, { tokens: count(slice.text), isExact: slice.isExact })
  return total
}

/** Tokens of the texts of a message; exact where it holds nothing but text. */
export const messageCount = (
  count: CountTokens,
  kind: SurfaceKind,
  message: Message,
): TextCount => {
  let total = noTokens
  messageTexts(kind, message, (text, isText) => {
    const { tokens, isExact } = textCount(count, text)
    total = addCount(total, { tokens, isExact: isExact && isText })
  })
  return total
}

/**
 * The surface in tokens of one tokeniser.
 *
 * shape   `exact` where the tokeniser counted each text of the surface whole and there was nothing
 *         but text. That is all it says: what a provider puts around texts is not public, and no
 *         part of it
 */
export interface TokenizedSurface {
  readonly tokenizer: TokenizerName
  readonly exact: boolean
  readonly system: number
  readonly tools: number
  readonly messages: number
  readonly total: number
}

/** The figures of a surface by its parts. */
export const tokenizedSurface = (
  tokenizer: TokenizerName,
  system: TextCount,
  tools: TextCount,
  messages: TextCount,
): TokenizedSurface => ({
  tokenizer,
  exact: system.isExact && tools.isExact && messages.isExact,
  system: system.tokens,
  tools: tools.tokens,
  messages: messages.tokens,
  total: system.tokens + tools.tokens + messages.tokens,
})

/** The sum of two surfaces of one tokeniser. */
export const addTokenized = (a: TokenizedSurface, b: TokenizedSurface): TokenizedSurface => ({
  tokenizer: a.tokenizer,
  exact: a.exact && b.exact,
  system: a.system + b.system,
  tools: a.tools + b.tools,
  messages: a.messages + b.messages,
  total: a.total + b.total,
})
