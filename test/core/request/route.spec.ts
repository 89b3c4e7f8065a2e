import { describe, expect, it } from "vitest"
import type { JsonValue } from "#core/data/json"
import {
  builtInCatalog,
  modelCatalogOf,
  modelInfoIn,
  modelInfoOf,
} from "#core/request/model-catalog"
import { loggedHeader } from "#core/request/header"
import type { AgentOptions } from "#core/request/route"
import { proposedConfig, routeOf } from "#core/request/route"
import { leftOf, rightOf } from "../surface/events.ts"
import { Agent, plain, restored } from "./agent.ts"

describe("what is known of a model", () => {
  it("PM34: are capabilities of the two known kinds", () => {
    const all = { id: "m", systemPromptUpdate: "in-history", toolUpdate: "addition-only" }
    expect(rightOf(modelInfoOf(all))).toEqual(all)
    expect(rightOf(modelInfoOf({ id: "m", toolUpdate: "in-history" })).toolUpdate).toBe(
      "in-history",
    )
    expect(rightOf(modelInfoOf({ id: "m" })).systemPromptUpdate).toBeUndefined()
  })

  it.each<[string, JsonValue]>([
    ["systemPromptUpdate", "replace"],
    ["systemPromptUpdate", true],
    ["systemPromptUpdate", null],
    ["systemPromptUpdate", "IN-HISTORY"],
    ["toolUpdate", "removal-only"],
    ["toolUpdate", ""],
    ["contextWindow", 0],
    ["id", ""],
  ])("PM34: %s %j is none: INVALID_MODEL_INFO", (field, value) => {
    const refusal = leftOf(modelInfoOf({ id: "m", [field]: value }))
    expect(refusal).toMatchObject({
      code: "INVALID_MODEL_INFO",
      index: null,
      fault: { path: [field] },
    })
    expect(leftOf(modelCatalogOf([{ id: "k" }, { id: "m", [field]: value }]))).toMatchObject({
      code: "INVALID_MODEL_INFO",
      index: 1,
    })
  })

  it("PM35: holds for that very name", () => {
    expect([...builtInCatalog.values()]).toEqual([
      {
        id: "deepseek-flash",
        inputModalities: ["text", "image"],
        systemPromptUpdate: "in-history",
      },
    ])
    expect(modelInfoIn(builtInCatalog, "deepseek-flash").systemPromptUpdate).toBe("in-history")
    for (const name of ["deepseek-flash-2", "deepseek", "DeepSeek-Flash", "x/deepseek-flash"])
      expect(modelInfoIn(builtInCatalog, name)).toEqual({ id: name })
  })

  it("PM35: is what a deployment says, which need not be what is built in", () => {
    const catalog = rightOf(modelCatalogOf([{ id: "own", toolUpdate: "in-history" }]))
    expect(modelInfoIn(catalog, "own").toolUpdate).toBe("in-history")
    expect(modelInfoIn(catalog, "deepseek-flash")).toEqual({ id: "deepseek-flash" })
    expect(leftOf(modelCatalogOf([{ id: "a" }, { id: "b" }, { id: "a" }]))).toEqual({
      code: "model-repeated",
      index: 2,
      model: "a",
    })
  })
})

describe("a route", () => {
  const info = { id: "m", contextWindow: 9, systemPromptUpdate: "in-history" } as const
  const defaults = { reasoningEffort: "high", maxTokens: 100 }

  it("PM36: is the config with the defaults of its adapter, which are told apart", () => {
    const config = { provider: "p", model: "m" }
    expect(rightOf(routeOf(config, { info, defaults }))).toStrictEqual({
      config: { ...config, reasoningEffort: "high", maxTokens: 100 },
      adapterDefaults: { reasoningEffort: true, maxTokens: true },
      contextWindow: 9,
      systemPromptUpdate: "in-history",
      toolUpdate: null,
    })
    const chosen = { ...config, maxTokens: 100, temperature: 0 }
    expect(rightOf(routeOf(chosen, { info, defaults: { maxTokens: 100 } }))).toMatchObject({
      config: chosen,
      adapterDefaults: {},
    })
    expect(config).toEqual({ provider: "p", model: "m" })
  })

  it("PM36: is the config alone where no adapter serves it, capable of nothing", () => {
    const config = { provider: "p", model: "deepseek-flash" }
    expect(rightOf(routeOf(config, null))).toStrictEqual({
      config,
      adapterDefaults: {},
      contextWindow: null,
      systemPromptUpdate: null,
      toolUpdate: null,
    })
  })

  it("PM36: is none without a provider and a model", () => {
    for (const [provider, model] of [
      ["", "m"],
      ["p", ""],
    ] as const)
      expect(leftOf(routeOf({ provider, model }, { info, defaults }))).toEqual({
        code: "route-incomplete",
        provider,
        model,
      })
  })

  it("PM36 PM37: what is proposed or bound is a frozen copy, and the log is out of reach", () => {
    const agent = new Agent()
    const stop = ["x"]
    agent.run({ ...plain, config: { ...plain.config, stop } })
    // of a log that was read again nothing is frozen
    const { log } = new Agent(restored(agent.log))
    const proposed = proposedConfig(log.header, true, {})
    expect(proposed).toStrictEqual({ provider: "p", model: "m", stop: ["x"] })
    expect(() => Object.assign(proposed, { model: "n" })).toThrow(TypeError)
    expect(() => (proposed.stop as string[]).push("y")).toThrow(TypeError)
    const route = rightOf(routeOf({ provider: "p", model: "m", stop }, { info, defaults }))
    expect([Object.isFrozen(route.config), Object.isFrozen(route.config.stop)]).toEqual([
      true,
      true,
    ])
    expect(route.config.stop).not.toBe(stop)
    expect(log.header).toMatchObject({ config: { model: "m", stop: ["x"] } })
    expect(Object.isFrozen(proposedConfig(null, false, {}))).toBe(true)
  })

  it("PM37: a default of one adapter is not taken along to the next, a chosen limit is", () => {
    const agent = new Agent()
    const sent = (maxTokens: number, options: AgentOptions, provider = "p"): void => {
      const latest = agent.log.header
      const proposed = { ...proposedConfig(latest, latest !== null, options), provider }
      agent.run(rightOf(routeOf(proposed, { info, defaults: { maxTokens } })))
    }
    const options = { provider: "p", model: "m" }
    sent(100, options)
    sent(100, options)
    sent(50, options, "q")
    const headers = () =>
      agent.events("request/header").map(({ data }) => {
        const { config, adapterDefaults } = loggedHeader(data ?? null) ?? {}
        return { config, adapterDefaults }
      })
    const flags = { maxTokens: true }
    expect(headers()).toEqual([
      { config: { ...options, maxTokens: 100 }, adapterDefaults: flags },
      { config: { provider: "q", model: "m", maxTokens: 50 }, adapterDefaults: flags },
    ])
    const chosen = new Agent()
    const first = proposedConfig(null, false, { ...options, maxTokens: 7 })
    chosen.run(rightOf(routeOf(first, { info, defaults: { maxTokens: 100 } })))
    const next = proposedConfig(chosen.log.header, true, options)
    expect(rightOf(routeOf(next, { info, defaults: { maxTokens: 100 } })).config.maxTokens).toBe(7)
    // an effort that a turn asks for is in the header of that turn
    const effort = proposedConfig(chosen.log.header, true, options)
    chosen.run(rightOf(routeOf({ ...effort, reasoningEffort: "high" }, { info, defaults: {} })))
    expect(chosen.log.header).toMatchObject({ config: { maxTokens: 7, reasoningEffort: "high" } })
  })

  it("PM37: an agent goes on with its header, but for what its adapter chose", () => {
    const config = { provider: "p", model: "m", reasoningEffort: "low", maxTokens: 5, stop: ["x"] }
    const latest = { config, adapterDefaults: { maxTokens: true } }
    const options = { provider: "other", model: "other", maxTokens: 1 }
    expect(proposedConfig(latest, true, options)).toStrictEqual({
      provider: "p",
      model: "m",
      reasoningEffort: "low",
      stop: ["x"],
    })
  })

  it("PM37: a new one begins with its options, and an effort chosen for the same model", () => {
    const config = { provider: "p", model: "m", reasoningEffort: "low", maxTokens: 5 }
    const options = { provider: "p", model: "m" }
    expect(proposedConfig(null, false, {})).toStrictEqual({ provider: "", model: "" })
    expect(proposedConfig({ config }, false, options)).toStrictEqual({
      ...options,
      reasoningEffort: "low",
    })
    expect(proposedConfig({ config }, false, { ...options, reasoningEffort: "x" })).toEqual({
      ...options,
      reasoningEffort: "x",
    })
    for (const other of [{ provider: "q" }, { model: "n" }])
      expect(proposedConfig({ config }, false, { ...options, ...other })).toStrictEqual({
        ...options,
        ...other,
      })
    const flagged = { config, adapterDefaults: { reasoningEffort: true } }
    expect(proposedConfig(flagged, false, { ...options, maxTokens: 7 })).toStrictEqual({
      ...options,
      maxTokens: 7,
    })
  })
})
