import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { canonicalLoggedHeader, headerEquals } from "#core/request/header"

const config = { provider: "p", model: "m", maxTokens: 5, stop: ["a"] }
const ls = { name: "ls", parameters: {} }

const same = (a: JsonObject, b: JsonObject): boolean =>
  headerEquals(canonicalLoggedHeader(a), canonicalLoggedHeader(b))

describe("request headers", () => {
  it("TK38: parts that say nothing are left out", () => {
    expect(canonicalLoggedHeader({ config, tools: [], adapterDefaults: {} })).toEqual({ config })
    const defaults = { maxTokens: true, reasoningEffort: false }
    expect(canonicalLoggedHeader({ config, adapterDefaults: defaults })).toEqual({
      config,
      adapterDefaults: { maxTokens: true },
    })
    expect(canonicalLoggedHeader({ config, tools: [ls] })).toEqual({ config, tools: [ls] })
  })

  it("TK38: are the same with the same route, settings and tools", () => {
    expect(same({ config, tools: [] }, { config: { ...config } })).toBe(true)
    expect(same({ config: { ...config, title: "x" } }, { config })).toBe(true)
    expect(same({ config, tools: [ls] }, { config, tools: [{ ...ls }] })).toBe(true)
  })

  it.each([
    { config: { ...config, provider: "q" } },
    { config: { ...config, model: "n" } },
    { config: { ...config, reasoningEffort: "high" } },
    { config: { ...config, temperature: 0 } },
    { config: { ...config, maxTokens: 6 } },
    { config: { ...config, stop: ["b"] } },
    { config, adapterDefaults: { maxTokens: true } },
    { config, system: "x" },
    { config, tools: [ls] },
  ])("TK38: %j is another one", (other) => {
    expect(same({ config }, other)).toBe(false)
  })

  it("TK38: the order of tools, and of the keys in them, is a part of what is sent", () => {
    const grep = { name: "grep", parameters: {} }
    expect(same({ config, tools: [ls, grep] }, { config, tools: [grep, ls] })).toBe(false)
    const turned = { parameters: {}, name: "ls" }
    expect(same({ config, tools: [ls] }, { config, tools: [turned] })).toBe(false)
  })
})
