import { describe, expect, it } from "vitest"
import { defaultCompaction } from "#core/compaction/budget"
import type { CompactionConfig, CompactionPolicy } from "#core/compaction/policy"
import { configRefusal, modelCompaction } from "#core/compaction/policy"
import { leftOf, rightOf } from "../surface/events.ts"

const policyOf = (more: Partial<CompactionPolicy>): CompactionPolicy => ({
  provider: "p",
  model: "m",
  ...more,
})

const configOf = (
  maxTokens: number | null,
  ...policies: readonly CompactionPolicy[]
): CompactionConfig => ({ settings: defaultCompaction, maxTokens, policies })

const capOf = (maxTokens: number | null, policy: Partial<CompactionPolicy>): number =>
  rightOf(modelCompaction(configOf(maxTokens, policyOf(policy)), "p", "m")).summaryMaxTokens

describe("settings of a model", () => {
  it("PC23: are those of all where no policy names provider and model", () => {
    const config = configOf(null, policyOf({ thresholdRatio: 0.5 }))
    expect(rightOf(modelCompaction(config, "p", "other"))).toEqual({
      settings: defaultCompaction,
      summaryMaxTokens: 65_536,
    })
    expect(rightOf(modelCompaction(config, "p", "m")).settings).toEqual({
      ...defaultCompaction,
      thresholdRatio: 0.5,
    })
  })

  it("PC23: a summary may take as much as is said, else as much as the headroom of the model", () => {
    expect(capOf(null, {})).toBe(65_536)
    expect(capOf(null, { headroomTokens: 1_000 })).toBe(1_000)
    expect(capOf(9_000, { headroomTokens: 1_000 })).toBe(9_000)
    expect(capOf(null, { headroomTokens: 1_000, maxTokens: 500 })).toBe(500)
    expect(capOf(9_000, { maxTokens: 500 })).toBe(500)
  })

  it("PC23: a cap that comes of no headroom is refused, one beside it is not", () => {
    const refusal = { code: "summary-cap", maxTokens: 0 }
    expect(
      leftOf(modelCompaction(configOf(null, policyOf({ headroomTokens: 0 })), "p", "x")),
    ).toEqual(refusal)
    expect(configRefusal(configOf(9_000, policyOf({ headroomTokens: 0 })))).toBeNull()
    expect(configRefusal(configOf(0))).toEqual(refusal)
    expect(configRefusal(configOf(1.5))).toEqual({ code: "summary-cap", maxTokens: 1.5 })
  })

  it("PC23: two policies of one model are refused, and so are settings of any policy", () => {
    expect(configRefusal(configOf(null, policyOf({}), policyOf({ maxTokens: 5 })))).toEqual({
      code: "policy-repeated",
      provider: "p",
      model: "m",
    })
    expect(configRefusal(configOf(null, policyOf({}), policyOf({ model: "n" })))).toBeNull()
    expect(configRefusal(configOf(null, policyOf({ retain: { ratio: 0.9 } })))).toEqual({
      code: "budget-retain-above-threshold",
      retain: 0.9,
      threshold: 0.8,
    })
  })
})
