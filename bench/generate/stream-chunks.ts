import type { Block } from "./content.ts"
import type { Prng } from "./prng.ts"

/** Numbers a provider reports for one call. */
type Usage = {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens?: number
  readonly reasoningTokens?: number
}

export type Failure = {
  readonly message: string
  readonly code: string
  readonly status?: number
}

type FinishReason =
  | { readonly kind: "stop" | "tool-calls" | "max-tokens" }
  | { readonly kind: "error" | "aborted"; readonly failure: Failure }

/** A piece of a block while it arrives. */
export type DeltaChunk =
  | {
      readonly type: "text-delta" | "reasoning-delta"
      readonly index: number
      readonly text: string
    }
  | {
      readonly type: "tool-call-delta"
      readonly index: number
      readonly id: string
      readonly name: string
      readonly argumentsDelta: string
    }

export type StreamChunk =
  | DeltaChunk
  | { readonly type: "block-start"; readonly index: number; readonly blockType: string }
  | { readonly type: "block-end"; readonly index: number; readonly block: Block }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: FinishReason }

/** A chunk and when it came, Unix milliseconds. */
export type TimedChunk = { readonly time: number; readonly chunk: StreamChunk }

export const isDelta = (chunk: StreamChunk): chunk is DeltaChunk => chunk.type.endsWith("-delta")

export const deltaText = (chunk: DeltaChunk): string =>
  chunk.type === "tool-call-delta" ? chunk.argumentsDelta : chunk.text

/** Whether two deltas may share a packed row or a stream record. */
export const continues = (before: DeltaChunk, after: DeltaChunk): boolean =>
  before.type === after.type &&
  before.index === after.index &&
  (before.type !== "tool-call-delta" ||
    (after.type === "tool-call-delta" && before.id === after.id && before.name === after.name))

const splitsPair = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at - 1)
  return unit >= 0xd800 && unit < 0xdc00
}

/** Cuts a text into at most `count` pieces of like length; no character is cut in two. */
const piecesOf = (text: string, count: number): readonly string[] => {
  const pieces: string[] = []
  let from = 0
  for (let i = 1; i < count; i++) {
    let to = Math.floor((text.length * i) / count)
    if (splitsPair(text, to)) to++
    if (to > from) {
      pieces.push(text.slice(from, to))
      from = to
    }
  }
  pieces.push(text.slice(from))
  return pieces
}

const deltasOf = (block: Block, index: number, count: number): readonly DeltaChunk[] => {
  switch (block.type) {
    case "text":
    case "reasoning": {
      const type = block.type === "text" ? "text-delta" : "reasoning-delta"
      return piecesOf(block.text, count).map((text) => ({ type, index, text }))
    }
    case "tool-call": {
      const { id, name } = block
      // Providers name a call first and send its arguments afterwards.
      const pieces = count < 3 ? [] : [""]
      return [...pieces, ...piecesOf(block.arguments, count - pieces.length)].map(
        (argumentsDelta) => ({
          type: "tool-call-delta",
          index,
          id,
          name,
          argumentsDelta,
        }),
      )
    }
    default:
      return []
  }
}

/** How an answer ended; `usage` and `finish` are absent from an answer that was cut off. */
export type Ending = {
  readonly usage?: Usage
  readonly finish?: FinishReason
}

/**
 * The chunks of one answer, whose assembly gives `blocks` again.
 *
 * shape   each block: start, about its share of `deltaCount` pieces, end; then usage and finish
 */
export const streamAnswer = (
  prng: Prng,
  now: number,
  blocks: readonly Block[],
  deltaCount: number,
  { usage, finish }: Ending,
): readonly TimedChunk[] => {
  const chunks: TimedChunk[] = []
  let time = now
  const push = (chunk: StreamChunk): void => {
    // Most pieces come in bursts: several in one millisecond, then a pause.
    if (prng.chance(0.3)) time += prng.integer(1, 40)
    chunks.push({ time, chunk })
  }
  const share = Math.max(1, Math.floor(deltaCount / Math.max(1, blocks.length)))
  blocks.forEach((block, index) => {
    push({ type: "block-start", index, blockType: block.type })
    for (const delta of deltasOf(block, index, share)) push(delta)
    push({ type: "block-end", index, block })
  })
  if (usage !== undefined) push({ type: "usage", usage })
  if (finish !== undefined) push({ type: "finish", reason: finish })
  return chunks
}
