import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { isCount } from "../data/count.ts"

/** When to compact, and how much of the newest to keep. */
export interface CompactionSettings {
  /** Share of the context window at which compaction is due. */
  readonly thresholdRatio: number
  /** What is kept: tokens, or a share of the window without what is reserved for the answer. */
  readonly retain: { readonly tokens: number } | { readonly ratio: number }
  /** Tokens that stay free below the window and the reserve. */
  readonly headroomTokens: number
}

/** source  compaction of the agent, late 0.1.7 */
export const defaultCompaction: CompactionSettings = {
  thresholdRatio: 0.8,
  retain: { ratio: 0.16 },
  headroomTokens: 65_536,
}

/** Tokens at which compaction is due, and tokens that it keeps. */
export interface CompactionBudget {
  readonly thresholdTokens: number
  readonly retainTokens: number
}

/** Settings or a model that no budget can be made of. */
export type BudgetRefusal =
  | {
      readonly code: "budget-ratio"
      readonly field: "thresholdRatio" | "retain"
      readonly ratio: number
    }
  | {
      readonly code: "budget-retain-above-threshold"
      readonly retain: number
      readonly threshold: number
    }
  | {
      readonly code: "budget-count"
      readonly field: "contextWindow" | "reservedTokens" | "headroomTokens" | "retain"
      readonly value: number
    }
  | {
      readonly code: "budget-reserve"
      readonly contextWindow: number
      readonly reservedTokens: number
    }
  | {
      readonly code: "budget-headroom"
      readonly roomTokens: number
      readonly headroomTokens: number
    }

const isRatio = (value: number): boolean => value > 0 && value <= 1

/** What is wrong with settings whatever the model is; null where nothing is. */
export const settingsRefusal = (settings: CompactionSettings): BudgetRefusal | null => {
  const { thresholdRatio, retain, headroomTokens } = settings
  if (!isRatio(thresholdRatio))
    return { code: "budget-ratio", field: "thresholdRatio", ratio: thresholdRatio }
  if (!isCount(headroomTokens))
    return { code: "budget-count", field: "headroomTokens", value: headroomTokens }
  if ("tokens" in retain)
    return isCount(retain.tokens)
      ? null
      : { code: "budget-count", field: "retain", value: retain.tokens }
  if (!isRatio(retain.ratio)) return { code: "budget-ratio", field: "retain", ratio: retain.ratio }
  return retain.ratio >= thresholdRatio
    ? { code: "budget-retain-above-threshold", retain: retain.ratio, threshold: thresholdRatio }
    : null
}

/**
 * The budget for one model.
 *
 * units   tokens; `reservedTokens` is what the answer may take, 0 where nobody says
 * errors  what settingsRefusal says; a window that is no positive count; nothing left of it beside
 *         the reserve and the headroom; more to keep than the threshold
 */
export const compactionBudget = (
  settings: CompactionSettings,
  contextWindow: number,
  reservedTokens: number,
): Either<BudgetRefusal, CompactionBudget> => {
  const refusal = settingsRefusal(settings)
  if (refusal !== null) return left(refusal)
  const { thresholdRatio, retain, headroomTokens } = settings
  if (!isCount(contextWindow) || contextWindow === 0)
    return left({ code: "budget-count", field: "contextWindow", value: contextWindow })
  if (!isCount(reservedTokens))
    return left({ code: "budget-count", field: "reservedTokens", value: reservedTokens })
  const room = contextWindow - reservedTokens
  if (room <= 0) return left({ code: "budget-reserve", contextWindow, reservedTokens })
  if (room <= headroomTokens)
    return left({ code: "budget-headroom", roomTokens: room, headroomTokens })
  const thresholdTokens = Math.floor(
    Math.min(contextWindow * thresholdRatio, room - headroomTokens),
  )
  const retainTokens = "tokens" in retain ? retain.tokens : Math.floor(room * retain.ratio)
  return retainTokens < thresholdTokens
    ? right({ thresholdTokens, retainTokens })
    : left({
        code: "budget-retain-above-threshold",
        retain: retainTokens,
        threshold: thresholdTokens,
      })
}

/** Whether a context of that size is to be compacted. */
export const isCompactionDue = (
  totalTokens: number,
  { thresholdTokens }: CompactionBudget,
): boolean => totalTokens >= thresholdTokens
