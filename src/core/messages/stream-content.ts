import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { JsonArray, JsonObject, JsonValue } from "../data/json.ts"

/** A block of a stream that is neither ended nor of a kind that deltas can build. */
export interface StreamRefusal {
  readonly code: "stream-block-open"
  readonly index: number
  readonly blockType: string
}

interface OpenBlock {
  type: string
  /** What came at its end, and stands for all of its deltas. */
  whole: JsonValue | undefined
  id: string
  name: string
  text: string
}

const textAt = (record: JsonObject, key: string): string => {
  const value = ownValue(record, key)
  return typeof value === "string" ? value : ""
}

const deltaTypes: ReadonlyMap<string, string> = new Map([
  ["text-delta", "text"],
  ["text-chunks", "text"],
  ["reasoning-delta", "reasoning"],
  ["reasoning-chunks", "reasoning"],
  ["tool-call-delta", "tool-call"],
  ["tool-call-chunks", "tool-call"],
])

const piecesOf = (record: JsonObject): string => {
  const pieces = ownValue(record, "texts") ?? ownValue(record, "args")
  if (!isJsonArray(pieces)) return textAt(record, "text") + textAt(record, "argumentsDelta")
  let text = ""
  for (const piece of pieces) if (typeof piece === "string") text += piece
  return text
}

/** Blocks as they grow, in the order in which they were first seen. */
class BlockList {
  private readonly blocks: Map<number, OpenBlock> = new Map()
  private isCutShort = false

  take(record: JsonObject): void {
    const type = textAt(record, "type")
    if (type === "chunk") {
      const chunk = ownValue(record, "chunk")
      if (isJsonObject(chunk)) this.takeChunk(chunk, textAt(chunk, "type"))
    } else this.takeChunk(record, type)
  }

  seal(): Either<StreamRefusal, JsonArray> {
    const content: JsonValue[] = []
    for (const [index, block] of this.blocks) {
      const value = block.whole ?? assembled(block, index)
      if (value === null) return left({ code: "stream-block-open", index, blockType: block.type })
      const isCall = isJsonObject(value) && ownValue(value, "type") === "tool-call"
      if (!(isCall && this.isCutShort)) content.push(value)
    }
    return right(content)
  }

  private takeChunk(chunk: JsonObject, type: string): void {
    if (type === "finish") {
      const reason = ownValue(chunk, "reason")
      this.isCutShort = isJsonObject(reason) && ownValue(reason, "kind") === "max-tokens"
      return
    }
    const index = ownValue(chunk, "index")
    if (typeof index !== "number") return
    const delta = deltaTypes.get(type)
    if (delta !== undefined) {
      const block = this.at(index, delta)
      block.text += piecesOf(chunk)
      block.id = textAt(chunk, "id") || block.id
      block.name = textAt(chunk, "name") || block.name
    } else if (type === "block-start") this.at(index, textAt(chunk, "blockType"))
    else if (type === "block-end") {
      const block = this.at(index, "")
      block.whole ??= ownValue(chunk, "block")
    }
  }

  private at(index: number, type: string): OpenBlock {
    const open = this.blocks.get(index)
    if (open !== undefined) return open
    const block = { type, whole: undefined, id: "", name: "", text: "" }
    this.blocks.set(index, block)
    return block
  }
}

const assembled = ({ type, id, name, text }: OpenBlock, index: number): JsonObject | null => {
  switch (type) {
    case "text":
    case "reasoning":
      return { type, text }
    case "tool-call":
      return { type, id: id === "" ? `call-${index}` : id, name, arguments: text }
    default:
      return null
  }
}

/**
 * The content that a recorded stream comes to, as the model sent it.
 *
 * shape   blocks in the order in which they were first seen; tool calls of an answer that was cut
 *         short for its length are left out. Records of another shape say nothing
 * errors  stream-block-open
 * source  log format, section on streams (formats 2 to 4)
 */
export const streamContent = (stream: JsonArray): Either<StreamRefusal, JsonArray> => {
  const blocks = new BlockList()
  for (const record of stream) if (isJsonObject(record)) blocks.take(record)
  return blocks.seal()
}
