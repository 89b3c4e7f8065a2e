import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { ShapeFault } from "#core/data/refusal"
import { cases, changed, faultOf, versions } from "./verdict.ts"

const config: JsonObject = {
  provider: "p",
  model: "m",
  reasoningEffort: "high",
  temperature: 0.5,
  maxTokens: 4096,
  stop: ["END"],
}
const tool: JsonObject = { name: "ls", description: "Lists.", parameters: { type: "object" } }
const early = [0, 1, 2]
const late = [3, 4]

const verdict = (version: number, header: JsonValue, more: JsonObject = {}): ShapeFault | null =>
  faultOf(version, "request/header", { header, reason: "initial", ...more })

describe("the request header", () => {
  it.each(versions)("F27: format %d takes a full header", (version) => {
    const header = {
      config,
      adapterDefaults: { reasoningEffort: true, maxTokens: true },
      tools: [tool, { ...tool, name: "cat", note: 1 }],
      note: { deep: [1] },
    }
    expect(verdict(version, header)).toBeNull()
    expect(verdict(version, { config: { provider: "p", model: "m" } })).toBeNull()
  })

  it.each(versions)("F27: format %d: the header is an object", (version) => {
    for (const header of [null, [], "x", 1])
      expect(verdict(version, header)).toStrictEqual({ path: ["header"], expected: "object" })
    expect(faultOf(version, "request/header", { reason: "initial" })).toMatchObject({
      path: ["header"],
    })
  })

  it.each(early)("F28: format %d: it holds the system text", (version) => {
    expect(verdict(version, { config, system: "Be brief." })).toBeNull()
    expect(verdict(version, { config, system: "" })).toBeNull()
    for (const system of [null, 1, []])
      expect(verdict(version, { config, system })).toStrictEqual({
        path: ["header", "system"],
        expected: "string",
      })
  })

  it.each(cases<JsonValue>(late, ["Be brief.", "", null]))(
    "F28: format %d: it may not hold the system text %j",
    (version, system) => {
      expect(verdict(version, { config, system })).toStrictEqual({
        path: ["header", "system"],
        expected: "nothing",
      })
    },
  )

  it.each(early)("F29: format %d: tools and adapterDefaults may be empty", (version) => {
    expect(verdict(version, { config, tools: [], adapterDefaults: {} })).toBeNull()
  })

  it.each(late)("F29: format %d: tools and adapterDefaults may not be empty", (version) => {
    expect(verdict(version, { config, tools: [] })).toStrictEqual({
      path: ["header", "tools"],
      expected: "nonempty array",
    })
    expect(verdict(version, { config, adapterDefaults: {} })).toMatchObject({
      path: ["header", "adapterDefaults"],
    })
  })

  it.each(versions)("F30: format %d: tools are a list", (version) => {
    for (const tools of [null, "x", {}])
      expect(verdict(version, { config, tools })).toMatchObject({ path: ["header", "tools"] })
  })

  it.each([1, 2, 3, 4])("F30: format %d: every tool is an object", (version) => {
    for (const other of [null, "ls", []])
      expect(verdict(version, { config, tools: [tool, other] })).toStrictEqual({
        path: ["header", "tools", 1],
        expected: "object",
      })
    expect(verdict(version, { config, tools: [{}] })).toBeNull()
  })

  it("F30: format 0: a tool may be a name alone", () => {
    expect(verdict(0, { config, tools: ["ls", tool] })).toBeNull()
  })

  it("F31: format 4: deferLoading is true where it is there", () => {
    expect(verdict(4, { config, tools: [{ ...tool, deferLoading: true }] })).toBeNull()
    for (const deferLoading of [false, null, 1, "true"])
      expect(verdict(4, { config, tools: [tool, { ...tool, deferLoading }] })).toStrictEqual({
        path: ["header", "tools", 1, "deferLoading"],
        expected: "true",
      })
  })

  it.each([0, 1, 2, 3])("F31: format %d: deferLoading is a field like any other", (version) => {
    expect(verdict(version, { config, tools: [{ ...tool, deferLoading: false }] })).toBeNull()
  })
})

describe("the route", () => {
  it.each(late)("F32: format %d: provider and model are nonempty", (version) => {
    expect(verdict(version, { config: null })).toMatchObject({ path: ["header", "config"] })
    expect(verdict(version, {})).toMatchObject({ path: ["header", "config"] })
    for (const key of ["provider", "model"])
      for (const value of [undefined, "", 1, null])
        expect(verdict(version, { config: changed(config, { [key]: value }) })).toStrictEqual({
          path: ["header", "config", key],
          expected: "nonempty string",
        })
  })

  it.each(late)("F32: format %d: reasoningEffort is nonempty where it is there", (version) => {
    for (const reasoningEffort of ["", 1, null])
      expect(verdict(version, { config: { ...config, reasoningEffort } })).toStrictEqual({
        path: ["header", "config", "reasoningEffort"],
        expected: "nonempty string",
      })
  })

  it.each(versions)(
    "F32: format %d: temperature, maxTokens and stop are not looked at",
    (version) => {
      const odd = { ...config, temperature: "hot", maxTokens: -1, stop: null }
      expect(verdict(version, { config: odd })).toBeNull()
    },
  )

  it.each(early)("F32: format %d: the config is an object, and may be absent", (version) => {
    expect(verdict(version, {})).toBeNull()
    expect(verdict(version, { config: {} })).toBeNull()
    for (const other of [null, "x", []])
      expect(verdict(version, { config: other })).toStrictEqual({
        path: ["header", "config"],
        expected: "object",
      })
  })

  it.each(late)("F33: format %d: adapterDefaults flags values of the config", (version) => {
    const at = (adapterDefaults: JsonValue, of: JsonObject = config): ShapeFault | null =>
      verdict(version, { config: of, adapterDefaults })
    expect(at({ maxTokens: true })).toBeNull()
    expect(at({ reasoningEffort: true })).toBeNull()
    for (const flags of [{ temperature: true }, { maxTokens: false }, { maxTokens: 1 }, [], null])
      expect(at(flags)).toMatchObject({ path: ["header", "adapterDefaults"] })
    for (const key of ["maxTokens", "reasoningEffort"])
      expect(at({ [key]: true }, changed(config, { [key]: undefined }))).toStrictEqual({
        path: ["header", "adapterDefaults", key],
        expected: `config with ${key}`,
      })
  })
})

describe("why a header was logged", () => {
  it.each(cases(late, ["initial", "resume", "change", "series"]))(
    "F34: format %d: the reason may be %s",
    (version, reason) => {
      expect(verdict(version, { config }, { reason })).toBeNull()
      expect(verdict(version, { config }, { reason, startsSeries: true })).toBeNull()
    },
  )

  it.each(late)("F34: format %d: no other reason is taken", (version) => {
    for (const reason of ["fallback", "", "Initial", null, 1])
      expect(verdict(version, { config }, { reason })).toMatchObject({ path: ["reason"] })
    for (const startsSeries of [false, null, 1])
      expect(verdict(version, { config }, { startsSeries })).toStrictEqual({
        path: ["startsSeries"],
        expected: "true",
      })
  })
})
