import { isLeft } from "fp-ts/lib/Either.js"
import { compactableRange } from "#core/compaction/compactable-range"
import type { CompactionNode } from "#core/compaction/compaction-node"
import { compactionNodes } from "#core/compaction/compaction-node"
import {
  compactionCommit,
  compactionFailure,
  compactionStart,
} from "#core/compaction/compaction-plan"
import type { LogEnd } from "#core/compaction/planned-events"
import { prunableResults, pruneEvents } from "#core/compaction/prune-plan"
import { contentOf } from "#core/messages/event-message"
import type { JsonObject } from "#core/data/json"
import { payloadIn } from "#core/request/request-log"
import { rightOf } from "../../test/core/surface/events.ts"
import type { SimulatedAgent } from "./agent.ts"

const nodesOf = ({ session: { log } }: SimulatedAgent): readonly CompactionNode[] => {
  const { surface } = log
  const measured = surface.entries
    .slice(0, surface.size)
    .map(({ seq, tokens }) => ({ seq, tokens, heuristicTokens: tokens }))
  return rightOf(compactionNodes(surface, payloadIn(log), measured))
}

const endOf = (agent: SimulatedAgent): LogEnd => ({ nextSeq: agent.length, timeMs: 0 })

/** Compacts what may be compacted, in a turn or between two; a summary that gains nothing fails. */
export const compact = (agent: SimulatedAgent, turn: number | null, retainTokens: number): void => {
  const range = rightOf(compactableRange(nodesOf(agent), retainTokens))
  if (range === null) return
  const { format } = agent.session.header
  const { provider, model } = agent.asked
  const owner = { compactionId: agent.world.newId("compaction"), sourceCommandId: null, turn }
  const startSeq = agent.length
  agent.appendPlanned(compactionStart(owner, endOf(agent)))
  const content = [{ type: "text", text: "much was said" }]
  const summary = { content, provider, model, usage: null }
  const messageId = agent.world.newId("user")
  const commit = compactionCommit(
    format,
    { owner, startSeq, range, summary, messageId },
    endOf(agent),
  )
  agent.appendPlanned(
    isLeft(commit) ? compactionFailure(owner, commit.left.code, endOf(agent)) : commit.right,
  )
}

const settings = { thresholdChars: 120, headChars: 30, tailChars: 30 }

/** Shortens the long tool results of an open turn. */
export const prune = (agent: SimulatedAgent): void => {
  const { format } = agent.session.header
  const results = rightOf(prunableResults(format, nodesOf(agent), settings))
  agent.appendPlanned(pruneEvents(format, results, endOf(agent)))
}

/** Marks all images of users as offloaded. */
export const offload = (agent: SimulatedAgent): void => {
  const targets = nodesOf(agent).flatMap(({ seq, message }) => {
    const images = (contentOf(message) as readonly JsonObject[]).filter(
      (block) => block["type"] === "image",
    )
    const fresh = images.flatMap((block, i) => (block["offloaded"] === true ? [] : [i]))
    return fresh.length === 0 ? [] : [{ seq, imageIndexes: fresh }]
  })
  if (targets.length > 0) agent.append({ type: "image/offload", data: { targets } })
}
