import { right } from "fp-ts/lib/Either.js"
import { isSafeInt } from "../data/count.ts"
import { endSeedType } from "../log/inherited-marker.ts"
import { checkOf } from "../log/shape-check.ts"
import type { ObjectShape } from "../log/shape.ts"
import { count, exactly, leaf, safeInt } from "../log/shape.ts"
import type { TokenProjection } from "./token-projection.ts"
import type { Usage } from "./usage.ts"
import { noUsage } from "./usage.ts"
import type { UsageState } from "./usage-fold.ts"
import { usageFold } from "./usage-fold.ts"

/** Totals of reported usage in disjoint buckets. */
export interface UsageView {
  readonly uncachedInputTokens: number
  readonly outputTokens: number
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
}

/** The fold's state, and its totals as they are shown. */
export interface UsageTotals {
  readonly usage: UsageState
  readonly view: UsageView
}

const viewOf = (totals: Usage): UsageView => ({
  uncachedInputTokens: totals.inputTokens,
  outputTokens: totals.outputTokens,
  cacheReadTokens: totals.cacheReadTokens,
  cacheWriteTokens: totals.cacheWriteTokens,
})

// JSON has no NaN, and a report of no step is taken back by no other one
const storable = (state: UsageState): UsageState =>
  state.last !== null && !(isSafeInt(state.last.turn) && isSafeInt(state.last.step))
    ? { ...state, last: null }
    : state

const buckets: ObjectShape = exactly({
  inputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
  reasoningTokens: count,
})

const sample = checkOf(exactly({ turn: safeInt, step: safeInt, usage: buckets }))

/**
 * Totals of reported usage: what a call was billed, however its log was compacted since.
 *
 * shape   the totals of `usageFold`. A retry that starts changes the state and not the view
 * source  token meter of the agent, `tokenUsage`; its state version 2 counts inherited events
 */
export const tokenUsage: TokenProjection<UsageTotals, UsageView> = {
  key: "tokenUsage",
  stateVersion: 3,
  stateShape: checkOf(
    exactly({
      usage: exactly({
        totals: buckets,
        last: leaf("sample or null", (value) => value === null || sample.guard(value)),
        cut: count,
      }),
      view: exactly({
        uncachedInputTokens: count,
        outputTokens: count,
        cacheReadTokens: count,
        cacheWriteTokens: count,
      }),
    }),
  ),
  init: (_header, inheritedEventCount) => ({
    usage: { totals: noUsage, last: null, cut: inheritedEventCount },
    view: viewOf(noUsage),
  }),
  apply: (state, { facts, data }) => {
    if (!usageFold.reads.has(facts.type)) return right(state)
    // of a session whose cut is known from the start, its marker says nothing new
    if (facts.type === endSeedType && facts.seq <= state.usage.cut) return right(state)
    const draft = usageFold.resume(state.usage)
    usageFold.step(draft, facts, data)
    const usage = storable(usageFold.seal(draft))
    if (usage === state.usage) return right(state)
    const isShown = usage.totals !== state.usage.totals
    return right({ usage, view: isShown ? viewOf(usage.totals) : state.view })
  },
  view: (state) => state.view,
}
