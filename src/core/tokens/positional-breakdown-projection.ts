import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import { surfaceKind } from "../format/surface-kind.ts"
import { surfaceOp } from "../log/event-facts.ts"
import { arrayOf, boolean, count, exactly, safeInt } from "../log/shape.ts"
import { shapeCodec } from "../projection/codec.ts"
import { placedRange } from "../surface/placed-range.ts"
import type { Breakdown } from "./breakdown.ts"
import { breakdownShape, headerToolsTokens, noBreakdown, revisedBreakdown } from "./breakdown.ts"
import type { TokenEvent } from "./token-event.ts"
import type { TokenProjection, TokenRefusal } from "./token-projection.ts"
import { pricedTypes } from "./token-projection.ts"

/** A live node and its price by the fixed heuristic. */
export interface PricedNode {
  readonly seq: number
  readonly heuristicTokens: number
  readonly system: boolean
}

/** The live nodes in surface order, and what they come to. */
export interface PositionalBreakdown {
  readonly nodes: readonly PricedNode[]
  readonly breakdown: Breakdown
}

const promptTokens = (nodes: readonly PricedNode[]): number =>
  nodes.findLast((node) => node.system && node.heuristicTokens > 0)?.heuristicTokens ?? 0

const sumOf = (nodes: readonly PricedNode[]): number => {
  let sum = 0
  for (const node of nodes) sum += node.heuristicTokens
  return sum
}

const changed = (
  { breakdown }: PositionalBreakdown,
  nodes: readonly PricedNode[],
  delta: number,
): PositionalBreakdown => {
  const system = promptTokens(nodes)
  const total = breakdown.systemTokens + breakdown.messageTokens + delta
  return {
    nodes,
    breakdown: revisedBreakdown(breakdown, system, breakdown.toolsTokens, total - system),
  }
}

const apply = (
  state: PositionalBreakdown,
  { facts, data, tokens }: TokenEvent,
): Either<TokenRefusal, PositionalBreakdown> => {
  const { nodes, breakdown } = state
  if (facts.type === "request/header") {
    const { systemTokens, messageTokens } = breakdown
    const after = revisedBreakdown(breakdown, systemTokens, headerToolsTokens(data), messageTokens)
    return right(after === breakdown ? state : { nodes, breakdown: after })
  }
  if (facts.kind === surfaceKind.none) return right(state)
  const { seq } = facts
  const node = { seq, heuristicTokens: tokens, system: facts.kind === surfaceKind.system }
  if (facts.op !== surfaceOp.replace) return right(changed(state, [...nodes, node], tokens))
  const range = placedRange({ placeOf: (at) => nodes.findIndex((each) => each.seq === at) }, facts)
  if (isLeft(range)) return range
  const { from, to } = range.right
  const after = nodes.toSpliced(from, to - from + 1, node)
  return right(changed(state, after, tokens - sumOf(nodes.slice(from, to + 1))))
}

/**
 * The breakdown by live nodes: exact for every replacement, whoever made it.
 *
 * errors  endpoint-not-on-surface, range-reversed
 * cost    the live nodes an event; PositionalDraft is for many events at once
 * law     TK1 in properties/tokens.prop.ts: the sum of the prices of the live nodes
 * source  token meter of the agent, `contextBreakdown` state version 5
 */
export const positionalBreakdown: TokenProjection<PositionalBreakdown, Breakdown> = {
  key: "contextBreakdown",
  stateVersion: 5,
  codec: shapeCodec(
    exactly({
      nodes: arrayOf(exactly({ seq: safeInt, heuristicTokens: count, system: boolean })),
      breakdown: breakdownShape,
    }),
  ),
  viewCodec: shapeCodec(breakdownShape),
  reads: pricedTypes("request/header"),
  init: () => ({ nodes: [], breakdown: noBreakdown }),
  apply,
  view: (state) => state.breakdown,
}
