import { describe, expect, it } from "vitest"
import type { Breakdown } from "#core/tokens/breakdown"
import { compactBreakdown } from "#core/tokens/compact-breakdown-projection"
import { positionalBreakdown } from "#core/tokens/positional-breakdown-projection"
import { PositionalDraft } from "#core/tokens/positional-draft"
import { applyAll, restoredState } from "#core/tokens/token-projection"
import type { TokenProjection } from "#core/tokens/token-projection"
import { deepFrozen } from "../../../properties/token-steps.ts"
import type { Draft } from "../surface/events.ts"
import { leftOf, note, replacing, requestHeader, rightOf, system, user } from "../surface/events.ts"
import {
  headerOf,
  lastOf,
  newPrompt,
  price,
  priced,
  statesOf,
  summed,
  workedLog,
} from "./token-events.ts"

const figures = ({ systemTokens, messageTokens }: Breakdown): readonly number[] => [
  systemTokens,
  messageTokens,
]

const viewsOf = <State, View extends Breakdown>(
  projection: TokenProjection<State, View>,
  drafts: readonly Draft[],
): readonly (readonly number[])[] =>
  statesOf(projection, priced(drafts))
    .slice(1)
    .map((state) => figures(projection.view(state)))

const finalView = <State, View>(
  projection: TokenProjection<State, View>,
  drafts: readonly Draft[],
): View => projection.view(lastOf(statesOf(projection, priced(drafts))))

const workedFigures = [
  [7, 0],
  [7, 11],
  [7, 20],
  [10, 27],
  [10, 43],
  [10, 43],
  [7, 28],
  [0, 28],
  [6, 28],
]

const both = [
  ["positional", positionalBreakdown],
  ["compact", compactBreakdown],
] as readonly (readonly [string, TokenProjection<unknown, Breakdown>])[]

describe.each(both)("breakdown, %s", (_name, breakdown) => {
  it("TK1 TK5: has the figures of the worked log after each event", () => {
    expect(viewsOf(breakdown, workedLog)).toEqual(workedFigures)
  })

  it("TK1: Q-17: the predecessor is in effect again when the newest prompt goes", () => {
    const prompts = [system(4, "Be brief."), system(4, "Answer only in French."), user("hi")]
    // 7, 10 and 1+4+4
    expect(finalView(breakdown, prompts)).toMatchObject({ systemTokens: 10, messageTokens: 16 })
    const removed = [...prompts, price([1, 2], 19), summed([1, 2], "", [1, 2, 3])]
    // a message without blocks costs its role
    expect(finalView(breakdown, removed)).toMatchObject({ systemTokens: 7, messageTokens: 4 })
  })

  it("TK1: a prompt in the middle goes, and the newest stays in effect", () => {
    const drafts = [
      system(4, "Be brief."),
      user("hi"),
      system(4, "Answer only in French."),
      system(4, "New head"),
      price([1, 2], 19),
      summed([1, 2], "", [1, 2, 4]),
    ]
    // 7 + 4 + 6, of which the last
    expect(finalView(breakdown, drafts)).toMatchObject({ systemTokens: 6, messageTokens: 11 })
  })

  it("TK1: Q-17: surface order counts: a rewritten head is not the newest prompt", () => {
    const drafts = [
      system(4, "Be brief."),
      system(4, "Answer only in French."),
      newPrompt(0, "New head"),
    ]
    expect(finalView(breakdown, drafts)).toMatchObject({ systemTokens: 10, messageTokens: 6 })
  })

  it("TK1: a prompt that is emptied keeps its place and is filled again there", () => {
    const drafts = [
      system(4, "Be brief."),
      system(4, "Answer only in French."),
      newPrompt(0, ""),
      newPrompt(2, "New head"),
    ]
    expect(finalView(breakdown, drafts)).toMatchObject({ systemTokens: 10, messageTokens: 6 })
  })

  it("TK1: Q-17: dormant empty prompts are passed over", () => {
    const drafts = [system(4, "Be brief."), system(4, "Answer only in French."), newPrompt(1, "")]
    expect(finalView(breakdown, drafts)).toMatchObject({ systemTokens: 7, messageTokens: 0 })
  })

  it("TK1: with every prompt emptied none is in effect", () => {
    const drafts = [
      system(4, "Be brief."),
      system(4, "Answer only in French."),
      user("hi"),
      newPrompt(1, ""),
      newPrompt(0, ""),
    ]
    expect(finalView(breakdown, drafts)).toMatchObject({ systemTokens: 0, messageTokens: 9 })
  })

  it("TK1: citing more than is shadowed changes nothing", () => {
    const drafts = [
      system(4, "Be brief."),
      user("hi"),
      user("hello world!"),
      price([2], 11),
      summed([2, 2], "", [0, 1, 2, 3]),
    ]
    expect(finalView(breakdown, drafts)).toMatchObject({ systemTokens: 7, messageTokens: 13 })
  })

  it("TK3: the tools of the latest request header are a figure of their own", () => {
    const tools = [{ name: "ls", description: "", parameters: {} }]
    // [{"name":"ls","description":"","parameters":{}}] is 48 units: 12 + 4
    expect(finalView(breakdown, [requestHeader(4, tools)])).toMatchObject({ toolsTokens: 16 })
    const states = statesOf(breakdown, priced([requestHeader(4, tools), requestHeader(4, tools)]))
    expect(states[2]).toBe(states[1])
    expect(finalView(breakdown, [requestHeader(4, tools), requestHeader(3, [])])).toMatchObject({
      toolsTokens: 0,
    })
  })

  it("TK4: events off the surface leave the very state", () => {
    const states = statesOf(breakdown, priced([user("hi"), note, note]))
    expect(states[2]).toBe(states[1])
    expect(states[3]).toBe(states[1])
  })

  it("TK4: what is frozen is never written to", () => {
    let state = deepFrozen(breakdown.init(headerOf(), 0))
    for (const event of priced(workedLog))
      state = deepFrozen(rightOf(breakdown.apply(state, deepFrozen(event))))
    expect(figures(breakdown.view(state))).toEqual([6, 28])
  })

  it("TK11: the view is the same object while its numbers are the same", () => {
    const empty = system(4, "")
    const states = statesOf(breakdown, priced([user("hi"), empty, newPrompt(1, ""), note]))
    const views = states.map((state) => breakdown.view(state))
    expect(views[2]).toBe(views[1])
    expect(views[3]).toBe(views[1])
    expect(states[2]).not.toBe(states[1])
    expect(views[1]).not.toBe(views[0])
  })

  it("TK9: stored after any event and taken up again, it goes on as if never stored", () => {
    const events = priced(workedLog)
    const { stateVersion: ver } = breakdown
    for (const [i, state] of statesOf(breakdown, events).entries()) {
      const val = JSON.parse(JSON.stringify(state))
      const restored = rightOf(restoredState(breakdown, { ver, val }))
      const state2 = rightOf(applyAll(breakdown, restored, events.slice(i)))
      expect(state2).toEqual(lastOf(statesOf(breakdown, events)))
    }
  })

  it("TK9: registered late, it is folded from the start and has the same figures", () => {
    const events = priced(workedLog)
    const late = rightOf(applyAll(breakdown, breakdown.init(headerOf(), 0), events))
    expect(figures(breakdown.view(late))).toEqual(workedFigures.at(-1))
  })

  it("TK10: a state of another version is discarded", () => {
    const val = JSON.parse(JSON.stringify(breakdown.init(headerOf(), 0)))
    for (const ver of [2, 3, 4, 7])
      expect(leftOf(restoredState(breakdown, { ver, val }))).toEqual({
        code: "state-version",
        stored: ver,
        expected: breakdown.stateVersion,
      })
  })
})

describe("positional breakdown", () => {
  it("TK1: has the nodes of the worked log", () => {
    const { nodes } = lastOf(statesOf(positionalBreakdown, priced(workedLog)))
    expect(nodes).toEqual([
      { seq: 8, heuristicTokens: 6, system: true },
      { seq: 6, heuristicTokens: 12, system: false },
      { seq: 4, heuristicTokens: 16, system: false },
    ])
  })

  it("TK1: prices a replacement that nobody priced", () => {
    const drafts = [user("hello world!"), user("hi"), summed([0, 1], "", [0, 1])]
    expect(finalView(positionalBreakdown, drafts)).toMatchObject({ messageTokens: 4 })
  })

  it("TK1: endpoints are identities: a later start may be the larger seq", () => {
    const drafts = [
      user("hello world!"),
      user("hi"),
      replacing(4, user(""), [0, 0], [0]),
      replacing(4, user("hello world!"), [2, 1], [1, 2]),
    ]
    const { nodes } = lastOf(statesOf(positionalBreakdown, priced(drafts)))
    expect(nodes).toEqual([{ seq: 3, heuristicTokens: 11, system: false }])
  })

  it("TK4: a range that is not on the surface is refused, and nothing changes", () => {
    const [state] = statesOf(positionalBreakdown, priced([user(), user()])).slice(-1)
    if (state === undefined) throw new Error("no state")
    const apply = (range: readonly [number, number]): unknown => {
      const [event] = priced([user(), user(), replacing(4, user(), range, [0, 1])]).slice(-1)
      if (event === undefined) throw new Error("no event")
      const draft = new PositionalDraft(headerOf().format, state)
      const refusal = leftOf(positionalBreakdown.apply(state, event))
      expect(draft.step(event)).toEqual(refusal)
      expect(draft.seal()).toEqual(state)
      return refusal
    }
    expect(apply([1, 0])).toEqual({ code: "range-reversed", seq: 2, start: 1, end: 0 })
    expect(apply([0, 7])).toEqual({ code: "endpoint-not-on-surface", seq: 2, endpoint: 7 })
    expect(apply([9, 1])).toEqual({ code: "endpoint-not-on-surface", seq: 2, endpoint: 9 })
  })

  it("TK10: a stored price below 0 is no state", () => {
    const nodes = [{ seq: 0, heuristicTokens: -1, system: false }]
    const breakdown = { systemTokens: 0, toolsTokens: 0, messageTokens: 0 }
    expect(
      leftOf(restoredState(positionalBreakdown, { ver: 5, val: { nodes, breakdown } })),
    ).toEqual({
      code: "state-shape",
      fault: { path: ["nodes", 0, "heuristicTokens"], expected: "count" },
    })
  })

  it("TK2: a draft has the figures of the worked log, and goes on where it was sealed", () => {
    const { format } = headerOf()
    const events = priced(workedLog)
    const whole = new PositionalDraft(format, positionalBreakdown.init(headerOf(), 0))
    for (const [i, event] of events.entries()) {
      expect(whole.step(event)).toBeNull()
      expect(figures(whole.view())).toEqual(workedFigures[i])
      const resumed = new PositionalDraft(format, whole.seal())
      for (const later of events.slice(i + 1)) resumed.step(later)
      expect(resumed.seal()).toEqual(lastOf(statesOf(positionalBreakdown, events)))
    }
    expect([whole.nodeCount, whole.liveTokens]).toEqual([3, 34])
    expect(whole.view()).toBe(whole.view())
  })
})
