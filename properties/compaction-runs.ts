import { isLeft } from "fp-ts/lib/Either.js"
import { expect } from "vitest"
import type { CompactableRange } from "#core/compaction/compactable-range"
import type { CompactionOwner, Summary } from "#core/compaction/compaction-plan"
import { compactionCommit, compactionStart } from "#core/compaction/compaction-plan"
import type { CompactionNode } from "#core/compaction/compaction-node"
import { compactionNodes } from "#core/compaction/compaction-node"
import { surfaceKind } from "#core/format/surface-kind"
import type { SessionEvent } from "#core/log/envelope"
import type { Session } from "./arbitraries/sessions.ts"
import { rowsOf } from "./arbitraries/sessions.ts"
import { noSurface, StateCarrier } from "./carriers.ts"

export const carrierOf = (session: Session): StateCarrier => {
  const carrier = new StateCarrier(noSurface(session.version))
  for (const row of rowsOf(session)) expect(carrier.offer(row)).toBeNull()
  return carrier
}

/** The live nodes; each costs a thousand tokens more on the route, so that any summary is smaller. */
export const nodesOf = ({ state, payloads }: StateCarrier): readonly CompactionNode[] => {
  const measured = state.entries.slice(0, state.size).map(({ seq, tokens }) => ({
    seq,
    tokens: tokens + 1_000,
    heuristicTokens: tokens,
  }))
  const nodes = compactionNodes(state, payloads.payloadOf, measured)
  if (isLeft(nodes)) throw new RangeError(nodes.left.code)
  return nodes.right
}

/** Any range beside a protected head; null where there is none. */
export const anyRange = (
  nodes: readonly CompactionNode[],
  a: number,
  b: number,
): CompactableRange | null => {
  const first = nodes[0]?.kind === surfaceKind.system ? 1 : 0
  if (nodes.length <= first) return null
  const [from = 0, last = 0] = [a, b]
    .map((n) => first + (n % (nodes.length - first)))
    .toSorted((x, y) => x - y)
  const shadowed = nodes.slice(from, last + 1)
  return {
    from,
    to: last + 1,
    shadowedSeqs: shadowed.map(({ seq }) => seq),
    shadowedTokens: shadowed.reduce((sum, node) => sum + node.heuristicTokens, 0),
    shadowedRouteTokens: shadowed.reduce((sum, node) => sum + node.tokens, 0),
  }
}

const owner: CompactionOwner = { compactionId: "plan", sourceCommandId: null, turn: null }
const summary: Summary = {
  content: [{ type: "text", text: "short" }],
  provider: "p",
  model: "m",
  usage: null,
}

export const offerAll = (carrier: StateCarrier, events: readonly SessionEvent[]): void => {
  for (const event of events) expect(carrier.offer(event)).toBeNull()
}

export const seqsIn = ({ state }: StateCarrier): readonly number[] =>
  state.entries.slice(0, state.size).map(({ seq }) => seq)

export const compacted = (
  carrier: StateCarrier,
  range: CompactableRange,
): { readonly events: readonly SessionEvent[]; readonly checkpoint: number } => {
  const { format } = carrier.state
  const startSeq = carrier.state.nextSeq
  const start = compactionStart(owner, { nextSeq: startSeq, timeMs: 9 })
  const commit = compactionCommit(
    format,
    { owner, startSeq, range, summary, messageId: "checkpoint" },
    { nextSeq: startSeq + 1, timeMs: 9 },
  )
  if (isLeft(commit)) throw new RangeError(commit.left.code)
  return { events: [...start, ...commit.right], checkpoint: startSeq + 2 }
}
