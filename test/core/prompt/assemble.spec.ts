import { describe, expect, it } from "vitest"
import { prepareAssembly } from "#core/prompt/assemble"
import type { AssembleContext, Contribution } from "#core/prompt/contribution"
import { noLayers } from "#core/prompt/layers"
import { renderPrompt } from "#core/prompt/render"
import { leftOf, rightOf } from "../surface/events.ts"
import {
  assembled,
  context,
  layersOf,
  neverCalled,
  registered,
  section,
  sectionNames,
  suppressor,
  tool,
  toolNames,
  tools,
  toolsNamed,
  variable,
  withParent,
} from "./contributions.ts"

describe("an assembly", () => {
  it("PM7: holds sections and contexts in order, tools and variables", () => {
    expect(assembled(noLayers)).toEqual({ sections: [], contexts: [], tools: [], variables: {} })
    const layers = layersOf([
      section("late", 2, () => "made"),
      section("early", -1.5, "{{x}}", { interpolate: true }),
      context("second", 20, () => "2"),
      context("first", 10, "1"),
      toolsNamed("t"),
    ])
    expect(assembled(layers)).toEqual({
      sections: [
        { name: "early", text: "{{x}}", interpolate: true },
        { name: "late", text: "made" },
      ],
      contexts: [
        { name: "first", text: "1" },
        { name: "second", text: "2" },
      ],
      tools: [{ name: "t", description: "does t", parameters: { type: "object" } }],
      variables: {},
    })
  })

  it("PM7: sections of one order stand by code units, contexts as they were merged", () => {
    const names = ["zeta", "äther", "Zeta", "alpha", "\u{1F600}", "\uFB00"]
    const ordered = ["Zeta", "alpha", "zeta", "äther", "\u{1F600}", "\uFB00"]
    for (const list of [names, names.toReversed()]) {
      const layers = layersOf(list.flatMap((n) => [section(n, 1, n), context(n, 1, n)]))
      expect(sectionNames(assembled(layers))).toEqual(ordered)
      expect(assembled(layers).contexts.map(({ name }) => name)).toEqual(list)
    }
  })

  it("PM8: providers are asked every time, with the very object that was handed in", () => {
    const seen: AssembleContext[] = []
    let count = 0
    const look = (asked: AssembleContext): string => {
      seen.push(asked)
      return `${++count}`
    }
    const layers = layersOf([
      variable("v", look),
      tools((asked) => ({ schemas: [tool(look(asked))] })),
      section("s", 0, look),
      context("c", 0, look),
    ])
    const asked = { scope: {}, agent: "a" }
    const first = assembled(layers, asked)
    expect(seen).toHaveLength(4)
    expect(seen.every((each) => each === asked)).toBe(true)
    // variables, then tools, then sections, then contexts
    expect([first.variables["v"], toolNames(first)[0]]).toEqual(["1", "2"])
    expect([first.sections[0]?.text, first.contexts[0]?.text]).toEqual(["3", "4"])
    expect(assembled(layers, asked).contexts[0]?.text).toBe("8")
  })

  it("PM8: texts that are shadowed or suppressed are not made; shadowed variables are", () => {
    const scope = {}
    let calls = 0
    const layers = layersOf(
      [
        section("s", 0, neverCalled),
        context("c", 0, neverCalled),
        variable("v", () => `${++calls}`),
      ],
      [
        [scope, section("s", 0, "own")],
        [scope, context("c", 0, "own")],
        [scope, variable("v", "own")],
      ],
    )
    expect(assembled(layers, { scope }).variables).toEqual({ v: "own" })
    expect(calls).toBe(1)
    const hushed = layersOf([context("c", 0, neverCalled), suppressor])
    expect(assembled(hushed).contexts).toEqual([])
  })

  it("PM8: what a provider throws comes through", () => {
    const layers = layersOf([
      section("s", 0, () => {
        throw new RangeError("no text today")
      }),
    ])
    expect(() => prepareAssembly(layers, {}, null)).toThrow("no text today")
  })

  it("PM9: the nearest value wins where it is none, and names keep their first place", () => {
    const [child, parent] = [{}, {}]
    const layers = withParent(
      layersOf(
        [variable("a", "global"), variable("b", "global")],
        [
          [child, variable("c", "child")],
          [parent, variable("b", undefined)],
          [parent, variable("d", "parent")],
          [child, variable("a", "child")],
        ],
      ),
      child,
      parent,
    )
    const { variables } = assembled(layers, { scope: child })
    expect(Object.entries(variables)).toEqual([
      ["a", "child"],
      ["b", undefined],
      ["d", "parent"],
      ["c", "child"],
    ])
    expect(assembled(layers).variables).toEqual({ a: "global", b: "global" })
  })

  it("PM10: tools of all layers add up; four fields of each get through", () => {
    const [child, parent] = [{}, {}]
    const secret = { execute: () => 1, timeoutMs: 5, isConcurrencySafe: true }
    const layers = withParent(
      layersOf(
        [tools({ schemas: [tool("x", { ...secret, deferLoading: true })] })],
        [
          [child, tools({ schemas: [tool("x", { deferLoading: "true", description: "child" })] })],
          [parent, tools({ schemas: [tool("x", { deferLoading: false, description: "parent" })] })],
        ],
      ),
      child,
      parent,
    )
    const parameters = { type: "object" }
    expect(assembled(layers, { scope: child }).tools).toStrictEqual([
      { name: "x", description: "does x", parameters, deferLoading: true },
      { name: "x", description: "parent", parameters },
      { name: "x", description: "child", parameters },
    ])
    expect(toolNames(assembled(layers, { scope: parent }))).toEqual(["x", "x"])
    expect(toolNames(assembled(layers))).toEqual(["x"])
  })

  it("PM10: nothing that is done to an assembly reaches the next one", () => {
    const parameters = { type: "object", properties: { a: [1, { b: 2 }] } }
    const layers = layersOf([
      section("s", 0, "s", { complete: true }),
      context("c", 0, "c"),
      variable("v", "v"),
      tools({ schemas: [tool("t", { parameters })] }),
    ])
    const first = assembled(layers)
    const before = structuredClone(first)
    const inner = (first.tools[0]?.parameters ?? null) as { properties: { a: unknown[] } }
    inner.properties.a.push("more")
    Object.assign(first.sections[0] ?? {}, { name: "x", text: "x" })
    Object.assign(first.contexts[0] ?? {}, { text: "x" })
    first.sections.push({ name: "y", text: "y" })
    first.tools.pop()
    first.variables["w"] = "w"
    expect(assembled(layers)).toEqual(before)
    expect(parameters).toEqual({ type: "object", properties: { a: [1, { b: 2 }] } })
  })

  it("PM11: parameters that cannot be logged are refused, hidden keys left out", () => {
    const refusalOf = (parameters: unknown) =>
      leftOf(prepareAssembly(layersOf([tools({ schemas: [tool("t", { parameters })] })]), {}, null))
    const cycle: Record<string, unknown> = {}
    cycle["self"] = cycle
    expect(refusalOf({ a: [() => 1] })).toEqual({
      code: "tool-parameters",
      name: "t",
      fault: { what: "not-json", path: ["a", 0] },
    })
    expect(refusalOf({ a: -0 })).toMatchObject({ fault: { what: "negative-zero" } })
    expect(refusalOf(undefined)).toMatchObject({ fault: { what: "not-json", path: [] } })
    expect(refusalOf(cycle)).toMatchObject({ fault: { what: "cycle", path: ["self"] } })
    expect(refusalOf(new Map())).toMatchObject({ fault: { what: "not-plain" } })
    expect(refusalOf(Object.assign([], { length: 2 }))).toMatchObject({
      fault: { what: "sparse-array" },
    })
    const kept = (parameters: unknown) =>
      assembled(layersOf([tools({ schemas: [tool("t", { parameters })] })])).tools[0]?.parameters
    expect(kept({ a: 1, [Symbol("s")]: 2 })).toStrictEqual({ a: 1 })
    expect(Object.keys(kept(JSON.parse('{"__proto__":{"a":null}}')) ?? {})).toEqual(["__proto__"])
    expect(kept(Object.assign(Object.create(null), { a: [true, "x", null] }))).toEqual({
      a: [true, "x", null],
    })
    let deep: unknown = 1
    for (let i = 0; i < 1001; i++) deep = [deep]
    expect(refusalOf(deep)).toMatchObject({ fault: { what: "too-deep" } })
  })

  it("PM12: what is registered meanwhile is seen by the next assembly", () => {
    let layers = layersOf([toolsNamed("a")])
    let isDone = false
    const eager: Contribution = tools(() => {
      if (!isDone) layers = registered(layers, null, toolsNamed("late"))[0]
      isDone = true
      return { schemas: [] }
    })
    layers = layersOf([eager], [], layers)
    expect(toolNames(assembled(layers))).toEqual(["a"])
    expect(toolNames(assembled(layers))).toEqual(["a", "late"])
  })

  it("PM14: a complete section is the only one, as it was before the listeners", () => {
    const layers = layersOf([
      section("other", 0, "other"),
      section("whole", 1, () => "whole {{x}}", { complete: true }),
      context("c", 0, "c"),
      variable("x", "1"),
    ])
    const spoiled = assembled(layers, {}, [
      (assembly, _, next) => {
        for (const each of assembly.sections) each.text = "spoiled"
        assembly.sections.push({ name: "more", text: "more" })
        assembly.variables["x"] = "2"
        return next()
      },
      (assembly) => ({ ...assembly, sections: [] }),
    ])
    expect(spoiled.sections).toEqual([{ name: "whole", text: "whole {{x}}" }])
    expect(rightOf(renderPrompt(spoiled))).toBe("whole 2")
    expect(spoiled.contexts).toEqual([{ name: "c", text: "c" }])
  })

  it("PM14: all texts are made, but none where two sections are complete", () => {
    let calls = 0
    const counted = (): string => `${++calls}`
    const one = layersOf([
      section("a", 0, counted),
      section("b", 1, counted, { complete: true }),
      section("c", 2, counted, { complete: false }),
    ])
    expect(assembled(one).sections).toEqual([{ name: "b", text: "2" }])
    expect(calls).toBe(3)
    const two = layersOf([
      section("z", 0, neverCalled, { complete: true }),
      section("y", 0, neverCalled, { complete: true }),
      context("c", 0, neverCalled),
    ])
    expect(leftOf(prepareAssembly(two, {}, null))).toEqual({
      code: "complete-sections",
      names: ["y", "z"],
    })
  })

  it("PM14: a section that is shadowed takes its completeness along", () => {
    const scope = {}
    const layers = layersOf(
      [section("a", 0, "a", { complete: true }), section("b", 1, "b")],
      [[scope, section("a", 0, "own")]],
    )
    expect(sectionNames(assembled(layers))).toEqual(["a"])
    expect(sectionNames(assembled(layers, { scope }))).toEqual(["a", "b"])
    const moved = layersOf(
      [section("a", 0, "a", { complete: true })],
      [
        [scope, section("a", 0, "own")],
        [scope, section("b", 1, "b", { complete: true })],
      ],
    )
    expect(sectionNames(assembled(moved, { scope }))).toEqual(["b"])
  })

  it.each([
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])("PM14: a literal section stays literal, complete %s, made anew %s", (complete, isMade) => {
    const braces = "{{ not }} {{a}}"
    const layers = layersOf([
      section("literal", 0, isMade ? () => braces : braces, { interpolate: false, complete }),
      section("other", 1, "{{a}}"),
      variable("a", "value"),
    ])
    expect(rightOf(renderPrompt(assembled(layers)))).toBe(complete ? braces : `${braces}\n\nvalue`)
  })

  it("PM15: one suppressor anywhere in the chain empties the contexts", () => {
    const [child, parent, other] = [{}, {}, {}]
    const base = [context("c", 0, "c")]
    const layers = withParent(layersOf(base, [[parent, suppressor]]), child, parent)
    const count = (scope: object) => assembled(layers, { scope }).contexts.length
    expect([count(child), count(parent), count(other)]).toEqual([0, 0, 1])
    expect(assembled(layersOf([...base, suppressor]), { scope: other }).contexts).toEqual([])
    const brought = assembled(layers, { scope: child }, [
      (assembly, _, next) => {
        assembly.contexts.push({ name: "x", text: "x" })
        assembly.variables["kept"] = "kept"
        return next()
      },
    ])
    expect([brought.contexts, brought.variables]).toEqual([[], { kept: "kept" }])
  })
})
