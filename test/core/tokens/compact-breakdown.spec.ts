import { describe, expect, it } from "vitest"
import type { CompactView } from "#core/tokens/compact-breakdown-projection"
import { compactBreakdown } from "#core/tokens/compact-breakdown-projection"
import { deepFrozen } from "../../../properties/token-steps.ts"
import type { Draft } from "../surface/events.ts"
import { leftOf, note, system, user } from "../surface/events.ts"
import { lastOf, newPrompt, price, priced, statesOf, summed, workedLog } from "./token-events.ts"

const viewAfter = (drafts: readonly Draft[]): CompactView =>
  compactBreakdown.view(lastOf(statesOf(compactBreakdown, priced(drafts))))

describe("compact breakdown", () => {
  const unpriced = (drafts: readonly Draft[]): number => viewAfter(drafts).unpricedReplacements

  it("TK5: keeps the prompts and one total, however long the surface", () => {
    const many = Array.from({ length: 500 }, () => user("hello world!"))
    const state = lastOf(statesOf(compactBreakdown, priced([system(4, "Be brief."), ...many])))
    expect(state).toEqual({
      prompts: [{ seq: 0, tokens: 7 }],
      surfaceTokens: 7 + 500 * 11,
      claim: null,
      view: { systemTokens: 7, toolsTokens: 0, messageTokens: 5500, unpricedReplacements: 0 },
    })
  })

  it("TK6: Q-17: a claim holds the prompts of its range alone", () => {
    const state = statesOf(compactBreakdown, priced(workedLog))[6]
    expect(state?.claim).toEqual({ start: 1, end: 3, tokens: 30, removed: [3] })
  })

  it("TK6: a claim is of the very next event", () => {
    const drafts = [user("hello world!"), price([0], 11), note, summed([0, 0], "", [0])]
    expect(viewAfter(drafts)).toMatchObject({
      messageTokens: 11,
      unpricedReplacements: 1,
    })
    const appended = [user("hello world!"), price([0], 11), user("hi"), summed([0, 0], "", [0])]
    expect(unpriced(appended)).toBe(1)
    const renewed = [user("hello world!"), price([0], 99), price([0], 11), summed([0, 0], "", [0])]
    expect(viewAfter(renewed)).toMatchObject({
      messageTokens: 4,
      unpricedReplacements: 0,
    })
  })

  it.each([
    { start: 0, end: 0 },
    { start: 1, end: 1 },
  ])("TK7: a claim of another range than %j refuses it, and nothing changes", ({ start, end }) => {
    const events = priced([user(), user(), price([0, 1], 18), summed([start, end], "", [0, 1])])
    const state = lastOf(statesOf(compactBreakdown, events.slice(0, 3)))
    expect(leftOf(compactBreakdown.apply(deepFrozen(state), lastOf(events)))).toEqual({
      code: "claim-mismatch",
      seq: 3,
      start,
      end,
      claimedStart: 0,
      claimedEnd: 1,
    })
  })

  it("TK6: a price without its figures says nothing", () => {
    const bad = [
      {},
      { shadowedRange: { start: 0, end: 0 }, shadowedSeqs: [0] },
      { shadowedRange: { start: 0, end: 0 }, shadowedTokenCount: 11 },
      { shadowedRange: { start: 0, end: 0 }, shadowedSeqs: [0], shadowedTokenCount: -1 },
      { shadowedRange: { start: 0 }, shadowedSeqs: [0], shadowedTokenCount: 11 },
    ]
    for (const data of bad) {
      const drafts = [
        user("hello world!"),
        { type: "compaction/prune", data },
        summed([0, 0], "", [0]),
      ]
      expect(unpriced(drafts)).toBe(1)
    }
  })

  it("TK8: a replacement that nobody priced changes no figure, and is counted", () => {
    const drafts = [system(4, "Be brief."), user("hello world!"), user("hi")]
    const replaced = [...drafts, summed([1, 2], "x".repeat(99), [1, 2])]
    expect(viewAfter(replaced)).toEqual({
      systemTokens: 7,
      toolsTokens: 0,
      messageTokens: 20,
      unpricedReplacements: 1,
    })
    expect(unpriced([...replaced, summed([3, 3], "", [3])])).toBe(2)
  })

  it("TK8: a prompt at the end of a range that nobody priced is given up", () => {
    const drafts = [
      system(4, "Be brief."),
      user("hi"),
      system(4, "Answer only in French."),
      summed([1, 2], "", [1, 2]),
    ]
    expect(viewAfter(drafts)).toEqual({
      systemTokens: 7,
      toolsTokens: 0,
      messageTokens: 19,
      unpricedReplacements: 1,
    })
  })

  it("TK8: one retained prompt is exact without a price, whatever takes its place", () => {
    const drafts = [
      system(4, "Be brief."),
      system(4, "Answer only in French."),
      summed([1, 1], "hello world!", [1]),
    ]
    expect(viewAfter(drafts)).toEqual({
      systemTokens: 7,
      toolsTokens: 0,
      messageTokens: 11,
      unpricedReplacements: 0,
    })
  })

  it("TK8: a prompt in the place of other nodes is counted where others live", () => {
    const replaced = (drafts: readonly Draft[], at: number): readonly Draft[] => [
      ...drafts,
      price([at], 9),
      newPrompt(at, "New head"),
    ]
    expect(unpriced(replaced([user("hi")], 0))).toBe(0)
    expect(unpriced(replaced([system(4, "Be brief."), user("hi")], 1))).toBe(1)
  })

  it("TK5: a price that was too high shows as no messages, not as less than none", () => {
    const drafts = [user("hi"), price([0], 500), summed([0, 0], "", [0])]
    expect(viewAfter(drafts).messageTokens).toBe(0)
  })
})
