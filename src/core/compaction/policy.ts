import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { isCount } from "../data/count.ts"
import type { BudgetRefusal, CompactionSettings } from "./budget.ts"
import { settingsRefusal } from "./budget.ts"

/** Settings of one model in place of those of all. */
export interface CompactionPolicy extends Partial<CompactionSettings> {
  readonly provider: string
  readonly model: string
  /** Tokens that a summary may take. */
  readonly maxTokens?: number
}

/** Settings of all models, and the exceptions. */
export interface CompactionConfig {
  readonly settings: CompactionSettings
  /** Tokens that a summary may take; null for as many as the headroom. */
  readonly maxTokens: number | null
  readonly policies: readonly CompactionPolicy[]
}

/** Settings as they hold for one model. */
export interface ModelCompaction {
  readonly settings: CompactionSettings
  readonly summaryMaxTokens: number
}

/** A configuration that cannot be meant. */
export type PolicyRefusal =
  | BudgetRefusal
  | { readonly code: "policy-repeated"; readonly provider: string; readonly model: string }
  /** No tokens would be left for a summary. */
  | { readonly code: "summary-cap"; readonly maxTokens: number }

const merged = (
  { settings, maxTokens }: CompactionConfig,
  policy: CompactionPolicy | undefined,
): ModelCompaction => {
  const { thresholdRatio, retain, headroomTokens } = { ...settings, ...policy }
  return {
    settings: { thresholdRatio, retain, headroomTokens },
    summaryMaxTokens: policy?.maxTokens ?? maxTokens ?? headroomTokens,
  }
}

const mergedRefusal = ({ settings, summaryMaxTokens }: ModelCompaction): PolicyRefusal | null => {
  const refusal = settingsRefusal(settings)
  if (refusal !== null) return refusal
  return isCount(summaryMaxTokens) && summaryMaxTokens > 0
    ? null
    : { code: "summary-cap", maxTokens: summaryMaxTokens }
}

/** What is wrong with a configuration, whatever the model is; null where nothing is. */
export const configRefusal = (config: CompactionConfig): PolicyRefusal | null => {
  const seen = new Set<string>()
  for (const { provider, model } of config.policies) {
    const target = JSON.stringify([provider, model])
    if (seen.has(target)) return { code: "policy-repeated", provider, model }
    seen.add(target)
  }
  for (const policy of [undefined, ...config.policies]) {
    const refusal = mergedRefusal(merged(config, policy))
    if (refusal !== null) return refusal
  }
  return null
}

/**
 * The settings of one model: its policy names exactly that provider and model.
 *
 * shape   the cap of a summary is the one that is set, in the policy or for all, and the headroom of
 *         the model where none is
 * errors  what configRefusal says
 * source  compaction of the agent, late 0.1.7
 */
export const modelCompaction = (
  config: CompactionConfig,
  provider: string,
  model: string,
): Either<PolicyRefusal, ModelCompaction> => {
  const refusal = configRefusal(config)
  if (refusal !== null) return left(refusal)
  const policy = config.policies.find((each) => each.provider === provider && each.model === model)
  return right(merged(config, policy))
}
