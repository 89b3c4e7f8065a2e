import type { Agent, PendingCall } from "./agent.ts"
import { reasoningBlock, textBlock, type Block, type ToolCallBlock } from "./content.ts"
import { hasChunkEvents } from "./dialect.ts"
import { drawLength } from "./log-normal.ts"
import { writeChunkRows } from "./chunk-rows.ts"
import { streamAnswer, type Ending, type Failure, type TimedChunk } from "./stream-chunks.ts"
import { streamRecords } from "./stream-records.ts"
import { closings } from "./table-prose.ts"
import { fill, textOf } from "./text-source.ts"
import { modelMessagePrice } from "./token-price.ts"
import { planCall, type PlannedCall } from "./tool-kit.ts"

const isCall = (block: Block): block is ToolCallBlock => block.type === "tool-call"

const answerText = ({ prng, profile }: Agent): string =>
  textOf(
    prng,
    prng.chance(profile.unicodeShare) ? "unicode" : "prose",
    drawLength(prng, profile.answer),
  )

const callBlock = ({ prng }: Agent, call: PlannedCall): ToolCallBlock => ({
  type: "tool-call",
  id: `call_${prng.hex(2)}`,
  name: call.name,
  arguments: call.arguments,
})

/** Blocks of an answer that goes on with the given calls, or with calls of its own choice. */
export const workingBlocks = (agent: Agent, calls?: readonly PlannedCall[]): readonly Block[] => {
  const { prng, profile } = agent
  const blocks: Block[] = []
  if (prng.chance(profile.reasoningShare)) blocks.push(reasoningBlock(answerText(agent)))
  if (prng.chance(profile.reasoningShare)) blocks.push(textBlock(answerText(agent)))
  const count = prng.chance(profile.parallelShare) ? prng.integer(2, 3) : 1
  const planned = calls ?? Array.from({ length: count }, () => planCall(prng))
  for (const call of planned) blocks.push(callBlock(agent, call))
  return blocks
}

/** Blocks of an answer that ends the turn. */
export const closingBlocks = (agent: Agent): readonly Block[] => {
  const { prng } = agent
  return [textBlock(`${answerText(agent)}\n\n${fill(prng, prng.pick(closings))}`)]
}

const usageOf = (agent: Agent, blocks: readonly Block[]): NonNullable<Ending["usage"]> => {
  const { log, prng } = agent
  const cached = Math.floor(log.surface.tokens * 0.9)
  const reasoning = modelMessagePrice(blocks.filter((block) => block.type === "reasoning"))
  return {
    inputTokens: log.surface.tokens - cached + prng.integer(4, 400),
    outputTokens: modelMessagePrice(blocks),
    cacheReadTokens: cached,
    ...(reasoning === 0 ? {} : { reasoningTokens: reasoning }),
  }
}

const stream = (agent: Agent, blocks: readonly Block[], ending: Ending): readonly TimedChunk[] => {
  const { prng, profile, log } = agent
  if (profile.deltasPerStep === 0) return []
  return streamAnswer(prng, log.tick(), blocks, profile.deltasPerStep, ending)
}

/** An answer of the model, streamed and then recorded; its calls wait in `agent.pending`. */
export const answer = (
  agent: Agent,
  blocks: readonly Block[],
  options: {
    readonly finish?: "stop" | "tool-calls" | "max-tokens"
    readonly interrupted?: true
    readonly between?: () => void
  } = {},
): number => {
  const { log, provider, model, prng } = agent
  const calls = blocks.filter(isCall)
  const kind = options.finish ?? (calls.length === 0 ? "stop" : "tool-calls")
  // A person who interrupts cuts the stream before usage and finish arrive.
  const isCut = options.interrupted === true
  const ending: Ending = isCut ? {} : { usage: usageOf(agent, blocks), finish: { kind } }
  const chunks = stream(agent, blocks, ending)
  const message = {
    role: "assistant",
    content: blocks,
    source: { kind: "model", provider, model },
    id: prng.uuid(),
  }
  const rest = {
    ...(ending.usage === undefined ? {} : { usage: ending.usage }),
    ...(isCut ? { interrupted: true } : {}),
  }
  const node = {
    kind: "assistant" as const,
    tokens: modelMessagePrice(blocks),
    isEmpty: blocks.length === 0,
    imageCount: 0,
    isRewritable: false,
  }
  let seq: number
  if (hasChunkEvents(log.format)) {
    const sources = writeChunkRows(log, prng, agent.turn, agent.step, chunks, options.between)
    // Without a stream the citation is empty or missing; both are in use.
    const cited = sources.length > 0 || prng.chance(0.25) ? { sources } : {}
    seq = log.append("assistant/message", { ...agent.at, message, ...rest }, node, cited)
  } else {
    log.clock = chunks[chunks.length - 1]?.time ?? log.clock
    const data = { ...agent.at, message, stream: streamRecords(chunks), ...rest }
    seq = log.append("assistant/message", data, node)
  }
  agent.countAppend()
  const pending = calls.map(({ id, name, arguments: text }): PendingCall => ({
    callId: id,
    name,
    arguments: text,
    callSeq: null,
  }))
  agent.pending = [...agent.pending, ...pending]
  return seq
}

/** A try that failed before it gave an answer; only its stream is kept. */
export const failedAttempt = (agent: Agent, failure: Failure): void => {
  const { log, prng } = agent
  const partial = prng.chance(0.5) ? [reasoningBlock(textOf(prng, "prose", 60))] : []
  const chunks = stream(agent, partial, { finish: { kind: "error", failure } })
  if (hasChunkEvents(log.format)) {
    writeChunkRows(log, prng, agent.turn, agent.step, chunks)
  } else {
    log.clock = chunks[chunks.length - 1]?.time ?? log.clock
    log.event("assistant/attempt", { ...agent.at, stream: streamRecords(chunks) })
  }
}
