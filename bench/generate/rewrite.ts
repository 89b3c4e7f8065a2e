import type { Agent } from "./agent.ts"
import { textBlock, type Block } from "./content.ts"
import { toolResultData, wrapsToolResults } from "./dialect.ts"
import { textOf } from "./text-source.ts"
import { messagePrice, toolResultPrice } from "./token-price.ts"
import { personMessage } from "./turn.ts"

/** Gives a tool result other content; everything else in it stays as it was. */
export const rewriteToolResult = (
  agent: Agent,
  position: number,
  content: readonly Block[],
): number => {
  const { log } = agent
  const old = log.surface.at(position)
  if (old.tool === undefined) throw new RangeError(`no tool result at position ${position}`)
  agent.rewriteCount++
  return log.replace(
    "tool/result",
    toolResultData(log.format, old.tool, content),
    {
      kind: "tool",
      tokens: toolResultPrice(content, wrapsToolResults(log.format)),
      isEmpty: false,
      imageCount: 0,
      isRewritable: true,
      tool: old.tool,
    },
    [position, position],
  )
}

/** Shortens a tool result, announced by `compaction/prune` as the pruner does. */
export const pruneToolResult = (agent: Agent, position: number): number => {
  const { log, prng } = agent
  const { seq, tokens } = log.surface.at(position)
  log.event("compaction/prune", {
    shadowedRange: { start: seq, end: seq },
    shadowedSeqs: [seq],
    shadowedTokenCount: tokens,
  })
  const head = textOf(prng, "shell", 200)
  return rewriteToolResult(agent, position, [
    textBlock(`${head}\n\n[shortened, about ${tokens} tokens before]\n\n`),
    textBlock(textOf(prng, "shell", 80)),
  ])
}

/** Replaces a message of a person by another wording. */
export const rewritePrompt = (agent: Agent, position: number, text: string): number => {
  const content = [textBlock(text)]
  agent.rewriteCount++
  return agent.log.replace(
    "user/message",
    personMessage(agent, content),
    {
      kind: "user",
      tokens: messagePrice(content),
      isEmpty: false,
      imageCount: 0,
      isRewritable: true,
    },
    [position, position],
  )
}

/** Position of a rewritable node among the newest `reach` ones, or -1. */
const pickRewritable = ({ log, prng }: Agent, reach: number, kinds: readonly string[]): number => {
  const { nodes } = log.surface
  const low = Math.max(0, nodes.length - reach)
  const from = prng.integer(low, nodes.length - 1)
  for (let at = from; at >= low; at--) {
    const node = nodes[at]
    if (node !== undefined && node.isRewritable && kinds.includes(node.kind)) return at
  }
  return -1
}

/** Rewrites one of the newest `reach` nodes of the given kinds, if there is one. */
export const rewriteSomething = (
  agent: Agent,
  reach: number,
  kinds: readonly ("tool" | "user")[],
): void => {
  const { log, prng } = agent
  const position = pickRewritable(agent, reach, kinds)
  if (position < 0) return
  if (log.surface.at(position).kind === "user") {
    rewritePrompt(agent, position, textOf(prng, "prose", 160))
  } else if (prng.chance(0.5)) {
    pruneToolResult(agent, position)
  } else {
    rewriteToolResult(agent, position, [textBlock(textOf(prng, "shell", 300))])
  }
}
