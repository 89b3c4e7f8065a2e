import type { Agent } from "./agent.ts"
import { textBlock, type Block } from "./content.ts"
import { checkpointSource } from "./dialect.ts"
import { fill, sentenceOf, textOf } from "./text-source.ts"
import { messagePrice } from "./token-price.ts"

const preamble =
  "Checkpoint: the messages it stands for were condensed to save room. Take it as known and go on.\n\n<compacted-summary>"

const byNumber = (a: number, b: number): number => a - b

/** Lowest position a compaction may take: behind the system head, where there is one. */
export const lowestFoldable = ({ log }: Agent): number => (log.hasHead ? 1 : 0)

/**
 * The longest range of positions from `from` that leaves at least `retain` nodes and cuts no tool
 * call from its result; null if there is none.
 */
export const foldableRange = (
  { log }: Agent,
  retain: number,
  from: number,
): readonly [number, number] | null => {
  const { nodes } = log.surface
  let cut = nodes.length - Math.max(1, retain)
  while (cut > from && nodes[cut]?.kind === "tool") cut--
  return cut > from && nodes[from]?.kind !== "tool" ? [from, cut - 1] : null
}

const summaryText = ({ prng }: Agent, units: number): string => {
  const files = fill(prng, "- `{file}`\n- `{file}`")
  return `## Request\n${sentenceOf(prng)}\n\n## Files\n${files}\n\n## State\n${textOf(prng, "prose", units)}`
}

/** How one compaction is made. */
export type CompactionOptions = {
  /** Newest nodes to leave alone. */
  readonly retain: number
  /** Position of the first node to fold; the lowest foldable one when absent. */
  readonly from?: number
  /** Cites sources in numeric order, which the storage form turns into runs. */
  readonly sortsSources?: boolean
  /** Written between start and summary, while the summary is being made. */
  readonly meanwhile?: () => void
  /** Ends the attempt without a summary. */
  readonly failure?: string
  /** Leaves the last shadowed node uncited: the log is refused at the checkpoint. */
  readonly forgetsSource?: true
}

/**
 * Replaces a range of the surface by a checkpoint, in the bracket of compaction events.
 *
 * shape   false and no event where no range can be folded or a summary would not be shorter
 */
export const compact = (
  agent: Agent,
  options: CompactionOptions,
  sourceCommandId?: string,
): boolean => {
  const { log, prng, provider, model } = agent
  const range = foldableRange(agent, options.retain, options.from ?? lowestFoldable(agent))
  if (range === null) return false
  const shadowed = log.surface.nodes.slice(range[0], range[1] + 1)
  const tokenCount = shadowed.reduce((sum, node) => sum + node.tokens, 0)
  const summary: readonly Block[] = [
    textBlock(summaryText(agent, Math.min(4000, 40 + tokenCount / 16))),
  ]
  const content = [textBlock(preamble), ...summary, textBlock("</compacted-summary>")]
  if (messagePrice(content) >= tokenCount) return false
  const compactionId = prng.uuid()
  const ids = { compactionId, ...(sourceCommandId === undefined ? {} : { sourceCommandId }) }
  const turn = agent.isTurnOpen ? agent.turn : null
  const startSeq = log.event("compaction/start", { ...ids, turn })
  options.meanwhile?.()
  if (options.failure !== undefined) {
    log.event("compaction/end", { ...ids, turn, error: options.failure })
    return false
  }
  log.tick(20_000)
  const shadowedSeqs = shadowed.map((node) => node.seq)
  const summarySeq = log.event("compaction/summary", {
    ...ids,
    summary,
    shadowedRange: { start: shadowedSeqs[0], end: shadowedSeqs[shadowedSeqs.length - 1] },
    shadowedSeqs,
    shadowedTokenCount: tokenCount,
    provider,
    model,
    maxTokens: 8192,
    usage: { inputTokens: tokenCount + 300, outputTokens: messagePrice(summary) },
  })
  if (options.forgetsSource === true) log.refuseFromHere()
  log.replace(
    "user/message",
    {
      content,
      source: checkpointSource(log.format, compactionId, sourceCommandId),
      role: "user",
      id: prng.uuid(),
    },
    {
      kind: "user",
      tokens: messagePrice(content),
      isEmpty: false,
      imageCount: 0,
      isRewritable: false,
    },
    range,
    (seqs) => {
      const cited = options.forgetsSource === true ? seqs.slice(0, -1) : seqs
      const sources = [startSeq, summarySeq, ...cited]
      return options.sortsSources === true ? sources.sort(byNumber) : sources
    },
  )
  log.event("compaction/end", { ...ids, turn })
  agent.appendsSinceCompaction = 0
  return true
}

/** The same between two turns, because a person typed the command. */
export const compactByCommand = (agent: Agent, options: CompactionOptions): boolean => {
  const { log, prng } = agent
  const commandId = `cmd-${prng.hex(1)}`
  log.event("command/run", { commandId, name: "compact", source: { kind: "user" } })
  const done = compact(agent, options, commandId)
  log.event("command/done", {
    commandId,
    ...(done
      ? { kind: "success", text: "Compacted.", sourceEventSeq: log.nextSeq - 1 }
      : { kind: "error", text: "Nothing was compacted." }),
  })
  return done
}
