import { describe, expect, it } from "vitest"
import type { RequestConfig, RequestHeader } from "#core/request/header"
import { canonicalHeader, headerEquals, headerTools, loggedHeader } from "#core/request/header"
import { contextRecord, headerRecord } from "#core/request/records"
import { capable, plain, schema } from "./agent.ts"

const config: RequestConfig = { provider: "p", model: "m" }
const header = (more: object = {}, tools = [schema("a")], flags = {}): RequestHeader =>
  canonicalHeader({ ...config, ...more }, flags, tools)

describe("a request header", () => {
  it("PM40: is without what says nothing", () => {
    expect(canonicalHeader(config, {}, [])).toStrictEqual({ config })
    const tools = [schema("a")]
    const flags = { maxTokens: true } as const
    const full = canonicalHeader(config, flags, tools)
    expect(full).toStrictEqual({ config, adapterDefaults: { maxTokens: true }, tools })
    expect(full.tools).toBe(tools)
    expect(full.config).toBe(config)
  })

  it("PM40: is read from its event", () => {
    expect(loggedHeader({ header: { config }, reason: "initial" })).toEqual({ config })
    expect([loggedHeader(null), loggedHeader({}), loggedHeader({ header: [] })]).toEqual([
      ...[null, null, null],
    ])
    expect(headerTools({ tools: ["ls", schema("a")] })).toEqual([schema("a")])
    expect([headerTools({}), headerTools({ tools: {} })]).toEqual([[], []])
  })

  it("PM41: equals another one that asks alike", () => {
    expect(headerEquals(header(), header())).toBe(true)
    expect(headerEquals(header({ stop: [] }), header())).toBe(true)
    expect(headerEquals(header({ stop: ["a", "b"] }), header({ stop: ["a", "b"] }))).toBe(true)
    expect(headerEquals(header({ other: 1 }), header({ other: 2 }))).toBe(true)
    expect(headerEquals({ config, tools: [] }, { config })).toBe(true)
    expect(headerEquals({ config, adapterDefaults: {} }, { config })).toBe(true)
  })

  it.each([
    [{ provider: "q" }],
    [{ model: "n" }],
    [{ reasoningEffort: "high" }],
    [{ temperature: 0 }],
    [{ maxTokens: 1 }],
    [{ stop: ["a"] }],
  ])("PM41: differs in %j", (more) => {
    expect(headerEquals(header(more), header())).toBe(false)
    expect(headerEquals(header(), header(more))).toBe(false)
  })

  it("PM41: differs in the order of stops, in flags, and in the text and order of tools", () => {
    expect(headerEquals(header({ stop: ["a", "b"] }), header({ stop: ["b", "a"] }))).toBe(false)
    const capped = { maxTokens: 5 }
    const flagged = header(capped, [schema("a")], { maxTokens: true })
    expect(headerEquals(flagged, header(capped))).toBe(false)
    const withTools = (...names: string[]) =>
      header(
        {},
        names.map((name) => schema(name)),
      )
    expect(headerEquals(withTools("a", "b"), withTools("b", "a"))).toBe(false)
    expect(headerEquals(withTools("a"), withTools("a", "a"))).toBe(false)
    expect(headerEquals(withTools("a"), header({}, [schema("a", "else")]))).toBe(false)
    const { name, ...rest } = schema("a")
    const turned = { ...rest, name } as ReturnType<typeof schema>
    expect(headerEquals(withTools("a"), header({}, [turned]))).toBe(false)
  })

  it("PM42: is logged first, when it changed, and when a series starts", () => {
    const [a, b] = [header(), header({ model: "n" })]
    const why = (latest: RequestHeader | null, hasLogged: boolean, starts: boolean) => {
      const record = headerRecord(a, latest, hasLogged, starts)
      expect(record?.header ?? a).toBe(a)
      return record === null ? null : `${record.reason}${record.startsSeries === true ? "+" : ""}`
    }
    expect([why(null, false, false), why(null, false, true)]).toEqual(["initial", "initial+"])
    expect([why(a, false, false), why(b, false, true)]).toEqual(["resume", "resume+"])
    expect([why(b, true, false), why(b, true, true)]).toEqual(["change", "change+"])
    expect([why(a, true, false), why(a, true, true)]).toEqual([null, "series"])
    expect(Object.keys(headerRecord(a, a, true, true) ?? {})).toEqual(["header", "reason"])
  })

  it("PM43: the context of a request is logged when one of its four fields changed", () => {
    expect(contextRecord(plain, null)).toStrictEqual({ provider: "p", model: "m" })
    const wide = { ...capable, contextWindow: 1000 }
    const full = {
      provider: "p",
      model: "m",
      contextWindow: 1000,
      systemPromptUpdate: "in-history",
    }
    expect(contextRecord(wide, { provider: "p", model: "m" })).toStrictEqual(full)
    expect(contextRecord(wide, full)).toBeNull()
    expect(contextRecord(wide, { ...full, toolUpdate: "x" })).toBeNull()
    // what is no longer known is a change too
    expect(contextRecord(capable, full)).toStrictEqual({
      provider: "p",
      model: "m",
      systemPromptUpdate: "in-history",
    })
    expect(contextRecord({ ...wide, systemPromptUpdate: null }, full)).not.toBeNull()
    expect(contextRecord({ ...wide, config: { provider: "q", model: "m" } }, full)).not.toBeNull()
    expect(contextRecord({ ...wide, config: { provider: "p", model: "n" } }, full)).not.toBeNull()
  })
})
