import { describe, expect, it } from "vitest"
import type { AssembleContext } from "#core/prompt/contribution"
import { contribute, layersFor, noLayers, withdraw } from "#core/prompt/layers"
import { leftOf } from "../surface/events.ts"
import {
  assembled,
  context,
  everyKind,
  layersOf,
  registered,
  section,
  sectionNames,
  suppressor,
  toolNames,
  toolsNamed,
  variable,
  withParent,
} from "./contributions.ts"

const scope = {}

describe("contributions", () => {
  it("PM2: an order that is not finite is refused before the name is looked at", () => {
    const layers = layersOf([section("a", 0, "x"), context("a", 0, "x")])
    for (const order of [Number.NaN, Infinity, -Infinity]) {
      expect(leftOf(contribute(layers, null, section("a", order, "x")))).toEqual({
        code: "section-order",
        name: "a",
        order,
      })
      expect(leftOf(contribute(layers, null, context("a", order, "x")))).toEqual({
        code: "context-order",
        name: "a",
        order,
      })
    }
  })

  it("PM2: a variable has a name that can be referred to", () => {
    for (const name of ["", "A", "1a", "a-b", "a b", "_a", "a.b", "ä", "a\n"])
      expect(leftOf(contribute(noLayers, null, variable(name, "x")))).toEqual({
        code: "variable-name",
        name,
      })
    for (const name of ["a", "a1_", "constructor"])
      expect(contribute(noLayers, null, variable(name, "x"))._tag).toBe("Right")
  })

  it.each([null, scope])("PM2: a name is there once in a layer", (where) => {
    const isScoped = where !== null
    for (const [each, code] of [
      [section("a", 0, "1"), "section-registered"],
      [context("a", 0, "1"), "context-registered"],
      [variable("a", "1"), "variable-registered"],
    ] as const) {
      const [layers] = registered(noLayers, where, each)
      expect(leftOf(contribute(layers, where, each))).toEqual({ code, name: "a", isScoped })
      // a section, a context and a variable of one name are three things, and so are two layers
      expect(contribute(layers, isScoped ? null : scope, each)._tag).toBe("Right")
    }
    layersOf([section("a", 0, ""), context("a", 0, ""), variable("a", "")])
  })

  it("PM2: empty names and texts of other kinds are taken", () => {
    const odd = section("", 0, 7 as unknown as string)
    expect(contribute(noLayers, null, odd)._tag).toBe("Right")
  })

  it("PM3: the nearest scope wins with its whole definition, at the place of what it shadows", () => {
    const [child, parent] = [{}, {}]
    const layers = withParent(
      layersOf(
        [context("b", 0, "global b"), context("a", 0, "global a"), section("s", 1, "{{x}}")],
        [
          [child, context("d", 0, "child d")],
          [parent, context("c", 0, "parent c")],
          [parent, context("b", 0, "parent b")],
          [child, context("b", 0, "child b")],
          [child, section("s", 5, "{{x}}", { interpolate: false })],
          [parent, section("t", 3, "t")],
        ],
      ),
      child,
      parent,
    )
    const text = (asked: AssembleContext) =>
      assembled(layers, asked).contexts.map((each) => each.text)
    expect(text({})).toEqual(["global b", "global a"])
    expect(text({ scope: parent })).toEqual(["parent b", "global a", "parent c"])
    expect(text({ scope: child })).toEqual(["child b", "global a", "parent c", "child d"])
    expect(assembled(layers, { scope: child }).sections).toEqual([
      { name: "t", text: "t" },
      { name: "s", text: "{{x}}", interpolate: false },
    ])
    expect(sectionNames(assembled(layers, { scope: parent }))).toEqual(["s", "t"])
  })

  it("PM3: shadows whichever of the two was registered first", () => {
    const own = section("s", 0, "own")
    const shared = section("s", 0, "global")
    for (const layers of [
      layersOf([shared], [[scope, own]]),
      layersOf([shared], [], layersOf([], [[scope, own]])),
    ]) {
      expect(assembled(layers, { scope }).sections).toEqual([{ name: "s", text: "own" }])
      expect(assembled(layers).sections).toEqual([{ name: "s", text: "global" }])
    }
  })

  it("PM4: withdrawing takes back that registration and no other", () => {
    const [first, one] = registered(noLayers, null, section("a", 0, "1"))
    const empty = withdraw(first, one)
    expect(sectionNames(assembled(empty))).toEqual([])
    // again, and after the name was taken anew: nothing, and nobody need be told
    expect(withdraw(empty, one)).toBe(empty)
    const [second, two] = registered(empty, null, section("a", 0, "1"))
    expect(withdraw(second, one)).toBe(second)
    expect(sectionNames(assembled(withdraw(second, two)))).toEqual([])
    // older layers are as they were
    expect(sectionNames(assembled(first))).toEqual(["a"])
  })

  it("PM4: equal registrations without a name are two", () => {
    const same = toolsNamed("x")
    const [once, one] = registered(noLayers, null, same)
    const [twice] = registered(once, null, same)
    expect(toolNames(assembled(twice))).toEqual(["x", "x"])
    expect(toolNames(assembled(withdraw(twice, one)))).toEqual(["x"])
    const [hushed, a] = registered(layersOf([context("c", 0, "c")]), scope, suppressor)
    const [both, b] = registered(hushed, scope, suppressor)
    const isEmpty = (layers: typeof both) => assembled(layers, { scope }).contexts.length === 0
    expect(isEmpty(withdraw(both, a))).toBe(true)
    expect(isEmpty(withdraw(withdraw(both, a), b))).toBe(false)
  })

  it("PM4: every kind is taken back, and a scope is gone with its last contribution", () => {
    for (const each of everyKind) {
      const [layers, registration] = registered(noLayers, scope, each)
      expect(layersFor(layers, scope)).toHaveLength(1)
      const without = withdraw(layers, registration)
      expect(without).not.toBe(layers)
      expect(layersFor(without, scope)).toEqual([])
      expect(without).toEqual(noLayers)
      const [global, globally] = registered(noLayers, null, each)
      expect(withdraw(global, globally)).toEqual(noLayers)
      expect(withdraw(global, registration)).toBe(global)
    }
    // a name that is registered again stands at the end
    const [one, first] = registered(noLayers, null, context("a", 0, "a"))
    const two = layersOf([context("b", 0, "b")], [], one)
    const again = layersOf([context("a", 0, "a")], [], withdraw(two, first))
    expect(assembled(again).contexts.map(({ name }) => name)).toEqual(["b", "a"])
  })

  it("PM4: two values grow from one", () => {
    const base = layersOf([section("a", 0, "a")])
    const left = layersOf([section("b", 0, "b")], [], base)
    const right = layersOf([section("c", 0, "c")], [], base)
    expect([base, left, right].map((layers) => sectionNames(assembled(layers)))).toEqual([
      ["a"],
      ["a", "b"],
      ["a", "c"],
    ])
  })
})
