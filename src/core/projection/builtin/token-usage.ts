import { jsonEqual } from "../../data/json.ts"
import { endSeedType } from "../../log/inherited-marker.ts"
import type { Shape } from "../../log/shape.ts"
import { count, exactly, safeInt } from "../../log/shape.ts"
import type { Usage } from "../../tokens/usage.ts"
import { usageTypes } from "../../tokens/usage.ts"
import type { UsageState } from "../../tokens/usage-fold.ts"
import { usageFold } from "../../tokens/usage-fold.ts"
import { shapeCodec } from "../codec.ts"
import type { ProjectionDefinition } from "../definition.ts"
import { nullable } from "./nullable.ts"
import { totalApply } from "./total-apply.ts"

/** Tokens that providers reported, each bucket by itself. */
export type TokenUsage = Readonly<
  Record<"uncachedInputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens", number>
>

export interface TokenUsageState {
  readonly totals: TokenUsage
  /** The report that a later one of the same step corrects. */
  readonly last: {
    readonly turn: number
    readonly step: number
    readonly buckets: TokenUsage
  } | null
  /** Events before this seq are inherited: their own session counts them. */
  readonly cut: number
}

const shown = (usage: Usage): TokenUsage => ({
  uncachedInputTokens: usage.inputTokens,
  outputTokens: usage.outputTokens,
  cacheReadTokens: usage.cacheReadTokens,
  cacheWriteTokens: usage.cacheWriteTokens,
})

// reasoning is a part of the output and is not shown
const usageOf = (buckets: TokenUsage): Usage => ({
  inputTokens: buckets.uncachedInputTokens,
  outputTokens: buckets.outputTokens,
  cacheReadTokens: buckets.cacheReadTokens,
  cacheWriteTokens: buckets.cacheWriteTokens,
  reasoningTokens: 0,
})

const usageStateOf = ({ totals, last, cut }: TokenUsageState): UsageState => ({
  totals: usageOf(totals),
  last: last === null ? null : { ...last, usage: usageOf(last.buckets) },
  cut,
})

const lastOf = ({ last }: UsageState): TokenUsageState["last"] =>
  // a report that names no step corrects none
  last === null || Number.isNaN(last.turn) || Number.isNaN(last.step)
    ? null
    : { turn: last.turn, step: last.step, buckets: shown(last.usage) }

const none: TokenUsage = {
  uncachedInputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
}

const buckets: Shape = exactly({
  uncachedInputTokens: count,
  outputTokens: count,
  cacheReadTokens: count,
  cacheWriteTokens: count,
})

/**
 * What a session used by the reports of its providers; what it inherited is not counted.
 *
 * source  token meter of the agent, `tokenUsage` state version 2, and the inherited cut
 */
export const tokenUsage: ProjectionDefinition<TokenUsageState, TokenUsage> = {
  key: "tokenUsage",
  stateVersion: 2,
  codec: shapeCodec(
    exactly({
      totals: buckets,
      last: nullable(exactly({ turn: safeInt, step: safeInt, buckets }), "report"),
      cut: count,
    }),
  ),
  reads: new Set([...usageTypes, endSeedType]),
  init: (_header, inheritedEventCount) => ({ totals: none, last: null, cut: inheritedEventCount }),
  apply: totalApply((state, facts, data) => {
    const draft = usageFold.resume(usageStateOf(state))
    usageFold.step(draft, facts, data)
    const usage = usageFold.seal(draft)
    const totals = shown(usage.totals)
    const last = lastOf(usage)
    const { cut } = usage
    // what shows no difference is the same object
    const shownBefore = jsonEqual(totals, state.totals)
    if (shownBefore && cut === state.cut && jsonEqual(last, state.last)) return state
    return { totals: shownBefore ? state.totals : totals, last, cut }
  }),
  wire: { codec: shapeCodec(buckets), view: (state) => state.totals },
}
