import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { ToolHistoryState, ToolsAt } from "#core/request/tool-history"
import {
  loggedTools,
  noToolHistory,
  stepToolHistory,
  toolChanges,
  toolHistoryOf,
} from "#core/request/tool-history"
import { toolChangesMessage } from "#core/request/records"
import { addition, developerData, removal } from "../../../properties/arbitraries/dialect.ts"
import { leftOf, rightOf } from "../surface/events.ts"
import { schema } from "./agent.ts"

const [a, b, c] = [schema("a"), schema("b"), schema("c")]
const newB = schema("b", "is new")

type Event = readonly [type: string, data: JsonValue]
const header = (tools: readonly JsonObject[], reason = "change", more: JsonObject = {}): Event => [
  "request/header",
  {
    header: { config: { provider: "p", model: "m" }, ...(tools.length > 0 ? { tools } : {}) },
    reason,
    ...more,
  },
]
const update = (id: string, blocks: readonly JsonObject[], headerSeq?: number): Event => [
  "developer/message",
  developerData({ turn: 1, step: 1 }, id, blocks, headerSeq),
]
/** The tools of the headers among some events, which begin at seq 0. */
const toolsIn =
  (events: readonly Event[]): ToolsAt =>
  (headerSeq) => {
    const [type, data] = events[headerSeq] ?? []
    return type === "request/header" ? loggedTools(data ?? null) : []
  }
const noTools: ToolsAt = () => []
const after = (...events: readonly Event[]): ToolHistoryState =>
  events.reduce(
    (state, [type, data], seq) => rightOf(stepToolHistory(state, type, seq, data, toolsIn(events))),
    noToolHistory,
  )
const told = (...events: readonly Event[]) => toolHistoryOf(after(...events))

describe("the history of tools", () => {
  it("PM44: begins with the first header, and is the same object until something changes", () => {
    expect(told()).toEqual({ tools: [], updates: [] })
    const state = after(header([a], "initial"))
    expect(toolHistoryOf(state)).toEqual({ tools: [a], updates: [] })
    expect(toolHistoryOf(state)).toBe(toolHistoryOf(state))
    expect(rightOf(stepToolHistory(state, "user/message", 1, null, noTools))).toBe(state)
    const [type, data] = header([a], "resume")
    expect(toolHistoryOf(rightOf(stepToolHistory(state, type, 1, data, noTools)))).toBe(
      toolHistoryOf(state),
    )
  })

  it("PM44: goes on with additions, taken from their header, and removals", () => {
    const one = after(header([a], "initial"), header([a, b]), update("d1", [addition("b")], 1))
    expect(toolHistoryOf(one)).toEqual({
      tools: [a],
      updates: [{ messageId: "d1", additions: [b] }],
    })
    const [type, data] = header([b])
    const [kind, gone] = update("d2", [{ type: "text", text: "bye" }, removal("a")])
    const two = rightOf(
      stepToolHistory(
        rightOf(stepToolHistory(one, type, 3, data, noTools)),
        kind,
        4,
        gone,
        noTools,
      ),
    )
    expect(toolHistoryOf(two).updates).toEqual([
      { messageId: "d1", additions: [b] },
      { messageId: "d2", additions: [] },
    ])
    expect(toolHistoryOf(two).tools).toEqual([a])
    // an earlier state is as it was
    expect(toolHistoryOf(one).updates).toHaveLength(1)
  })

  it("PM44: an addition may come from an older header", () => {
    const events = [
      header([a], "initial"),
      header([a, b]),
      header([a, b, c]),
      update("d", [addition("b"), addition("c")], 2),
      update("r", [addition("b")], 1),
    ]
    expect(told(...events).updates[1]).toEqual({ messageId: "r", additions: [b] })
  })

  it.each([
    ["series", {}],
    ["change", { startsSeries: true }],
    ["resume", { startsSeries: true }],
  ])("PM45: starts anew with a series: %s %j", (reason, more) => {
    const events = [
      header([a], "initial"),
      header([a, b]),
      update("d1", [addition("b")], 1),
      header([a, b], reason, more),
    ]
    expect(told(...events)).toEqual({ tools: [a, b], updates: [] })
    expect(told(...events, update("d2", [addition("b")], 3))).toEqual({
      tools: [a, b],
      updates: [{ messageId: "d2", additions: [b] }],
    })
  })

  it("PM45: starts anew where a name is defined anew, also of a tool that was gone", () => {
    const events = [
      header([a, b], "initial"),
      header([a]),
      update("d1", [removal("b")]),
      header([a, b]),
      update("d2", [addition("b")], 3),
    ]
    // an unchanged one goes on
    expect(told(...events)).toEqual({
      tools: [a, b],
      updates: [
        { messageId: "d1", additions: [] },
        { messageId: "d2", additions: [b] },
      ],
    })
    expect(told(...events.slice(0, 3), header([a, newB]))).toEqual({
      tools: [a, newB],
      updates: [],
    })
    // also of one that the series did not begin with
    const added = [header([a], "initial"), header([a, b]), update("d1", [addition("b")], 1)]
    expect(told(...added, header([a, newB]))).toEqual({ tools: [a, newB], updates: [] })
    expect(told(...events.slice(0, 1), header([a, newB], "resume"))).toEqual({
      tools: [a, newB],
      updates: [],
    })
  })

  it("PM46: is the active tools where the updates do not lead there", () => {
    const events = [header([a], "initial"), header([a, b])]
    const state = after(...events)
    expect(toolHistoryOf(state)).toEqual({ tools: [a, b], updates: [] })
    expect(toolHistoryOf(state)).not.toBe(toolHistoryOf(state))
    const updated = [...events, update("d", [addition("b")], 1)]
    expect(told(...updated)).toEqual({ tools: [a], updates: [{ messageId: "d", additions: [b] }] })
    expect(told(...updated, header([b]))).toEqual({ tools: [b], updates: [] })
    // two tools of one name are never what the updates lead to
    expect(told(header([a, a], "initial"))).toEqual({ tools: [a, a], updates: [] })
    const twice = after(header([a, a], "initial"))
    expect(toolHistoryOf(twice)).not.toBe(toolHistoryOf(twice))
  })

  it("PM44: an addition without a definition is refused", () => {
    const refusal = (headerSeq: number | undefined, name: string) => {
      const [type, data] = update("d", [addition(name)], headerSeq)
      const first = header([a], "initial")
      return leftOf(stepToolHistory(after(first), type, 1, data, toolsIn([first])))
    }
    const missing = { code: "tool-definition-missing", seq: 1 }
    expect(refusal(0, "b")).toEqual({ ...missing, headerSeq: 0, toolName: "b" })
    expect(refusal(7, "a")).toEqual({ ...missing, headerSeq: 7, toolName: "a" })
  })
})

describe("changes of tools", () => {
  it("PM47: are names that come, in their new order, and names that go, in their old one", () => {
    expect(toolChanges([a, b], [schema("z"), a, schema("y")])).toEqual({
      additions: ["z", "y"],
      removals: ["b"],
    })
    expect(toolChanges([c, b, a], [])).toEqual({ additions: [], removals: ["c", "b", "a"] })
    expect(toolChanges([a, b], [newB, a])).toEqual({ additions: [], removals: [] })
    expect(toolChangesMessage("i", { additions: ["z", "y"], removals: ["b"] })).toStrictEqual({
      id: "i",
      role: "developer",
      source: { kind: "tool-registry" },
      content: [addition("z"), addition("y"), removal("b")],
    })
  })
})
