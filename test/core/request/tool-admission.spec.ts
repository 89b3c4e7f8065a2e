import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { Admission } from "#core/request/admission"
import type { Route } from "#core/request/route"
import { projectToolUpdates } from "#core/request/tool-update"
import { addition, removal } from "../../../properties/arbitraries/dialect.ts"
import {
  additionOnly,
  Agent,
  fullyCapable,
  headerReasons,
  isPrefix,
  plain,
  restored,
  schema,
  systems,
  typesOf,
  userMessage,
} from "./agent.ts"

const [a, b, c] = [schema("a"), schema("b"), schema("c")]
const contentOf = (event: JsonObject | undefined): unknown =>
  ((event?.["data"] as JsonObject | undefined)?.["message"] as JsonObject | undefined)?.["content"]

/** What the provider of a route gets of a request. */
const provided = ({ request }: Admission, route: Route) =>
  projectToolUpdates(request.messages, request.tools ?? [], route.toolUpdate, request.toolHistory)

describe("one attempt after tools changed", () => {
  it("PM58: tools that come and go are told, with the header that defines new ones", () => {
    const agent = new Agent()
    const route = plain
    agent.run(route, { tools: [a] })
    expect(agent.events("developer/message")).toEqual([])
    agent.run(route, { tools: [b, a, c] })
    const [added] = agent.events("developer/message")
    expect(contentOf(added)).toEqual([addition("b"), addition("c")])
    const headers = agent.events("request/header")
    expect(added?.["data"]).toMatchObject({ headerSeq: headers[1]?.["seq"] })
    agent.run(route, { tools: [c] })
    const gone = agent.events("developer/message")[1]
    expect(contentOf(gone)).toEqual([removal("a"), removal("b")].toReversed())
    expect(Object.keys(gone?.["data"] as JsonObject)).not.toContain("headerSeq")
    agent.run(route, { tools: [c] })
    agent.run(route, { tools: [schema("c", "anew")] })
    expect(agent.events("developer/message")).toHaveLength(2)
    agent.run(route, { tools: [] })
    expect(agent.run(route, { tools: [] }).request).not.toHaveProperty("tools")
  })

  it("PM58: a series that is only a series tells of no tools, a resumed log does", () => {
    const agent = new Agent()
    agent.run(plain, { tools: [a] })
    const resumed = new Agent(restored(agent.log))
    const { events } = resumed.run(plain, { tools: [a, b] })
    expect(typesOf(events)).toEqual(["request/header", "developer/message"])
    expect(headerReasons(resumed)).toEqual(["initial", "resume"])
    resumed.run(plain, { tools: [a, b], declaresSeries: true })
    expect(resumed.events("developer/message")).toHaveLength(1)
  })

  it.each([fullyCapable, additionOnly])(
    "PM59: prompt and tools change together, or one after the other, and the past stays",
    (route) => {
      for (const apart of [false, true]) {
        const agent = new Agent()
        const first = agent.run(route, { accepted: [userMessage("1")], tools: [a] })
        if (apart) agent.run(route, { prompt: "B", tools: [a] })
        const next = agent.run(route, { prompt: "B", tools: [a, b] })
        expect(isPrefix(first, next)).toBe(true)
        expect(systems(next)).toEqual(["system: A", "system: B"])
        expect(headerReasons(agent)).toEqual(["initial", "change"])
        const { messages, tools } = provided(next, route)
        expect(tools).toEqual([a, { ...b, deferLoading: true }])
        const developers = messages.filter(({ role }) => role === "developer")
        expect(developers.map(({ content }) => content)).toEqual([[addition("b")]])
      }
    },
  )

  it("PM59: losing the capability, all is told anew", () => {
    const agent = new Agent()
    agent.run(fullyCapable, { tools: [a] })
    agent.run(fullyCapable, { prompt: "B", tools: [a, b] })
    const lost = agent.run(plain, { prompt: "B", tools: [a, b] })
    expect(systems(lost)).toEqual(["system: B"])
    const { messages, tools } = provided(lost, plain)
    expect(tools).toEqual([a, b])
    expect(messages.some(({ role }) => role === "developer")).toBe(false)
  })

  it("PM59: so it is at a series start, and where a rewrite came before", () => {
    for (const isDeclared of [true, false]) {
      const agent = new Agent()
      agent.run(fullyCapable, { accepted: [userMessage("1")], tools: [a] })
      agent.run(fullyCapable, { prompt: "B", tools: [a] })
      if (!isDeclared) agent.compact(1, 1)
      const next = agent.run(fullyCapable, {
        prompt: "B",
        tools: [a, b],
        declaresSeries: isDeclared,
      })
      expect(systems(next)).toEqual(["system: B"])
      expect(headerReasons(agent)).toEqual(["initial", "change+"])
      expect(provided(next, fullyCapable).tools).toEqual([a, b])
    }
  })

  it("PM59: a tool that is defined anew rebuilds declarations, and prompts stay", () => {
    const agent = new Agent()
    agent.run(fullyCapable, { tools: [a] })
    const again = schema("a", "anew")
    const next = agent.run(fullyCapable, { prompt: "B", tools: [again] })
    expect(next.request.toolHistory).toEqual({ tools: [again], updates: [] })
    expect(systems(next)).toEqual(["system: A", "system: B"])
    expect(headerReasons(agent)).toEqual(["initial", "change"])
  })

  it("PM59: the history of tools grows with the updates, the header lists what is active", () => {
    const agent = new Agent()
    const admissions = [[a], [a, b], [b], [b]].map((tools) => agent.run(fullyCapable, { tools }))
    expect(admissions.map(({ request }) => request.toolHistory.updates.length)).toEqual([
      0, 1, 2, 2,
    ])
    expect(admissions.map(({ request }) => request.tools)).toEqual([[a], [a, b], [b], [b]])
    expect(headerReasons(agent)).toEqual(["initial", "change", "change"])
    const last = admissions[3]
    if (last === undefined) throw new RangeError("no request")
    const { messages, tools } = provided(last, fullyCapable)
    expect(tools).toEqual([a, { ...b, deferLoading: true }])
    const blocks = messages.filter(({ role }) => role === "developer")
    expect(blocks.map(({ content }) => content)).toEqual([[addition("b")], [removal("a")]])
  })
})
