import { describe, expect, it } from "vitest"
import { measure } from "#core/tokens/measure"
import type { Draft } from "../surface/events.ts"
import { note, rightOf, system, toolResult, user } from "../surface/events.ts"
import {
  header,
  headerEvent,
  measured,
  metersOf,
  refusalAfter,
  stepStart,
  streamed,
  textStream,
  toolsPrice,
  usageOf,
} from "./meter-log.ts"
import { answer, lastOf, newPrompt, summed } from "./token-events.ts"

const stepEnd = (step = 1): Draft => ({ type: "step/end", data: { turn: 1, step } })

// 7 + 11 tokens, the tools, and an answer of 1+4+4
const asked = [system(4, "Be brief."), user("hello world!"), headerEvent(header()), stepStart()]
const estimate = toolsPrice + 18 + 9

describe("measuring", () => {
  it("TK15: an empty session is nothing", () => {
    expect(measured([note])).toEqual({
      logRevision: 1,
      baseline: { kind: "none", tokens: 0 },
      surfaceDeltaTokens: 0,
      totalTokens: 0,
      surfaceTokens: 0,
      nodes: [],
    })
  })

  it("TK15: before any answer it is an estimate of tools and surface", () => {
    expect(measured(asked)).toEqual({
      logRevision: 4,
      baseline: { kind: "estimated", tokens: toolsPrice + 18 },
      surfaceDeltaTokens: 0,
      totalTokens: toolsPrice + 18,
      surfaceTokens: 18,
      nodes: [
        { seq: 0, tokens: 7, heuristicTokens: 7 },
        { seq: 1, tokens: 11, heuristicTokens: 11 },
      ],
    })
  })

  it("TK16: a reported call is what the total starts from", () => {
    const drafts = [...asked, streamed("ok", usageOf(60), textStream("o", "k"))]
    const usage = {
      inputTokens: 58,
      outputTokens: 2,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    }
    expect(measured(drafts)).toMatchObject({
      baseline: { kind: "usage", tokens: 60, usage },
      surfaceDeltaTokens: 0,
      totalTokens: 60,
    })
    // a tool result of 30 units: 8+4+4
    const more = [...drafts, toolResult(4, "c", "x".repeat(30))]
    expect(measured(more)).toMatchObject({ surfaceDeltaTokens: 16, totalTokens: 76 })
  })

  it("TK16: every bucket of the call counts, and reasoning but once", () => {
    const usage = {
      inputTokens: 10,
      cacheReadTokens: 40,
      cacheWriteTokens: 5,
      outputTokens: 7,
      reasoningTokens: 6,
      totalTokens: 999,
    }
    expect(measured([...asked, streamed("ok", usage, textStream("ok"))]).baseline.tokens).toBe(62)
  })

  it("TK17: a report below the estimate is not believed", () => {
    expect(measured([...asked, streamed("ok", usageOf(50), textStream("ok"))])).toMatchObject({
      baseline: { kind: "estimated", tokens: estimate },
      totalTokens: estimate,
    })
    const exact = streamed("ok", usageOf(estimate), textStream("ok"))
    expect(measured([...asked, exact]).baseline.kind).toBe("usage")
  })

  it("TK18: an answer that was rewritten before it was logged is a difference", () => {
    // 22 units cost 6+4+4 instead of 9
    const drafts = [...asked, streamed("x".repeat(22), usageOf(60), textStream("ok"))]
    expect(measured(drafts)).toMatchObject({ surfaceDeltaTokens: 5, totalTokens: 65 })
  })

  it("TK18: what was compacted since is taken off, never below nothing", () => {
    const drafts = [
      ...asked,
      streamed("ok", usageOf(60), textStream("ok")),
      summed([1, 4], "", [1, 4]),
    ]
    expect(measured(drafts)).toMatchObject({ surfaceDeltaTokens: 4 - 20, totalTokens: 44 })
    const large = [
      user("x".repeat(4_000)),
      headerEvent(header("m", [])),
      stepStart(),
      streamed("ok", null, []),
      summed([0, 3], "", [0, 3]),
    ]
    expect(measured(large).totalTokens).toBe(4)
  })

  it("TK18: without a header an answer anchors an estimate of what the log keeps", () => {
    const drafts = [user("hello world!"), stepStart(), streamed("ok", usageOf(500), textStream(""))]
    expect(measured(drafts)).toMatchObject({
      baseline: { kind: "estimated", tokens: 20 },
      totalTokens: 20,
    })
  })

  it("TK19: other tools or another model give the anchor up, a new prompt does not", () => {
    const drafts = [...asked, streamed("ok", usageOf(60), textStream("ok"))]
    expect(measured([...drafts, headerEvent(header())]).totalTokens).toBe(60)
    expect(measured([...drafts, newPrompt(0, "")]).totalTokens).toBe(53)
    expect(measured([...drafts, headerEvent(header("other"))])).toMatchObject({
      baseline: { kind: "estimated", tokens: toolsPrice + 27 },
      surfaceDeltaTokens: 0,
    })
    expect(measured([...drafts, headerEvent(header("m", []))]).totalTokens).toBe(27)
  })

  it("TK19: the header of the request to come may be given", () => {
    const meter = lastOf(metersOf([...asked, streamed("ok", usageOf(60), textStream("ok"))]))
    expect(rightOf(measure(meter, { ...header(), adapterDefaults: {} })).totalTokens).toBe(60)
    expect(rightOf(measure(meter, header("other"))).totalTokens).toBe(toolsPrice + 27)
  })

  it("TK18: older meters stay as they were", () => {
    const drafts = [...asked, streamed("ok", usageOf(60), textStream("ok")), user("hi")]
    const meters = metersOf(drafts)
    const totals = meters.map((meter) => rightOf(measure(meter)).totalTokens)
    expect(totals).toEqual([0, 7, 18, 44, 44, 60, 69])
  })
})

describe("steps of a meter", () => {
  it("TK20: steps do not overlap, end as they began, and hold their answers", () => {
    const openStep = { turn: 1, step: 1 }
    expect(refusalAfter([stepStart(), stepStart(2)])).toEqual({
      code: "meter-step-open",
      seq: 1,
      openStep,
    })
    expect(refusalAfter([stepStart(), stepEnd(2)])).toEqual({
      code: "meter-step-unmatched",
      seq: 1,
      openStep,
    })
    expect(refusalAfter([stepEnd()])).toEqual({
      code: "meter-step-unmatched",
      seq: 0,
      openStep: null,
    })
    expect(refusalAfter([answer("ok", null)])).toMatchObject({ code: "meter-step-unmatched" })
    expect(metersOf([stepStart(), answer("ok", null), stepEnd(), stepStart(2)])).toHaveLength(5)
  })

  it("TK20: a range that is not on the surface is refused", () => {
    expect(refusalAfter([user(), user(), summed([1, 0], "", [0, 1])])).toMatchObject({
      code: "range-reversed",
    })
  })
})
