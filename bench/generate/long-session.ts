import type { Agent } from "./agent.ts"
import { compact, compactByCommand, foldableRange, lowestFoldable } from "./compaction.ts"
import { textBlock } from "./content.ts"
import { pictureMessage } from "./incidents.ts"
import { drawLength } from "./log-normal.ts"
import { rewriteSomething } from "./rewrite.ts"
import { busyStep } from "./script.ts"
import type { Shape } from "./shapes.ts"
import { closeTurn, openTurn, personMessage, promptText, runtimeContext } from "./turn.ts"

// How far back a rewrite looks: what is old is folded away rather than shortened.
const rewriteReach = 80

// Now and then a first compaction is not enough. The second one starts at the checkpoint of the
// first, whose seq is greater than those of the nodes behind it.
const foldDown = (agent: Agent, shape: Shape): void => {
  const { prng } = agent
  const retain = prng.integer(...shape.retain)
  const low = lowestFoldable(agent)
  const options = { retain, sortsSources: prng.chance(0.25) }
  // One in eight keeps the first messages as they are.
  const from = prng.chance(0.125) ? low + prng.integer(1, 4) : low
  const isStart = foldableRange(agent, retain, from) !== null
  compact(agent, isStart ? { ...options, from } : options)
  if (prng.chance(0.35)) compact(agent, { ...options, retain: Math.floor(retain / 2) })
  agent.appendsSinceCompaction = 0
}

const keepShares = (agent: Agent, shape: Shape): void => {
  // Quotas, not chances: small logs then have their share too.
  while (agent.rewriteCount < agent.toolResultCount * shape.toolRewriteShare) {
    const before = agent.rewriteCount
    rewriteSomething(agent, rewriteReach, ["tool"])
    if (agent.rewriteCount === before) break
  }
  const { nodeRewriteShare } = shape
  const wanted = (agent.appendCount * nodeRewriteShare) / (1 - nodeRewriteShare)
  while (agent.rewriteCount + 1 <= wanted) {
    const before = agent.rewriteCount
    rewriteSomething(agent, Number.POSITIVE_INFINITY, ["tool", "user"])
    if (agent.rewriteCount === before) break
  }
}

const isDue = (agent: Agent, shape: Shape): boolean =>
  shape.compactEvery !== null && agent.appendsSinceCompaction >= shape.compactEvery

/**
 * Lets an agent work until its log holds `bytes`, turn after turn.
 *
 * shape   ends at the end of a turn, so the log is a step or two longer than asked for
 */
export const workUntil = (agent: Agent, shape: Shape, bytes: number): void => {
  const { log, prng, profile } = agent
  const offloaded = new Set<number>()
  const isFull = (): boolean => log.byteCount >= bytes
  while (!isFull()) {
    const message = prng.chance(profile.incidentShare / 2)
      ? pictureMessage(agent, prng.integer(1, 3))
      : personMessage(agent, [textBlock(promptText(agent))])
    openTurn(agent, message)
    const stepCount = drawLength(prng, shape.stepsPerTurn)
    const first = agent.turn === 1 ? [message, runtimeContext(agent, "ask")] : [message]
    for (let i = 1; i <= stepCount; i++) {
      const isLast = i === stepCount || isFull()
      busyStep(agent, i === 1 ? first : [], isLast, offloaded)
      keepShares(agent, shape)
      if (isLast) break
      if (isDue(agent, shape)) foldDown(agent, shape)
    }
    closeTurn(agent)
    if (isDue(agent, shape)) compactByCommand(agent, { retain: shape.retain[0] })
  }
}
