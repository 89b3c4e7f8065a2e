import { describe, expect, it } from "vitest"
import { deepFreeze } from "#core/data/deep-freeze"
import type { JsonObject } from "#core/data/json"
import type { Message } from "#core/messages/event-message"
import type { ModelRequest } from "#core/request/model-request"
import { frozenRequest } from "#core/request/model-request"
import type { RequestHeader } from "#core/request/header"
import { loggedHeader } from "#core/request/header"
import type { RequestLog } from "#core/request/request-log"
import { eventIn, withHistory } from "#core/request/request-log"
import { admitAttempt } from "#core/request/admission"
import { rightOf } from "../surface/events.ts"
import { Agent, plain, restored, schema, userMessage } from "./agent.ts"

/** Whether everything that a value leads to is frozen; told by a walk of its own. */
const isDeeplyFrozen = (value: unknown, except: unknown = null): boolean => {
  if (typeof value !== "object" || value === null || value === except) return true
  return (
    Object.isFrozen(value) && Object.values(value).every((each) => isDeeplyFrozen(each, except))
  )
}

const header: RequestHeader = { config: { provider: "p", model: "m", stop: ["x"] } }

/** A log as it was read, and its first request. */
const resumed = (): readonly [RequestLog, ModelRequest] => {
  const agent = new Agent()
  agent.run(plain, { accepted: [userMessage("1")], tools: [schema("a")] })
  const log = withHistory(restored(agent.log))
  return [log, frozenRequest(log, structuredClone(header), "s", null, new WeakSet())]
}

describe("freezing", () => {
  it("PM61: goes through all that a value leads to, once, at any depth", () => {
    const cycle: Record<string, unknown> = { a: [1, { b: null }], text: "x" }
    cycle["self"] = cycle
    expect(deepFreeze(cycle)).toBe(cycle)
    expect([cycle, cycle["a"], (cycle["a"] as unknown[])[1]].every(Object.isFrozen)).toBe(true)
    let deep: object = {}
    const inner = deep
    for (let i = 0; i < 100_000; i++) deep = { deep }
    deepFreeze(deep)
    expect(Object.isFrozen(inner)).toBe(true)
    // a frozen shell does not hide what is inside
    const shell = Object.freeze({ inner: { open: true } })
    deepFreeze(shell)
    expect(Object.isFrozen(shell.inner)).toBe(true)
    expect([deepFreeze(1), deepFreeze(null)]).toEqual([1, null])
  })

  it("PM62: a restored log is frozen as far as its messages, when they go out", () => {
    const agent = new Agent()
    agent.run(plain, { accepted: [userMessage("1")] })
    const log = withHistory(restored(agent.log))
    const messages = log.history.messages
    expect(messages.some(Object.isFrozen)).toBe(false)
    const user = eventIn(log, 2)
    expect(messages[1]).toBe(user.data)
    const request = frozenRequest(log, structuredClone(header), "s", null, new WeakSet())
    expect(isDeeplyFrozen(request)).toBe(true)
    expect(request.messages).toEqual(messages)
    expect(request.messages[1]).toBe(user.data)
    const answer = log.events.find(({ type }) => type === "assistant/message")
    const data = answer?.data as JsonObject
    expect([Object.isFrozen(data["message"]), Object.isFrozen(data)]).toEqual([true, false])
    expect([Object.isFrozen(answer), Object.isFrozen(data["stream"])]).toEqual([false, false])
    expect(Object.isFrozen(log.history.messages)).toBe(false)
  })

  it("PM62: the signal stays live, all else is frozen", () => {
    const signal = { isAborted: false }
    const agent = new Agent()
    agent.open({ accepted: [userMessage("1")], tools: [schema("a")] })
    const route = { ...plain, config: { ...plain.config, stop: ["x"] } }
    const step = agent.step
    if (step === null) throw new RangeError("no step")
    const { request } = rightOf(
      admitAttempt({
        log: agent.log,
        memory: agent.memory,
        step,
        attempt: 1,
        route,
        sessionId: "s",
        signal,
        newId: () => "i",
        timeMs: 1,
      }),
    )
    expect(isDeeplyFrozen(request, signal)).toBe(true)
    expect(request.signal).toBe(signal)
    signal.isAborted = true
    expect(request.signal).toEqual({ isAborted: true })
    expect(Object.keys(request).toSorted()).toEqual([
      ...["messages", "model", "provider", "sessionId", "signal", "stop", "toolHistory", "tools"],
    ])
    expect(() => (request.messages as Message[]).pop()).toThrow(TypeError)
    expect(() => Object.assign(request.messages[0] ?? {}, { role: "x" })).toThrow(TypeError)
  })

  it("PM63: tools and stops of a request are frozen, and those of the log are others", () => {
    const tools = [schema("a")]
    const stop = ["x"]
    const agent = new Agent()
    agent.open({ tools })
    const { request, events } = agent.send({ ...plain, config: { ...plain.config, stop } })
    expect([request.tools, request.stop]).toEqual([tools, stop])
    expect([request.tools === tools, request.stop === stop]).toEqual([true, true])
    expect([Object.isFrozen(tools), Object.isFrozen(tools[0]), Object.isFrozen(stop)]).toEqual([
      ...[true, true, true],
    ])
    const record = events.find(({ type }) => type === "request/header")?.data ?? null
    const logged = loggedHeader(record) ?? {}
    expect(logged).toEqual({ config: { provider: "p", model: "m", stop }, tools })
    expect(logged["tools"]).not.toBe(tools)
    expect((logged["config"] as JsonObject)["stop"]).not.toBe(stop)
    agent.answer()
    agent.open({ tools: [schema("a")] })
    expect(agent.send({ ...plain, config: { ...plain.config, stop: ["x"] } }).events).toEqual([])
  })

  it("PM63: what was accepted is copied into the log, and not frozen where it came from", () => {
    const mine = userMessage("1")
    const agent = new Agent()
    const { request } = agent.run(plain, { accepted: [mine] })
    expect(request.messages[1]).toEqual(mine)
    expect(request.messages[1]).not.toBe(mine)
    expect(Object.isFrozen(mine)).toBe(false)
  })

  it("PM64: each message is gone through once by an agent, and again by another one", () => {
    let walks = 0
    const counted = new Proxy(
      { id: "u", role: "user", source: { kind: "user" }, content: [] },
      {
        ownKeys: (target) => {
          walks++
          return Reflect.ownKeys(target)
        },
      },
    )
    const [log] = resumed()
    const with_ = { ...log, history: { ...log.history, messages: [counted], messageCount: 1 } }
    const frozen = new WeakSet<object>()
    const first = frozenRequest(with_, structuredClone(header), "s", null, frozen)
    const once = walks
    expect(once).toBeGreaterThan(0)
    const second = frozenRequest(with_, structuredClone(header), "s", null, frozen)
    expect(walks).toBe(once)
    expect(second.messages).not.toBe(first.messages)
    expect(second.messages[0]).toBe(first.messages[0])
    frozenRequest(with_, structuredClone(header), "s", null, new WeakSet())
    expect(walks).toBeGreaterThan(once)
  })

  it("PM64: a message that cannot be frozen is tried again", () => {
    let isBroken = true
    const moody = {
      id: "u",
      role: "user",
      get content(): unknown[] {
        if (isBroken) throw new RangeError("not today")
        return []
      },
    } as unknown as Message
    const [log] = resumed()
    const withIt = { ...log, history: { ...log.history, messages: [moody], messageCount: 1 } }
    const frozen = new WeakSet<object>()
    const request = () => frozenRequest(withIt, structuredClone(header), "s", null, frozen)
    expect(request).toThrow("not today")
    expect(frozen.has(moody)).toBe(false)
    isBroken = false
    expect(request().messages).toEqual([moody])
    expect(frozen.has(moody)).toBe(true)
  })

  it("PM64: a message that was replaced under its identity is another object", () => {
    const agent = new Agent()
    const before = agent.run(plain, { accepted: [userMessage("1")] })
    const held = before.request.messages[1]
    const data = { ...userMessage("1"), content: [{ type: "text", text: "other" }] }
    agent.append({
      type: "user/message",
      data,
      surfaceOp: { op: "replace", startSeq: 2, endSeq: 2 },
      sourceEventSeqs: [2],
    })
    const { request } = agent.run(plain)
    expect(request.messages[1]).toEqual(data)
    expect(Object.isFrozen(request.messages[1])).toBe(true)
    expect(before.request.messages[1]).toBe(held)
    expect(held).toEqual(userMessage("1"))
  })
})
