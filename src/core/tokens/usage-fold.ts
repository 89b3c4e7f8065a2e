import { isJsonObject, ownValue } from "../data/json.ts"
import type { JsonValue } from "../data/json.ts"
import type { Fold } from "../fold/fold.ts"
import { endSeedType, isInheritedMarker } from "../log/inherited-marker.ts"
import type { Usage } from "./usage.ts"
import { addUsage, noUsage, reportedUsage, sameUsage } from "./usage.ts"

/** Totals of reported usage, and the sample that a later one of the same attempt corrects. */
export interface UsageState {
  readonly totals: Usage
  readonly last: {
    readonly turn: JsonValue
    readonly step: JsonValue
    readonly usage: Usage
  } | null
  /** Events before this seq came from another session, which counts them. */
  readonly cut: number
}

interface UsageDraft {
  state: UsageState
}

const placeOf = (data: JsonValue): readonly [turn: JsonValue, step: JsonValue] =>
  isJsonObject(data)
    ? [ownValue(data, "turn") ?? null, ownValue(data, "step") ?? null]
    : [null, null]

/**
 * Adds up reported usage. A report for the same turn and step takes the place of the one before,
 * unless a retry was started in between; events before the inherited cut are never counted.
 *
 * source  token meter of the agent, `tokenUsage` state version 2
 */
export const usageFold: Fold<UsageDraft, UsageState> = {
  reads: new Set([
    "assistant/message",
    "assistant/attempt",
    "assistant/chunk",
    "llm/retry-started",
    endSeedType,
  ]),
  begin: (header) => ({ state: { totals: noUsage, last: null, cut: header.seedLength ?? 0 } }),
  step: (draft, facts, data) => {
    if (data === undefined) return
    const { state } = draft
    if (facts.type === endSeedType) {
      if (isInheritedMarker(data)) draft.state = { totals: noUsage, last: null, cut: facts.seq }
      return
    }
    const [turn, step] = placeOf(data)
    const isSameStep = state.last !== null && state.last.turn === turn && state.last.step === step
    if (facts.type === "llm/retry-started") {
      if (isSameStep) draft.state = { ...state, last: null }
      return
    }
    const usage = facts.seq < state.cut ? null : reportedUsage(data)
    if (usage === null) return
    const replaced = isSameStep ? state.last : null
    if (replaced !== null && sameUsage(replaced.usage, usage)) return
    const before = replaced === null ? state.totals : addUsage(state.totals, replaced.usage, -1)
    draft.state = { ...state, totals: addUsage(before, usage), last: { turn, step, usage } }
  },
  seal: (draft) => draft.state,
  resume: (state) => ({ state }),
}
