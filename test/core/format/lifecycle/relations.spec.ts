import { describe, expect, it } from "vitest"
import type { Expected } from "./expected.ts"
import { codesIn } from "./expected.ts"

const turns: readonly Expected[] = [
  ["R40a", [["turn-start-open", 1]]],
  ["R40b", [["turn-start-number", 0]]],
  ["R40c", [["turn-start-open", 2]]],
  ["R40d", [["turn-start-number", 2]]],
  ["R40-valid", []],
  ["R40e", [["turn-start-open", 2]]],
  ["R41a", [["turn-end-unopened", 0]]],
  ["R41b", [["turn-end-number", 1]]],
  ["R41c", [["turn-end-step-open", 2]]],
  [
    "R41d",
    [
      ["turn-end-step-open", 3],
      ["tool-call-unresolved", 3],
    ],
  ],
]

const steps: readonly Expected[] = [
  ["R42a", [["step-start-outside-turn", 0]]],
  ["R42b", [["step-start-turn", 1]]],
  ["R42c", [["step-start-open", 2]]],
  ["R42d", [["step-start-number", 1]]],
  ["R43a", [["step-end-unopened", 1]]],
  ["R43b", [["step-end-number", 2]]],
  ["R43c", [["tool-call-unresolved", 4]]],
  ["R43d", [["tool-call-unresolved", 3]]],
]

const turnsWithinACompaction: readonly Expected[] = [
  ["R44a", [["compaction-turn-boundary", 2]]],
  ["R44b", [["compaction-turn-boundary", 1]]],
  ["R44c", [["compaction-turn-boundary", 2]]],
  ["R44-valid", []],
]

const whatStandsInATurnOrAStep: readonly Expected[] = [
  ["R45a", [["step-mismatch", 2]]],
  ["R45b", [["step-mismatch", 3]]],
  ["R45c", [["step-mismatch", 2]]],
  ["R45d", [["step-mismatch", 1]]],
  ["R45e", [["step-mismatch", 3]]],
  ["R45f", [["step-mismatch", 4]]],
  ["R46a", [["outside-turn", 0]]],
  ["R46b", [["outside-turn", 2]]],
  ["R46c", [["outside-turn", 0]]],
  ["R46d", [["outside-turn", 7]]],
  ["R46-valid", []],
]

const toolCallsAndResults: readonly Expected[] = [
  ["R47a", [["tool-id-open", 3]]],
  ["R47b", [["tool-id-open", 2]]],
  ["R47-valid", []],
  ["R48a", [["tool-call-unadvertised", 2]]],
  ["R48b", [["tool-call-repeated", 4]]],
  ["R48c", [["tool-call-changed", 3]]],
  ["R48d", [["tool-call-changed", 3]]],
  ["R49a", [["tool-result-unadvertised", 2]]],
  ["R49b", [["tool-result-unadvertised", 5]]],
  ["R49c", [["tool-result-unadvertised", 2]]],
]

const callsThatWereNeverStarted: readonly Expected[] = [
  ["R50a", [["tool-result-unstarted", 3]]],
  ["R50b", [["tool-result-unstarted", 3]]],
  ["R50c", [["tool-result-unstarted", 3]]],
  ["R50d", [["tool-result-unstarted", 3]]],
  ["R50e", [["tool-result-unstarted", 3]]],
  ["R50f", [["tool-result-unstarted", 3]]],
  ["R50-valid", []],
  ["R50-valid-v3", []],
]

const callsOfARunningTool: readonly Expected[] = [
  ["R51a", [["ptc-id-empty", 1]]],
  ["R51b", [["ptc-id-empty", 1]]],
  ["R51c", [["ptc-id-empty", 1]]],
  ["R52a", [["ptc-root-changed", 2]]],
  ["R52b", [["ptc-parent-unknown", 1]]],
  ["R52c", [["ptc-parent-unknown", 2]]],
  ["R53a", [["ptc-start-repeated", 2]]],
  ["R53b", [["ptc-settle-unstarted", 1]]],
  ["R53c", [["ptc-settle-repeated", 3]]],
  ["R53d", [["ptc-settle-changed", 2]]],
  ["R53e", [["ptc-settle-changed", 2]]],
  ["R53f", [["ptc-settle-changed", 3]]],
  ["R53-valid", []],
]

const retries: readonly Expected[] = [
  ["R54a", [["retry-turn", 3]]],
  ["R54b", [["retry-turn", 3]]],
  ["R54c", [["retry-step", 3]]],
  ["R54d", [["retry-provider", 3]]],
  ["R54e", [["retry-provider", 2]]],
  ["R54f", [["retry-step", 2]]],
  ["R55a", [["retry-number", 3]]],
  ["R55b", [["retry-number", 4]]],
  ["R55c", [["retry-id-changed", 4]]],
  ["R55d", [["retry-id-reused", 4]]],
  ["R56a", [["retry-start-unscheduled", 4]]],
  ["R56b", [["retry-start-step", 4]]],
  ["R56c", [["retry-start-repeated", 5]]],
  ["R56d", [["retry-start-unscheduled", 3]]],
  ["R56-valid", []],
]

const titles: readonly Expected[] = [
  ["R57a", [["title-citations-unexpected", 1]]],
  ["R57b", [["title-citations-missing", 1]]],
  ["R57c", [["title-citations-missing", 1]]],
  ["R58a", [["title-citation-later", 1]]],
  ["R58b", [["title-citation-repeated", 1]]],
  ["R58c", [["title-citation-other", 1]]],
  ["R58d", [["title-citation-other", 2]]],
  ["R58e", [["title-citation-later", 1]]],
  ["R58f", [["title-citation-other", 2]]],
  ["R58-valid", []],
  ["R59a", [["title-citations-missing", 1]]],
  ["R59b", [["title-request-message", 1]]],
  ["R59c", [["title-request-message", 1]]],
  ["R59d", [["title-request-message", 1]]],
  ["R59e", [["title-request-message", 1]]],
  ["R59f", [["title-request-message", 1]]],
]

const commands: readonly Expected[] = [
  ["R60a", [["command-run-repeated", 1]]],
  ["R60b", [["command-done-unknown", 1]]],
  ["R61a", [["command-source-later", 2]]],
  ["R61b", [["command-source-kind", 2]]],
  ["R61c", [["command-source-command", 1]]],
  ["R61-valid", []],
]

const compactions: readonly Expected[] = [
  ["R62a", [["compaction-start-open", 2]]],
  ["R62b", [["compaction-turn", 1]]],
  ["R62c", [["compaction-turn", 0]]],
  ["R62d", [["compaction-id-empty", 1]]],
  ["R63a", [["compaction-unmatched", 2]]],
  ["R63b", [["compaction-unmatched", 2]]],
  ["R63c", [["compaction-unmatched", 2]]],
  ["R63d", [["compaction-turn", 4]]],
  ["R63e", [["compaction-unmatched", 3]]],
  ["R64a", [["compaction-summary-repeated", 4]]],
  ["R64b", [["compaction-end-turn", 2]]],
  ["R64c", [["compaction-summary-missing", 2]]],
]

const whatACompactionShadows: readonly Expected[] = [
  ["R65a", [["compaction-range", 1]]],
  ["R65b", [["compaction-range", 2]]],
  ["R65c", [["compaction-range", 3]]],
  ["R65d", [["compaction-span", 3]]],
  ["R65e", [["compaction-span", 4]]],
  ["R65f", [["compaction-head", 5]]],
  ["R65-valid", []],
  ["R66a", [["compaction-checkpoint", 1]]],
  ["R66b", [["compaction-checkpoint", 4]]],
  ["R66c", [["compaction-checkpoint", 4]]],
  ["R66-valid", []],
]

const wholeLogs: readonly Expected[] = [
  ["tail-valid", []],
  ["fork-valid", []],
  ["two-turns-valid", []],
]

describe("rules between events", () => {
  it.each(turns)("RU9: turns: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(steps)("RU10: steps: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(turnsWithinACompaction)("RU11: turns within a compaction: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(whatStandsInATurnOrAStep)(
    "RU12: what stands in a turn or a step: %s",
    (file, findings) => {
      expect(codesIn(file)).toStrictEqual(findings)
    },
  )

  it.each(toolCallsAndResults)("RU13: tool calls and results: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(callsThatWereNeverStarted)(
    "RU14: calls that were never started: %s",
    (file, findings) => {
      expect(codesIn(file)).toStrictEqual(findings)
    },
  )

  it.each(callsOfARunningTool)("RU15: calls of a running tool: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(retries)("RU16: retries: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(titles)("RU17: titles: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(commands)("RU18: commands: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(compactions)("RU19: compactions: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(whatACompactionShadows)("RU20: what a compaction shadows: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })

  it.each(wholeLogs)("RU25: whole logs: %s", (file, findings) => {
    expect(codesIn(file)).toStrictEqual(findings)
  })
})
