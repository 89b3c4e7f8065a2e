import { describe, expect, it } from "vitest"
import type { Route } from "#core/request/route"
import {
  Agent,
  capable,
  headerReasons,
  plain,
  restored,
  systems,
  told,
  typesOf,
  userMessage,
} from "./agent.ts"

describe("one attempt of a resumed log, or after another one", () => {
  it("PM55: B.m: a log that is resumed goes on with its series", () => {
    const agent = new Agent()
    const first = agent.run(capable, { accepted: [userMessage("1")] })
    const resumed = new Agent(restored(agent.log))
    const second = resumed.run(capable, { prompt: "B", accepted: [userMessage("2")] })
    expect(typesOf(second.events)).toEqual(["system/message", "user/message", "request/header"])
    expect(headerReasons(resumed)).toEqual(["initial", "resume"])
    expect(second.request.messages.slice(0, 2)).toEqual(first.request.messages)
    expect(systems(second)).toEqual(["system: A", "system: B"])
    // unchanged, it says no more than that it was resumed
    const unchanged = new Agent(restored(agent.log)).run(capable)
    expect(typesOf(unchanged.events)).toEqual(["request/header"])
  })

  it("PM55: resumed on a plain route, or rewritten before its first step, it has one prompt", () => {
    const agent = new Agent()
    agent.run(capable, { accepted: [userMessage("1")] })
    agent.run(capable, { prompt: "B" })
    const lost = new Agent(restored(agent.log))
    expect(systems(lost.run(plain, { prompt: "B" }))).toEqual(["system: B"])
    expect(headerReasons(lost)).toEqual(["initial", "resume+"])
    const rewritten = new Agent(restored(agent.log))
    rewritten.compact(1, 2)
    expect(systems(rewritten.run(capable, { prompt: "B" }))).toEqual(["system: B"])
    expect(headerReasons(rewritten)).toEqual(["initial", "resume+"])
  })

  it("PM56: a retry admits no user and no declared series again", () => {
    const agent = new Agent()
    agent.open({ accepted: [userMessage("1")], declaresSeries: true })
    const first = agent.send(capable)
    expect(typesOf(first.events)).toHaveLength(4)
    const second = agent.send(capable)
    expect(second.events).toEqual([])
    expect(second.request.messages).toEqual(first.request.messages)
    expect(second.request.messages).not.toBe(first.request.messages)
    expect(headerReasons(agent)).toEqual(["initial+"])
  })

  it("PM56: a retry has a route of its own", () => {
    const agent = new Agent()
    agent.run(capable)
    agent.open({ prompt: "B", accepted: [userMessage("1")] })
    agent.send(capable)
    const other: Route = { ...plain, config: { provider: "q", model: "n" } }
    const retry = agent.send(other)
    expect(typesOf(retry.events)).toEqual([
      ...["system/message replace", "system/message replace", "request/header", "request/context"],
    ])
    expect(told(retry.request)).toEqual(["system: B", "assistant: yes", "user: 1"])
    expect(retry.request).toMatchObject({ provider: "q", model: "n" })
    expect(headerReasons(agent)).toEqual(["initial", "change+"])
  })

  it.each([1, 2])(
    "PM56: compacted during a retry, with %i prompts: one at the head",
    (versions) => {
      const agent = new Agent()
      agent.run(capable, { accepted: [userMessage("1")] })
      if (versions === 2) agent.run(capable, { prompt: "B" })
      agent.open({ prompt: "C", accepted: [userMessage("2")] })
      agent.send(capable)
      // all from the first user message up to the prompt that was just appended
      const size = agent.log.surface.size
      agent.compact(versions === 2 ? 4 : 1, size - 2)
      const retry = agent.send(capable)
      expect(systems(retry)).toEqual(["system: C"])
      expect(told(retry.request).at(-1)).toBe("user: 2")
      const third = agent.send(capable)
      expect(third.events).toEqual([])
      expect(third.request.messages).toEqual(retry.request.messages)
      expect(headerReasons(agent)).toEqual(["initial", "series"])
      expect(agent.events("user/message")).toHaveLength(3)
    },
  )
})
