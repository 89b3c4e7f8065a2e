import { describe, expect, it } from "vitest"
import type { MeasuredCase } from "#shell/bench/ratios"
import { benchFlags, BenchUsageError } from "../../bench/flags.ts"
import type { Goal, Results } from "../../bench/goals.ts"
import { goalsOf, goalsText, verdictOf } from "../../bench/goals.ts"

const caseOf = (
  name: MeasuredCase["case"],
  workers: number,
  timesJsonParse: number,
  timesPublicPackages: number | null,
): MeasuredCase => ({
  case: name,
  workers,
  medianMs: 1,
  minMs: 1,
  maxMs: 1,
  megabytesPerSecond: 1,
  timesJsonParse,
  timesPublicPackages,
})

const shape = (one: number, digest: number, two: number, twoPublic: number) => [
  caseOf("json-parse", 1, 1, 3),
  caseOf("fold", 1, one, one * 2),
  caseOf("fold-digest", 1, digest, digest * 2),
  caseOf("fold", 2, two, twoPublic),
  caseOf("fold-digest", 2, 9, 9),
]

const results: Results = {
  shapes: new Map([
    ["mixed", shape(2.6, 2.1, 4.7, 11)],
    ["fat", shape(2.2, 2, 3.5, 8)],
    ["uncompacted", shape(2.5, 0.6, 4.6, 20)],
  ]),
  archive: [caseOf("public-packages", 2, 1.8, 1), caseOf("fold", 2, 4.7, 2.61)],
  peakBytes: new Map([
    ["mixed", 190e6],
    ["fat", 251e6],
  ]),
  growth: 1.1,
  checks: new Map([
    ["fat", { timesJsonParse: 0.49, speedUp: 1 }],
    ["archive", { timesJsonParse: 0.7, speedUp: 1.8 }],
  ]),
  request: 0.9,
  zstd: 0.7,
  peakBytesOf5Gb: 195e6,
}

describe("what must be shown", () => {
  it("BE10: is measured in the worst shape, or in the one that it is about", () => {
    expect(goalsOf(results).map((goal) => [goal.measured, goal.where, verdictOf(goal)])).toEqual([
      [2.2, "fat", "floor"],
      [3.5, "fat", "missed"],
      [11, "mixed", "goal"],
      [2.61, "archive", "goal"],
      [0.6, "uncompacted", "floor"],
      [251, "fat", "missed"],
      [1.1, "mixed", "goal"],
      [0.49, "fat", "missed"],
      [1.8, "archive", "goal"],
      [0.9, "mixed", "goal"],
      [0.7, "archive", "missed"],
      [195, "mixed", "goal"],
    ])
  })

  it("BE10: has the floors and goals that were set", () => {
    expect(goalsOf(results).map(({ floor, goal }) => [floor, goal])).toStrictEqual([
      [2, 2.4],
      [3.6, 4.5],
      [8, 10],
      [2.3, 2.6],
      [0.5, 0.7],
      [250, 200],
      [1.15, 1.15],
      [0.5, 0.5],
      [1.7, 1.7],
      [0.8, 0.8],
      [0.8, 0.8],
      [250, 200],
    ])
  })

  it("BE10: says nothing of what was not measured", () => {
    const nothing: Results = {
      shapes: new Map(),
      archive: null,
      peakBytes: new Map(),
      growth: null,
      checks: new Map(),
      request: null,
      zstd: null,
      peakBytesOf5Gb: null,
    }
    expect(goalsOf(nothing)).toStrictEqual([])
    // without the public packages
    const shapes = new Map([["mixed", [caseOf("fold", 1, 2, null), caseOf("fold", 2, 4, null)]]])
    expect(goalsOf({ ...nothing, shapes }).map(({ measured }) => measured)).toStrictEqual([2, 4])
  })

  it("BE10: is reached at the bound itself", () => {
    const goal: Goal = {
      name: "a",
      unit: "times",
      better: "more",
      floor: 2,
      goal: 3,
      measured: 3,
      where: "x",
    }
    expect(verdictOf(goal)).toBe("goal")
    expect(verdictOf({ ...goal, measured: 2 })).toBe("floor")
    expect(verdictOf({ ...goal, measured: 1.99 })).toBe("missed")
    const less: Goal = { ...goal, better: "less", floor: 3, goal: 2, measured: 2 }
    expect(verdictOf(less)).toBe("goal")
    expect(verdictOf({ ...less, measured: 3 })).toBe("floor")
    expect(verdictOf({ ...less, measured: 3.01 })).toBe("missed")
  })

  it("BE10: stands in a table beside the run that was kept", () => {
    const text = goalsText(goalsOf(results), new Map([["one thread, against JSON.parse", 2.31]]))
    expect(text).toMatch(
      /^one thread, against JSON\.parse +2\.00x +2\.40x +2\.20x +2\.31x +fat +floor$/m,
    )
    expect(text).toMatch(/250 MB +200 MB +251 MB +– +fat +missed$/m)
  })
})

describe("the flags of the bench", () => {
  it("BE10: name its parts and the size of its logs", () => {
    const all = benchFlags([])
    expect(all).toMatchObject({ size: 1e9, with5Gb: false, writesBaseline: false })
    expect(all.parts.has("archive")).toBe(true)
    const some = benchFlags(["--size", "2e6", "--only", "fat", "--only", "growth", "--5gb"])
    expect(some).toMatchObject({ size: 2e6, parts: new Set(["fat", "growth"]), with5Gb: true })
  })

  it.each([
    [["--only", "thin"]],
    [["--size", "0"]],
    [["--size", ""]],
    [["--what"]],
    [["--write-baseline", "--only", "fat"]],
  ])("BE10: %j are wrong usage", (args) => {
    expect(() => benchFlags(args)).toThrow(BenchUsageError)
  })
})
