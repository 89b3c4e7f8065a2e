import type { Block } from "./content.ts"

// The heuristic of the format: four UTF-16 code units a token, four tokens a block and a message.
const unitsPerToken = 4
const overhead = 4

const tokensOf = (units: number): number => Math.ceil(units / unitsPerToken)

const blockPrice = (block: Block): number => {
  switch (block.type) {
    case "text":
    case "reasoning":
      return tokensOf(block.text.length) + overhead
    case "tool-call":
      return tokensOf(block.name.length) + tokensOf(block.arguments.length) + overhead
    case "image":
    case "tool-addition":
    case "tool-removal":
      return tokensOf(JSON.stringify(block).length) + overhead
  }
}

const blocksPrice = (content: readonly Block[]): number => {
  let sum = 0
  for (const block of content) sum += blockPrice(block)
  return sum
}

/** The heuristic price of a user message, or of any message whose content is direct blocks. */
export const messagePrice = (content: readonly Block[]): number => blocksPrice(content) + overhead

/** The price of a message that derives nothing when it is empty: assistant, developer. */
export const modelMessagePrice = (content: readonly Block[]): number =>
  content.length === 0 ? 0 : messagePrice(content)

/** The price of a tool result; before format 4 its blocks sit in one more block. */
export const toolResultPrice = (content: readonly Block[], wrapped: boolean): number =>
  messagePrice(content) + (wrapped ? overhead : 0)

/** The price of a system message of one text, or of none. */
export const systemPrice = (text: string): number =>
  text === "" ? 0 : tokensOf(text.length) + overhead
