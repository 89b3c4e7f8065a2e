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

export type UsageDraft = { -readonly [Key in keyof UsageState]: UsageState[Key] } & {
  /** The state as it was sealed last; null when something changed since. */
  sealed: UsageState | null
}

const draftOf = (state: UsageState, sealed: UsageState | null): UsageDraft => ({ ...state, sealed })

const sealed = (draft: UsageDraft): UsageState => {
  const { totals, last, cut } = draft
  return (draft.sealed ??= { totals, last, cut })
}

/** What became of a sample: nothing was counted, or it was, maybe in the place of the last one. */
export type SampleChange = "none" | "added" | "replaced"

/** Takes the sample of the event at `seq`. */
export const addSample = (draft: UsageDraft, seq: number, sample: UsageSample): SampleChange => {
  const { turn, step, usage } = sample
  const { last } = draft
  const isSameStep = last !== null && last.turn === turn && last.step === step
  if (usage === null) {
    if (!isSameStep) return "none"
    draft.last = null
    draft.sealed = null
    return "none"
  }
  if (seq < draft.cut) return "none"
  if (isSameStep && sameUsage(last.usage, usage)) return "none"
  const before = isSameStep ? addUsage(draft.totals, last.usage, -1) : draft.totals
  draft.totals = addUsage(before, usage)
  draft.last = { turn, step, usage }
  draft.sealed = null
  return isSameStep ? "replaced" : "added"
}

/** Forgets all that was counted: it was inherited, and its own session counts it. */
export const cutUsage = (draft: UsageDraft, seq: number): void => {
  draft.totals = noUsage
  draft.last = null
  draft.cut = seq
  draft.sealed = null
}

/**
 * Adds up reported usage. A report for the same turn and step takes the place of the one before,
 * unless a retry was started in between; events before the inherited cut are never counted.
 *
 * source  token meter of the agent, `tokenUsage` state version 2
 */
export const usageFold: Fold<UsageDraft, UsageState> = {
  reads: new Set([...usageTypes, endSeedType]),
  begin: (header) => draftOf({ totals: noUsage, last: null, cut: header.seedLength ?? 0 }, null),
  step: (draft, facts, data) => {
    if (data === undefined) return
    if (facts.type === endSeedType) {
      if (isInheritedMarker(data)) cutUsage(draft, facts.seq)
      return
    }
    const sample = usageSample(facts.type, data)
    if (sample !== null) addSample(draft, facts.seq, sample)
  },
  seal: sealed,
  resume: (state) => draftOf(state, state),
}
