import type { JsonArray, JsonObject, JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { Message } from "../messages/event-message.ts"
import { contentOf, derivesMessage, eventMessage } from "../messages/event-message.ts"

// the fixed heuristic of the agent itself: no setting, no weighting of scripts
const charsPerToken = 4
export const blockOverhead = 4
export const roleOverhead = 4

/** Tokens of a number of UTF-16 code units; rounded up here, so that sums are never rounded. */
export const textTokens = (length: number): number => Math.ceil(length / charsPerToken)

const lengthOf = (value: JsonValue | undefined): number =>
  typeof value === "string" ? value.length : 0

const jsonLength = (value: JsonValue): number => JSON.stringify(value).length

/** A block without the mark of an offloaded image, which costs what it cost before. */
export const withoutMark = (block: JsonObject): JsonObject => {
  if (!Object.hasOwn(block, "offloaded")) return block
  const { offloaded: _, ...rest } = block
  return rest
}

/** Price of one content block of any message but a system one. */
export const blockTokens = (block: JsonValue): number => {
  if (!isJsonObject(block)) return blockOverhead + textTokens(jsonLength(block))
  const tag: unknown = ownValue(block, "type")
  switch (tag) {
    case "text":
    case "reasoning":
      return textTokens(lengthOf(ownValue(block, "text"))) + blockOverhead
    case "tool-call":
      return (
        textTokens(lengthOf(ownValue(block, "name"))) +
        textTokens(lengthOf(ownValue(block, "arguments"))) +
        blockOverhead
      )
    case "tool-result": {
      const content = ownValue(block, "content")
      return (isJsonArray(content) ? blocksTokens(content) : 0) + blockOverhead
    }
    case "image":
      return blockOverhead + textTokens(jsonLength(withoutMark(block)))
    default:
      return blockOverhead + textTokens(jsonLength(block))
  }
}

// nests no deeper than a parsed line may
const blocksTokens = (blocks: JsonArray): number => {
  let tokens = 0
  for (const block of blocks) tokens += blockTokens(block)
  return tokens
}

const systemTokens = (content: JsonArray): number => {
  let length = 0
  for (const block of content)
    length +=
      isJsonObject(block) && ownValue(block, "type") === "text"
        ? lengthOf(ownValue(block, "text"))
        : jsonLength(block)
  return textTokens(length) + roleOverhead
}

/**
 * Price of a surface event by the fixed heuristic.
 *
 * units   tokens, estimated from UTF-16 code units; 0 where no message comes of the event
 * source  token meter of the agent, format 0 to 4: 4 units a token, 4 tokens a block and a role;
 *         system text is summed before it is rounded, and has no block overhead
 */
export const messageTokens = (kind: SurfaceKind, message: Message): number => {
  if (!derivesMessage(kind, message)) return 0
  const content = contentOf(message)
  return kind === surfaceKind.system ? systemTokens(content) : blocksTokens(content) + roleOverhead
}

/** Price of one logged event; 0 where it puts no message on the surface. */
export const eventTokens = (kind: SurfaceKind, data: JsonValue): number => {
  const message = eventMessage(kind, data)
  return message === null ? 0 : messageTokens(kind, message)
}

/** Price of the tool schemas of a request header; 0 without any. */
export const toolsTokens = (tools: JsonValue | undefined): number =>
  isJsonArray(tools) && tools.length > 0 ? textTokens(jsonLength(tools)) + blockOverhead : 0

/** Price of the system text that request headers held up to format 2; 0 without any. */
export const headerSystemTokens = (system: JsonValue | undefined): number =>
  typeof system === "string" && system !== "" ? textTokens(system.length) + roleOverhead : 0
