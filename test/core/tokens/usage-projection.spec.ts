import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { applyAll, restoredState } from "#core/tokens/token-projection"
import { tokenUsage } from "#core/tokens/usage-projection"
import type { Draft } from "../surface/events.ts"
import { leftOf, note, rightOf } from "../surface/events.ts"
import { answer, headerOf, lastOf, priced, statesOf } from "./token-events.ts"

const usage = (inputTokens: number, outputTokens: number): JsonObject => ({
  inputTokens,
  outputTokens,
})

const attempt = (reported: JsonObject): Draft => ({
  type: "assistant/attempt",
  data: {
    turn: 1,
    step: 1,
    stream: [{ type: "chunk", time: 1, chunk: { type: "usage", usage: reported } }],
  },
})

const retryStarted: Draft = {
  type: "llm/retry-started",
  data: { turn: 1, step: 1, retryId: "y", retry: 1 },
}

const totals = (input: number, output: number): JsonObject => ({
  uncachedInputTokens: input,
  outputTokens: output,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
})

describe("usage totals as a projection", () => {
  it("TK14: a later report of a step takes the place of the one before", () => {
    const drafts = [attempt(usage(100, 5)), answer("ok", usage(100, 20))]
    expect(tokenUsage.view(lastOf(statesOf(tokenUsage, priced(drafts))))).toEqual(totals(100, 20))
  })

  it("TK14: a retry that started is added, and shows nothing by itself", () => {
    const drafts = [attempt(usage(100, 5)), retryStarted, answer("ok", usage(100, 20))]
    const states = statesOf(tokenUsage, priced(drafts))
    expect(tokenUsage.view(lastOf(states))).toEqual(totals(200, 25))
    const [, before, after] = states.map(tokenUsage.view)
    expect(states[2]).not.toBe(states[1])
    expect(after).toBe(before)
  })

  it("TK14: buckets are disjoint, and reasoning is a part of the output", () => {
    const full = {
      inputTokens: 100,
      outputTokens: 20,
      cacheReadTokens: 60,
      cacheWriteTokens: 8,
      reasoningTokens: 5,
      totalTokens: 188,
    }
    expect(tokenUsage.view(lastOf(statesOf(tokenUsage, priced([answer("ok", full)]))))).toEqual({
      uncachedInputTokens: 100,
      outputTokens: 20,
      cacheReadTokens: 60,
      cacheWriteTokens: 8,
    })
  })

  it("TK14: what says nothing of usage, or the same again, leaves the very state", () => {
    const drafts = [answer("ok", usage(1, 1)), note, answer("ok", usage(1, 1))]
    const states = statesOf(tokenUsage, priced(drafts))
    expect(states[2]).toBe(states[1])
    expect(states[3]).toBe(states[1])
  })

  it("TK14: inherited events are not counted, whether the cut is known or marked", () => {
    const marker = { type: "session/end-seed", data: { inherited: true } }
    const drafts = [answer("ok", usage(100, 20)), marker, answer("ok", usage(7, 1))]
    for (const count of [0, 1]) {
      const start = tokenUsage.init(headerOf(), count)
      const state = rightOf(applyAll(tokenUsage, start, priced(drafts)))
      expect(tokenUsage.view(state)).toEqual(totals(7, 1))
    }
  })

  it("TK14: a marker within what is known to be inherited begins no count", () => {
    const marker = { type: "session/end-seed", data: { inherited: true } }
    const events = priced([marker, answer("ok", usage(100, 20)), marker])
    const start = tokenUsage.init(headerOf(), 2)
    for (const length of [1, 2, 3])
      expect(rightOf(applyAll(tokenUsage, start, events.slice(0, length)))).toBe(start)
  })

  it("TK9: stored after any event and taken up again, it goes on as if never stored", () => {
    const unplaced = {
      type: "assistant/chunk",
      data: { chunk: { type: "usage", usage: usage(3, 1) } },
    }
    const drafts = [unplaced, unplaced]
    const events = priced(drafts, 0)
    const states = statesOf(tokenUsage, events)
    for (const [i, state] of states.entries()) {
      const val = JSON.parse(JSON.stringify(state))
      const restored = rightOf(restoredState(tokenUsage, { ver: 3, val }))
      const resumed = rightOf(applyAll(tokenUsage, restored, events.slice(i)))
      expect(tokenUsage.view(resumed)).toEqual(totals(6, 2))
    }
  })

  it("TK10: a state of version 2 is discarded: it counts inherited events", () => {
    const val = JSON.parse(JSON.stringify(tokenUsage.init(headerOf(), 0)))
    expect(leftOf(restoredState(tokenUsage, { ver: 2, val })).code).toBe("state-version")
  })
})
