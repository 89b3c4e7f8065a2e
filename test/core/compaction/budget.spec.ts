import { describe, expect, it } from "vitest"
import type { CompactionSettings } from "#core/compaction/budget"
import {
  compactionBudget,
  defaultCompaction,
  isCompactionDue,
  settingsRefusal,
} from "#core/compaction/budget"
import { leftOf, rightOf } from "../surface/events.ts"

const settings = (more: Partial<CompactionSettings>): CompactionSettings => ({
  ...defaultCompaction,
  ...more,
})

describe("when to compact", () => {
  it.each([
    [1_000_000, 64_000, 800_000, 149_760],
    [131_072, 8_192, 57_344, 19_660],
    [200_000, 32_000, 102_464, 26_880],
  ])(
    "TK34: a window of %d with %d reserved is compacted at %d, and keeps %d",
    (window, reserved, thresholdTokens, retainTokens) => {
      expect(rightOf(compactionBudget(defaultCompaction, window, reserved))).toEqual({
        thresholdTokens,
        retainTokens,
      })
    },
  )

  it("TK34: what is kept may be said in tokens", () => {
    const given = settings({ retain: { tokens: 5_000 } })
    expect(rightOf(compactionBudget(given, 1_000_000, 0)).retainTokens).toBe(5_000)
  })

  it("TK34: it is due at the threshold, not below it", () => {
    const budget = { thresholdTokens: 100, retainTokens: 10 }
    expect([99, 100, 101].map((total) => isCompactionDue(total, budget))).toEqual([
      false,
      true,
      true,
    ])
  })

  it.each([
    [{ thresholdRatio: 0 }, { code: "budget-ratio", field: "thresholdRatio", ratio: 0 }],
    [{ thresholdRatio: 1.1 }, { code: "budget-ratio", field: "thresholdRatio", ratio: 1.1 }],
    [{ retain: { ratio: -1 } }, { code: "budget-ratio", field: "retain", ratio: -1 }],
    [
      { retain: { ratio: 0.8 } },
      { code: "budget-retain-above-threshold", retain: 0.8, threshold: 0.8 },
    ],
    [{ retain: { tokens: 0.5 } }, { code: "budget-count", field: "retain", value: 0.5 }],
    [{ headroomTokens: -1 }, { code: "budget-count", field: "headroomTokens", value: -1 }],
  ] as const)("TK34: the settings %j are refused", (more, refusal) => {
    expect(settingsRefusal(settings(more))).toEqual(refusal)
    expect(leftOf(compactionBudget(settings(more), 1_000_000, 0))).toEqual(refusal)
  })

  it("TK34: a model that leaves no room is refused", () => {
    const refusal = (
      window: number,
      reserved: number,
      more: Partial<CompactionSettings> = {},
    ): unknown => leftOf(compactionBudget(settings(more), window, reserved))
    expect(refusal(0, 0)).toEqual({ code: "budget-count", field: "contextWindow", value: 0 })
    expect(refusal(9, -1)).toEqual({ code: "budget-count", field: "reservedTokens", value: -1 })
    expect(refusal(8_000, 8_000)).toEqual({
      code: "budget-reserve",
      contextWindow: 8_000,
      reservedTokens: 8_000,
    })
    expect(refusal(73_536, 8_000)).toEqual({
      code: "budget-headroom",
      roomTokens: 65_536,
      headroomTokens: 65_536,
    })
    // 800 is the threshold
    expect(refusal(1_000, 0, { headroomTokens: 0, retain: { tokens: 800 } })).toEqual({
      code: "budget-retain-above-threshold",
      retain: 800,
      threshold: 800,
    })
  })

  it("TK34: the settings that come with it are right", () => {
    expect(settingsRefusal(defaultCompaction)).toBeNull()
  })
})
