import { describe, expect, it } from "vitest"
import { toolOrderOf } from "#core/prompt/tool-order"
import { headerTools } from "#core/request/header"
import type { ModelRequest } from "#core/request/model-request"
import { requestFault } from "#core/request/request-fault"
import type { StepDecision } from "#core/request/step"
import { defaultDecision, preparedStep, stepOpening } from "#core/request/step"
import { assembled, layersOf, toolsNamed } from "../prompt/contributions.ts"
import { leftOf, rightOf } from "../surface/events.ts"
import { Agent, plain, schema, userMessage } from "./agent.ts"

const [one, two] = [userMessage("1"), userMessage("2")]

describe("the decision before a step", () => {
  it("PM48: is to enter with what was claimed, and the runtime context behind it", () => {
    expect(defaultDecision([one], null)).toEqual({ is: "enter", messages: [one] })
    expect(defaultDecision([one], two)).toEqual({ is: "enter", messages: [one, two] })
    expect(defaultDecision([], two)).toEqual({ is: "enter", messages: [two] })
  })

  it("PM48: opens a step, or ends the turn without one", () => {
    const enter = (...messages: (typeof one)[]): StepDecision => ({ is: "enter", messages })
    const reject: StepDecision = { is: "reject" }
    for (const isFirst of [true, false])
      for (const isEnding of [true, false]) {
        expect(stepOpening(reject, isFirst, isEnding)).toBe("blocked")
        expect(stepOpening(enter(one), isFirst, isEnding)).toBe("open")
      }
    expect(stepOpening(enter(), true, false)).toBe("completed")
    expect(stepOpening(enter(), true, true)).toBe("completed")
    expect(stepOpening(enter(), false, true)).toBe("stop")
    expect(stepOpening(enter(), false, false)).toBe("open")
  })

  it("PM48: a step renders its prompt once, or cannot", () => {
    const assembly = {
      sections: [{ name: "s", text: "{{x}}" }],
      tools: [schema("a")],
      variables: { x: "X" } as Record<string, string | undefined>,
    }
    const place = { turn: 2, step: 3 }
    const enter = { is: "enter", messages: [one] } as const
    expect(rightOf(preparedStep(place, assembly, enter))).toEqual({
      ...place,
      prompt: "X",
      tools: [schema("a")],
      accepted: [one],
      declaresSeries: false,
    })
    const declaring = { ...enter, startsRequestSeries: true } as const
    expect(rightOf(preparedStep(place, assembly, declaring)).declaresSeries).toBe(true)
    assembly.variables["x"] = undefined
    expect(leftOf(preparedStep(place, assembly, enter))).toMatchObject({
      code: "reference-without-value",
    })
  })
})

describe("the tools of a step", () => {
  it("PM13 PM49: the logged header and the request have them in the order of the assembly", () => {
    const layers = layersOf([toolsNamed("c", "a"), toolsNamed("b")])
    const place = { turn: 1, step: 1 }
    const enter = { is: "enter", messages: [one] } as const
    const order = rightOf(toolOrderOf(["c", "<unlisted-tools>"]))
    for (const [configured, names] of [
      [null, ["a", "b", "c"]],
      [order, ["c", "a", "b"]],
    ] as const) {
      const step = rightOf(preparedStep(place, assembled(layers, {}, [], configured), enter))
      const sender = new Agent()
      sender.open(step)
      const { request: sent, log: after } = sender.send(plain)
      expect(sent.tools?.map(({ name }) => name)).toEqual(names)
      expect(headerTools(after.header ?? {}).map(({ name }) => name)).toEqual(names)
    }
  })
})

describe("a request that its log does not lead to", () => {
  const agent = new Agent()
  agent.open({ accepted: [one], tools: [schema("a")] })
  const { request, log } = agent.send({ ...plain, config: { ...plain.config, stop: ["x"] } })
  const changed = (more: Partial<ModelRequest>) =>
    requestFault(Object.freeze({ ...request, ...more }), log)?.code

  it("PM65: the one that was admitted has no fault", () => {
    expect(requestFault(request, log)).toBeNull()
    expect(changed({})).toBeUndefined()
    expect(changed({ messages: Object.freeze(structuredClone([...request.messages])) })).toBe(
      undefined,
    )
  })

  it("PM65: any other one has", () => {
    expect(requestFault({ ...request }, log)).toEqual({ code: "request-not-frozen" })
    expect(changed({ messages: [...request.messages] })).toBe("messages-not-frozen")
    expect(changed({ messages: Object.freeze([...request.messages, two]) })).toBe("messages-differ")
    expect(changed({ messages: Object.freeze([]) })).toBe("messages-differ")
    expect(changed({ system: "A" } as never)).toBe("system-field")
    expect(changed({ model: "n" })).toBe("config-differs")
    expect(changed({ temperature: 1 })).toBe("config-differs")
    expect(changed({ maxTokens: 1 })).toBe("config-differs")
    expect(changed({ stop: [] })).toBe("config-differs")
    expect(changed({ tools: [] })).toBe("tools-differ")
    expect(changed({ tools: [schema("b")] })).toBe("tools-differ")
  })

  it("PM65: and so has one before its step or its header", () => {
    const empty = new Agent()
    expect(requestFault(request, empty.log)).toEqual({ code: "step-not-started" })
    empty.open()
    expect(requestFault(request, empty.log)).toEqual({ code: "header-missing" })
  })
})
