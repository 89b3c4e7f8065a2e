import type { Fold } from "../fold/fold.ts"
import { endSeedType, isInheritedMarker } from "../log/inherited-marker.ts"
import type { Usage, UsageSample } from "./usage.ts"
import { addUsage, noUsage, sameUsage, usageSample, usageTypes } from "./usage.ts"

/** Totals of reported usage, and the sample that a later one of the same attempt corrects. */
export interface UsageState {
  readonly totals: Usage
  readonly last: {
    readonly turn: number
    readonly step: number
    readonly usage: Usage
  } | null
  /** Events before this seq came from another session, which counts them. */
  readonly cut: number
}

interface UsageDraft {
  state: UsageState
}

/** Takes the sample of the event at `seq`. */
export const addSample = (draft: UsageDraft, seq: number, sample: UsageSample): void => {
  const { state } = draft
  const { turn, step, usage } = sample
  const isSameStep = state.last !== null && state.last.turn === turn && state.last.step === step
  if (usage === null) {
    if (isSameStep) draft.state = { ...state, last: null }
    return
  }
  if (seq < state.cut) return
  const replaced = isSameStep ? state.last : null
  if (replaced !== null && sameUsage(replaced.usage, usage)) return
  const before = replaced === null ? state.totals : addUsage(state.totals, replaced.usage, -1)
  draft.state = { ...state, totals: addUsage(before, usage), last: { turn, step, usage } }
}

/** Forgets all that was counted: it was inherited, and its own session counts it. */
export const cutUsage = (draft: UsageDraft, seq: number): void => {
  draft.state = { totals: noUsage, last: null, cut: seq }
}

/**
 * Adds up reported usage. A report for the same turn and step takes the place of the one before,
 * unless a retry was started in between; events before the inherited cut are never counted.
 *
 * source  token meter of the agent, `tokenUsage` state version 2
 */
export const usageFold: Fold<UsageDraft, UsageState> = {
  reads: new Set([...usageTypes, endSeedType]),
  begin: (header) => ({ state: { totals: noUsage, last: null, cut: header.seedLength ?? 0 } }),
  step: (draft, facts, data) => {
    if (data === undefined) return
    if (facts.type === endSeedType) {
      if (isInheritedMarker(data)) cutUsage(draft, facts.seq)
      return
    }
    const sample = usageSample(facts.type, data)
    if (sample !== null) addSample(draft, facts.seq, sample)
  },
  seal: (draft) => draft.state,
  resume: (state) => ({ state }),
}
