import { describe, expect, it } from "vitest"
import { contextPressure } from "#core/tokens/pressure-projection"
import { applyAll, restoredState } from "#core/tokens/token-projection"
import { deepFrozen } from "../../../properties/token-steps.ts"
import type { Draft } from "../surface/events.ts"
import { leftOf, note, rightOf, user } from "../surface/events.ts"
import {
  answer,
  headerOf,
  lastOf,
  price,
  priced,
  statesOf,
  summed,
  workedLog,
} from "./token-events.ts"

const viewOf = (drafts: readonly Draft[]): object =>
  contextPressure.view(lastOf(statesOf(contextPressure, priced(drafts))))

const context = (contextWindow?: number): Draft => ({
  type: "request/context",
  data: {
    provider: "p",
    model: "m",
    ...(contextWindow === undefined ? {} : { contextWindow }),
  },
})

describe("context pressure", () => {
  it("TK12: has the figures of the worked log after each event", () => {
    const views = statesOf(contextPressure, priced(workedLog)).map(contextPressure.view)
    expect(views.slice(0, 3)).toEqual([{}, {}, {}])
    expect(views.slice(3)).toEqual(
      [54, 64, 80, 80, 62, 62, 62].map((projectedTokens) => ({
        pressureTokens: 45,
        projectedTokens,
      })),
    )
  })

  it("TK12: keeps no list, and is stored as small as it began", () => {
    const states = statesOf(contextPressure, priced(workedLog))
    expect(states[6]).toEqual({
      pressureTokens: 45,
      surfaceTokens: 53,
      sampledSurfaceTokens: 18,
      claim: { start: 1, end: 3, tokens: 30 },
    })
    expect(lastOf(states)).toEqual({
      pressureTokens: 45,
      surfaceTokens: 35,
      sampledSurfaceTokens: 18,
    })
  })

  it("TK12: the next report takes the place of all that was projected", () => {
    const report = answer("ok", { inputTokens: 70, outputTokens: 1 }, { turn: 1, step: 2 })
    expect(viewOf([...workedLog, report])).toEqual({ pressureTokens: 70, projectedTokens: 79 })
  })

  it("TK12: a failed attempt reports too; the summary of a compaction does not", () => {
    const attempt = {
      type: "assistant/attempt",
      data: {
        turn: 1,
        step: 1,
        stream: [
          {
            type: "chunk",
            time: 1,
            chunk: { type: "usage", usage: { inputTokens: 30, outputTokens: 9 } },
          },
        ],
      },
    }
    expect(viewOf([user("hello world!"), attempt])).toEqual({
      pressureTokens: 30,
      projectedTokens: 30,
    })
    const summary = {
      type: "compaction/summary",
      data: { compactionId: "k", usage: { inputTokens: 9_000, outputTokens: 1 } },
    }
    expect(viewOf([user("hi"), summary])).toEqual({})
  })

  it("TK12: never projects less than nothing", () => {
    const drafts = [
      user("x".repeat(400)),
      answer("", { inputTokens: 5, outputTokens: 1 }),
      price([0], 108),
      summed([0, 0], "", [0]),
    ]
    expect(viewOf(drafts)).toEqual({ pressureTokens: 5, projectedTokens: 0 })
  })

  it("TK13: knows the context window that the route said last, and forgets one it no longer says", () => {
    expect(viewOf([context(1_000)])).toEqual({ contextWindow: 1_000 })
    expect(viewOf([context(1_000), context(2_000)])).toEqual({ contextWindow: 2_000 })
    expect(viewOf([context(1_000), context()])).toEqual({})
    const states = statesOf(contextPressure, priced([context(1_000), context(1_000), note]))
    expect(states[2]).toBe(states[1])
    expect(states[3]).toBe(states[1])
  })

  it("TK7: a claim of another range is refused, and nothing changes", () => {
    const events = priced([user(), user(), price([0, 1], 18), summed([1, 1], "", [0, 1])])
    const state = deepFrozen(lastOf(statesOf(contextPressure, events.slice(0, 3))))
    expect(leftOf(contextPressure.apply(state, lastOf(events)))).toMatchObject({
      code: "claim-mismatch",
      seq: 3,
    })
  })

  it("TK9: stored after any event and taken up again, it goes on as if never stored", () => {
    const events = priced([context(1_000), ...workedLog.slice(0, 5)])
    const states = statesOf(contextPressure, events)
    for (const [i, state] of states.entries()) {
      const val = JSON.parse(JSON.stringify(state))
      const restored = rightOf(restoredState(contextPressure, { ver: 5, val }))
      expect(rightOf(applyAll(contextPressure, restored, events.slice(i)))).toEqual(lastOf(states))
    }
  })

  it("TK10: a state of version 3 or 4 is discarded", () => {
    const val = JSON.parse(JSON.stringify(contextPressure.init(headerOf(), 0)))
    for (const ver of [3, 4])
      expect(leftOf(restoredState(contextPressure, { ver, val })).code).toBe("state-version")
  })
})
