import { describe, expect, it } from "vitest"
import { startsPromptSeries } from "#core/request/admission"
import type { Route } from "#core/request/route"
import {
  Agent,
  capable,
  fullyCapable,
  headerReasons,
  isPrefix,
  plain,
  restored,
  schema,
  systems,
  told,
  typesOf,
  userMessage,
} from "./agent.ts"

const [a, b, c] = [schema("a"), schema("b"), schema("c")]
describe("one attempt", () => {
  it("PM49: commits prompts, users, header, changes of tools, and context, in this order", () => {
    const agent = new Agent()
    agent.open({ accepted: [userMessage("1"), userMessage("2")], tools: [a] })
    const first = agent.send(capable)
    expect(typesOf(first.events)).toEqual([
      "system/message",
      ...["user/message", "user/message"],
      ...["request/header", "request/context"],
    ])
    expect(told(first.request)).toEqual(["system: A", "user: 1", "user: 2"])
    agent.answer()
    agent.run(plain, { prompt: "B", tools: [a] })
    agent.open({ prompt: "C", accepted: [userMessage("3")], tools: [b], declaresSeries: true })
    const later = agent.send(fullyCapable)
    expect(typesOf(later.events)).toEqual([
      "system/message replace",
      ...["user/message", "request/header", "developer/message", "request/context"],
    ])
    const [prompt, , header, developer] = later.events
    // the head is the one that took the place of the first, in the second step
    expect(prompt).toMatchObject({ surfaceOp: { op: "replace", startSeq: 9, endSeq: 9 } })
    expect(prompt?.["sourceEventSeqs"]).toEqual([9])
    expect(prompt?.data).toMatchObject({ turn: 3, step: 1 })
    expect(developer?.data).toMatchObject({ turn: 3, step: 1, headerSeq: header?.seq })
    expect(later.events.map(({ seq }) => seq)).toEqual(
      later.events.map((_, i) => (prompt?.seq ?? 0) + i),
    )
  })

  it("PM49: an empty first prompt has its place before all history", () => {
    const agent = new Agent()
    const first = agent.run(plain, { prompt: "", accepted: [userMessage("1")] })
    expect(typesOf(first.events).slice(0, 2)).toEqual(["system/message", "user/message"])
    expect(told(first.request)).toEqual(["user: 1"])
    expect(told(agent.run(plain, { prompt: "A" }).request).slice(0, 2)).toEqual([
      ...["system: A", "user: 1"],
    ])
    expect(told(agent.run(plain, { prompt: "" }).request)[0]).toBe("user: 1")
    expect(agent.run(plain, { prompt: "" }).events).toEqual([])
    expect(told(agent.run(plain, { prompt: "B" }).request)[0]).toBe("system: B")
  })

  it("PM50: steps and turns go on where nothing changed: one header, one context", () => {
    const agent = new Agent()
    const first = agent.run(plain, { accepted: [userMessage("1")], tools: [a] })
    const second = agent.run(plain, { accepted: [userMessage("2")], tools: [schema("a")] })
    const third = agent.run(plain, { accepted: [], tools: [a] })
    expect(typesOf(second.events)).toEqual(["user/message"])
    expect(third.events).toEqual([])
    expect(isPrefix(first, second) && isPrefix(second, third)).toBe(true)
    expect(headerReasons(agent)).toEqual(["initial"])
  })

  it("PM51: a changed prompt is appended on a capable route, before the users, without a header", () => {
    const agent = new Agent()
    const first = agent.run(capable, { accepted: [userMessage("1")] })
    const second = agent.run(capable, { prompt: "B", accepted: [userMessage("2")] })
    expect(typesOf(second.events)).toEqual(["system/message", "user/message"])
    expect(told(second.request)).toEqual([
      ...["system: A", "user: 1", "assistant: yes", "system: B", "user: 2"],
    ])
    expect(isPrefix(first, second)).toBe(true)
    expect(agent.run(capable, { prompt: "B" }).events).toEqual([])
  })

  it("PM51: on any other route the head is rewritten, and that starts a series", () => {
    const agent = new Agent()
    agent.run(plain, { accepted: [userMessage("1")] })
    const second = agent.run(plain, { prompt: "B" })
    expect(typesOf(second.events)).toEqual(["system/message replace", "request/header"])
    expect(told(second.request)).toEqual(["system: B", "user: 1", "assistant: yes"])
    expect(headerReasons(agent)).toEqual(["initial", "series"])
  })

  it("PM52: a series starts where the decision says so, alone and beside another change", () => {
    const agent = new Agent()
    agent.run(capable)
    agent.run(capable, { declaresSeries: true })
    expect(headerReasons(agent)).toEqual(["initial", "series"])
    const other: Route = { ...capable, config: { ...capable.config, temperature: 1 } }
    agent.run(other, { declaresSeries: true })
    agent.run(other)
    expect(headerReasons(agent)).toEqual(["initial", "series", "change+"])
    const begun = new Agent()
    begun.run(capable, { declaresSeries: true })
    expect(headerReasons(begun)).toEqual(["initial+"])
  })

  it("PM52: unchanged text in two versions is one after an explicit series", () => {
    const agent = new Agent()
    agent.run(capable)
    agent.run(capable, { prompt: "B" })
    expect(systems(agent.run(capable, { prompt: "B", declaresSeries: true }))).toEqual([
      "system: B",
    ])
    expect(headerReasons(agent)).toEqual(["initial", "series"])
  })

  it("PM52: or after a tool came on a route that takes no tools", () => {
    const agent = new Agent()
    agent.run(capable, { tools: [a] })
    agent.run(capable, { prompt: "B", tools: [a] })
    expect(systems(agent.run(capable, { prompt: "B", tools: [a, b] }))).toEqual(["system: B"])
    expect(headerReasons(agent)).toEqual(["initial", "change+"])
    // with one prompt alone nothing is replaced, and the header says no more than what changed
    agent.run(capable, { prompt: "B", tools: [a, b, c] })
    expect(headerReasons(agent)).toEqual(["initial", "change+", "change"])
    // and a tool that was moved is a change of tools
    expect(systems(agent.run(capable, { prompt: "D", tools: [b, a, c] }))).toEqual(["system: D"])
  })

  it("PM52: B.k: a compaction between two steps starts one", () => {
    const agent = new Agent()
    agent.run(capable, { accepted: [userMessage("1")] })
    agent.run(capable, { prompt: "B" })
    // the surface: A, user 1, answer, B, answer
    agent.compact(1, 3)
    const next = agent.run(capable, { prompt: "B" })
    expect(told(next.request)).toEqual(["system: B", "user: summary", "assistant: yes"])
    expect(headerReasons(agent)).toEqual(["initial", "series"])
    expect(agent.run(capable, { prompt: "B" }).events).toEqual([])
    agent.compact(1, 1)
    const other: Route = { ...capable, config: { provider: "p", model: "n" } }
    agent.run(other, { prompt: "B" })
    expect(headerReasons(agent)).toEqual(["initial", "series", "change+"])
  })

  it("PM52: so does a projection, which replaces nothing", () => {
    const agent = new Agent()
    const image = {
      type: "image",
      attachment: { attachmentId: "i", mediaType: "image/png", bytes: 1, width: 1, height: 1 },
    }
    const seen = { id: "u", role: "user", source: { kind: "user" }, content: [image] }
    agent.run(capable, { accepted: [seen] })
    agent.run(capable, { prompt: "B" })
    const userSeq = agent.events("user/message")[0]?.["seq"] as number
    agent.append({
      type: "image/offload",
      data: { targets: [{ seq: userSeq, imageIndexes: [0] }] },
    })
    expect(agent.log.surface.replaceGeneration).toBe(0)
    expect(agent.log.surface.contentGeneration).toBe(1)
    expect(systems(agent.run(capable, { prompt: "B" }))).toEqual(["system: B"])
    expect(headerReasons(agent)).toEqual(["initial", "series"])
  })

  it("PM52: B.l: another provider or model alone starts none", () => {
    const agent = new Agent()
    const first = agent.run(capable, { accepted: [userMessage("1")] })
    const moved: Route = { ...capable, config: { provider: "q", model: "n" } }
    const second = agent.run(moved, { prompt: "B" })
    expect(typesOf(second.events)).toEqual(["system/message", "request/header", "request/context"])
    expect(systems(second)).toEqual(["system: A", "system: B"])
    expect(isPrefix(first, second)).toBe(true)
    expect(headerReasons(agent)).toEqual(["initial", "change"])
  })

  it("PM53: what an earlier route could do decides nothing", () => {
    for (const prompt of ["B", "C"]) {
      const agent = new Agent()
      agent.run(capable)
      agent.run(capable, { prompt: "B" })
      const lost = agent.run(plain, { prompt })
      expect(typesOf(lost.events)).toEqual([
        ...[
          "system/message replace",
          "system/message replace",
          "request/header",
          "request/context",
        ],
      ])
      expect(systems(lost)).toEqual([`system: ${prompt}`])
      expect(agent.run(plain, { prompt }).events).toEqual([])
    }
    const agent = new Agent()
    agent.run(plain, { accepted: [userMessage("1")] })
    const gained = agent.run(capable, { prompt: "B", accepted: [userMessage("2")] })
    expect(typesOf(gained.events)).toEqual(["system/message", "user/message", "request/context"])
    expect(told(gained.request).slice(-2)).toEqual(["system: B", "user: 2"])
  })

  it.each([capable, plain])("PM54: an empty prompt leaves none of three versions", (route) => {
    const agent = new Agent()
    for (const prompt of ["A", "B", "C"]) agent.run(capable, { prompt })
    const empty = agent.run(route, { prompt: "" })
    expect(typesOf(empty.events).filter((type) => type.startsWith("system"))).toEqual([
      ...["system/message replace", "system/message replace", "system/message replace"],
    ])
    expect(systems(empty)).toEqual([])
    expect(agent.run(route, { prompt: "" }).events).toEqual([])
    const resumed = new Agent(restored(agent.log))
    const again = resumed.run(route, { prompt: "" })
    expect(typesOf(again.events)).toEqual(["request/header"])
    expect(systems(again)).toEqual([])
    expect(systems(resumed.run(route, { prompt: "D" }))).toEqual(["system: D"])
  })

  it("PM57: B.n: what is not committed leaves no trace", () => {
    const agent = new Agent()
    agent.run(capable, { tools: [a] })
    agent.open({ prompt: "B", accepted: [userMessage("1")], tools: [b], declaresSeries: true })
    const { log, memory } = agent
    const before = JSON.stringify(log)
    const messages = JSON.stringify(agent.messages())
    const dropped = agent.admission(fullyCapable)
    expect(dropped.events.length).toBeGreaterThan(3)
    agent.admission(plain)
    expect(agent.log).toBe(log)
    expect(agent.memory).toBe(memory)
    expect(log.surface.nextSeq).toBe(dropped.events[0]?.seq)
    expect(JSON.stringify(agent.messages())).toBe(messages)
    expect(JSON.stringify({ ...log, events: log.events.slice(0, log.surface.nextSeq) })).toBe(
      JSON.stringify({
        ...(JSON.parse(before) as object),
        events: log.events.slice(0, log.surface.nextSeq),
      }),
    )
    // and the step can still be admitted, as if for the first time
    expect(typesOf(agent.send(fullyCapable).events)).toEqual(typesOf(dropped.events))
  })

  it("PM57: what a log would refuse is refused as a whole", () => {
    const agent = new Agent()
    agent.open({ accepted: [userMessage("1"), { role: "user" }] })
    expect(agent.refusal(plain)).toMatchObject({ code: "payload-shape", type: "user/message" })
    agent.open({ accepted: [{ ...userMessage("1"), more: -0 }] })
    expect(agent.refusal(plain)).toMatchObject({ code: "not-lossless" })
    // two new tools of one name cannot be told apart by their header
    agent.run(plain, { tools: [a] })
    agent.open({ tools: [a, b, b] })
    expect(agent.refusal(plain)).toMatchObject({ code: "tool-definition-missing", toolName: "b" })
    expect(agent.events("user/message")).toEqual([])
  })

  it("PM60: the context is logged with the first request, and when it changed", () => {
    const agent = new Agent()
    agent.run({ ...capable, contextWindow: 10 })
    agent.run({ ...capable, contextWindow: 10 })
    agent.run(capable)
    agent.run(capable)
    agent.run({ ...capable, config: { provider: "p", model: "n" } })
    expect(agent.events("request/context").map(({ data }) => data)).toEqual([
      { provider: "p", model: "m", contextWindow: 10, systemPromptUpdate: "in-history" },
      { provider: "p", model: "m", systemPromptUpdate: "in-history" },
      { provider: "p", model: "n", systemPromptUpdate: "in-history" },
    ])
    expect(agent.messages()).toHaveLength(6)
  })

  it("PM43: the latest context is known to the log, also to one that is read again", () => {
    const agent = new Agent()
    expect(agent.log.context).toBeNull()
    agent.run({ ...capable, contextWindow: 10 })
    const full = { provider: "p", model: "m", contextWindow: 10, systemPromptUpdate: "in-history" }
    expect(agent.log.context).toEqual(full)
    expect(Object.isFrozen(agent.log.context)).toBe(true)
    expect(restored(agent.log).context).toEqual(full)
    const resumed = new Agent(restored(agent.log))
    expect(typesOf(resumed.run({ ...capable, contextWindow: 10 }).events)).toEqual([
      "request/header",
    ])
    // a window that is no longer known takes the place of one that was
    resumed.run(capable)
    expect(resumed.log.context).not.toHaveProperty("contextWindow")
    expect(agent.log.context).toEqual(full)
  })

  it("PM52: no header yet means that no tool changed", () => {
    const agent = new Agent()
    agent.open({ tools: [a] })
    const step = agent.step
    if (step === null) throw new RangeError("no step")
    const input = {
      log: agent.log,
      memory: agent.memory,
      step,
      attempt: 1,
      route: capable,
      sessionId: "s",
      signal: null,
      newId: () => "i",
      timeMs: 1,
    }
    expect(startsPromptSeries(input)).toBe(false)
    expect(startsPromptSeries({ ...input, step: { ...step, declaresSeries: true } })).toBe(true)
    expect(
      startsPromptSeries({ ...input, attempt: 2, step: { ...step, declaresSeries: true } }),
    ).toBe(false)
  })
})
