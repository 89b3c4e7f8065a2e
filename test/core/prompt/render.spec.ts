import { describe, expect, it } from "vitest"
import type { PromptAssembly } from "#core/prompt/assembly"
import { interpolated } from "#core/prompt/interpolate"
import { joinContextSections, renderContextSections, renderPrompt } from "#core/prompt/render"
import { leftOf, rightOf } from "../surface/events.ts"

const owner = { is: "section", name: "s" } as const
const variables = { x: "X", empty: "", none: undefined, braces: "{{x}} {{", a_1: "A" }
const rendered = (text: string): string => rightOf(interpolated(text, variables, owner))
const refused = (text: string) => leftOf(interpolated(text, variables, owner))
const malformed = (excerpt: string) => ({ code: "reference-malformed", owner, excerpt })

describe("references", () => {
  it("PM20: are replaced by their values", () => {
    expect(rendered("")).toBe("")
    expect(rendered("no braces")).toBe("no braces")
    expect(rendered("{{x}}")).toBe("X")
    expect(rendered("a{{x}}b{{a_1}}{{empty}}c{{x}}")).toBe("aXbAcX")
    expect(rendered("{{x}}}")).toBe("X}")
    expect(rendered("} }} { {x} {{x}} }}")).toBe("} }} { {x} X }}")
  })

  it.each([
    ["{{}}", "{{}}"],
    ["a {{ x }}", "{{ x }}"],
    ["{{x }}", "{{x }}"],
    ["{{X}}", "{{X}}"],
    ["{{a-b}}", "{{a-b}}"],
    ["{{a.b}}", "{{a.b}}"],
    ["{{1a}}", "{{1a}}"],
    ["{{x\n}}", "{{x\n}}"],
    ["{{\n}}", "{{\n}}"],
    ["{{__proto__}}", "{{__proto__}}"],
  ])("PM20: %j is malformed", (text, excerpt) => {
    expect(refused(text)).toEqual(malformed(excerpt))
  })

  it.each([
    ["{{{x}}}", "{{{x}}}"],
    ["ab {{a{b}} and {{x}}", "{{a{b}} and {{x}"],
    ["{{ {{x}}", "{{ {{x}}"],
    ["{{a} later }}", "{{a} later }}"],
    ["{{x{ and a long way to }}", "{{x{ and a long "],
    ["{{}x}}", "{{}x}}"],
  ])("PM21: %j opens no group and is closed later: malformed", (text, excerpt) => {
    expect(refused(text)).toEqual(malformed(excerpt))
  })

  it.each(["{{", "{{{", "{{{{", "{{a}", "{{}", "x {{y} z", "{{x} {", "}} {{", "{{\n", "{ {{a"])(
    "PM21: %j is never closed: prose",
    (text) => {
      expect(rendered(text)).toBe(text)
    },
  )

  it("PM21: prose may follow a value", () => {
    expect(rendered("{{x}} {{ y")).toBe("X {{ y")
    // the last of three braces closes nothing
    expect(rendered("{{{ }")).toBe("{{{ }")
  })

  it("PM22: must be known, and have a value; known names are listed", () => {
    const unknown = (name: string) => ({
      code: "reference-unknown",
      owner,
      name,
      known: ["a_1", "braces", "empty", "none", "x"],
    })
    expect(refused("{{y}}")).toEqual(unknown("y"))
    expect(refused("{{constructor}}")).toEqual(unknown("constructor"))
    expect(refused("{{x}} {{to_string}} {{ }}")).toEqual(unknown("to_string"))
    expect(rightOf(interpolated("{{constructor}}", { constructor: "c" } as never, owner))).toBe("c")
    expect(leftOf(interpolated("{{y}}", {}, owner))).toEqual({ ...unknown("y"), known: [] })
    expect(refused("{{none}}")).toEqual({ code: "reference-without-value", owner, name: "none" })
  })

  it("PM23: are not looked for in values", () => {
    expect(rendered("{{braces}}")).toBe("{{x}} {{")
    expect(rendered("{{braces}}x}}")).toBe("{{x}} {{x}}")
  })

  it("PM21: cost no more than the text is long", () => {
    const braces = "{{".repeat(200_000)
    expect(rendered(braces)).toBe(braces)
    expect(refused(`${braces} }}`)).toMatchObject({ code: "reference-malformed" })
  })
})

const assembly = (part: Partial<PromptAssembly>): PromptAssembly => ({
  sections: [],
  contexts: [],
  tools: [],
  variables,
  ...part,
})

describe("a prompt", () => {
  it("PM19: is its sections with an empty line between them, without empty ones", () => {
    const sections = [
      { name: "a", text: "{{empty}}" },
      { name: "b", text: " \n" },
      { name: "c", text: "" },
      { name: "d", text: "{{x}}\n" },
      { name: "e", text: "{{ raw", interpolate: true },
      { name: "f", text: "{{ raw }} {{x}}", interpolate: false },
    ]
    expect(rightOf(renderPrompt(assembly({ sections })))).toBe(
      " \n\n\nX\n\n\n{{ raw\n\n{{ raw }} {{x}}",
    )
    expect(rightOf(renderPrompt(assembly({})))).toBe("")
    expect(rightOf(renderPrompt(assembly({ sections: sections.slice(0, 1) })))).toBe("")
  })

  it("PM19: has no text where one section has none, the first one told", () => {
    const sections = [
      { name: "a", text: "{{x}}" },
      { name: "b", text: "{{y}}" },
      { name: "c", text: "{{ }}" },
    ]
    expect(leftOf(renderPrompt(assembly({ sections })))).toMatchObject({
      code: "reference-unknown",
      owner: { is: "section", name: "b" },
      name: "y",
    })
  })
})

describe("a runtime context", () => {
  it("PM24: is told as a whole, after a sentence that it replaces earlier ones", () => {
    const contexts = [
      { name: "a", text: "one {{x}}" },
      { name: "b", text: "{{empty}}" },
      { name: "c", text: "{{braces}}" },
    ]
    const parts = rightOf(renderContextSections(assembly({ contexts })))
    expect(parts).toEqual([
      { name: "a", text: "one X" },
      { name: "c", text: "{{x}} {{" },
    ])
    const text = joinContextSections(parts)
    expect(text.endsWith("\n\none X\n\n{{x}} {{")).toBe(true)
    expect(text.split("\n\n")).toHaveLength(3)
    expect(text.split("\n\n")[0]).toMatch(/^[A-Z][^\n]+\.$/)
    expect(joinContextSections(parts.slice(0, 1)).split("\n\n")).toEqual([
      text.split("\n\n")[0],
      "one X",
    ])
  })

  it("PM24: is nothing without active parts", () => {
    expect(joinContextSections([])).toBe("")
    expect(joinContextSections([{ name: "a", text: "" }])).toBe("")
    const contexts = [{ name: "a", text: "{{empty}}" }]
    expect(rightOf(renderContextSections(assembly({ contexts })))).toEqual([])
  })

  it("PM24: names the context whose reference has no value", () => {
    const contexts = [{ name: "where", text: "{{none}}" }]
    expect(leftOf(renderContextSections(assembly({ contexts })))).toEqual({
      code: "reference-without-value",
      owner: { is: "context", name: "where" },
      name: "none",
    })
  })
})
