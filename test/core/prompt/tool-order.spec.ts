import { describe, expect, it } from "vitest"
import { prepareAssembly } from "#core/prompt/assemble"
import { toolOrderOf, unlistedTools } from "#core/prompt/tool-order"
import { leftOf } from "../surface/events.ts"
import {
  assembled,
  layersOf,
  neverCalled,
  orderOf,
  section,
  toolNames,
  tools,
  tool,
  toolsNamed,
} from "./contributions.ts"

const rest = unlistedTools

describe("the order of tools", () => {
  it("PM13: is by code units, whatever the order of registration", () => {
    const names = ["b", "ä", "B", "a", "_"]
    for (const list of [names, names.toReversed()])
      expect(toolNames(assembled(layersOf(list.map((name) => toolsNamed(name)))))).toEqual([
        ...["B", "_", "a", "b", "ä"],
      ])
  })

  it("PM13: or as configured, with a place for the rest", () => {
    const layers = layersOf([toolsNamed("d", "b"), toolsNamed("a", "c")])
    const order = (...names: string[]) =>
      toolNames(assembled(layers, {}, [], orderOf(...names))).join("")
    expect(order(rest)).toBe("abcd")
    expect(order("c", rest)).toBe("cabd")
    expect(order(rest, "b", "a")).toBe("cdba")
    expect(order("d", rest, "a")).toBe("dbca")
    expect(order("d", "c", "b", "a", rest)).toBe("dcba")
  })

  it("PM13: tools of one name stay together as they were collected", () => {
    const layers = layersOf([
      tools({ schemas: [tool("x", { description: "1" }), tool("x", { description: "2" })] }),
      tools({ schemas: [tool("a"), tool("x", { description: "3" })] }),
    ])
    const told = (order: ReturnType<typeof orderOf> | null) =>
      assembled(layers, {}, [], order).tools.map(({ description }) => description)
    expect(told(null)).toEqual(["does a", "1", "2", "3"])
    expect(told(orderOf("x", rest))).toEqual(["1", "2", "3", "does a"])
  })

  it("PM13: each name is there once, and so is the marker", () => {
    const code = "tool-order-repeated"
    expect(leftOf(toolOrderOf(["a", rest, "b", "a", "b"]))).toEqual({ code, name: "a" })
    expect(leftOf(toolOrderOf([rest, rest]))).toEqual({ code, name: rest })
    expect(leftOf(toolOrderOf([]))).toEqual({ code: "tool-order-rest-missing" })
    expect(leftOf(toolOrderOf(["a"]))).toEqual({ code: "tool-order-rest-missing" })
  })

  it("PM13: a name that nobody knows refuses every assembly, after all texts were made", () => {
    let calls = 0
    const layers = layersOf([toolsNamed("b", "a"), section("s", 0, () => `${++calls}`)])
    expect(leftOf(prepareAssembly(layers, {}, orderOf("a", "y", rest, "x")))).toEqual({
      code: "tool-order-unknown",
      unknown: ["y", "x"],
      known: ["a", "b"],
    })
    expect(calls).toBe(1)
    expect(leftOf(prepareAssembly(layersOf([]), {}, orderOf("a", rest)))).toEqual({
      code: "tool-order-unknown",
      unknown: ["a"],
      known: [],
    })
  })

  it("PM13: a known tool may be hidden; known names count in place of the schemas", () => {
    const layers = layersOf([tools({ schemas: [tool("a")], knownNames: new Set(["b"]) })])
    expect(toolNames(assembled(layers, {}, [], orderOf("b", rest)))).toEqual(["a"])
    expect(leftOf(prepareAssembly(layers, {}, orderOf("a", rest)))).toMatchObject({
      unknown: ["a"],
      known: ["b"],
    })
  })

  it("PM13: no tool is called like the marker", () => {
    const layers = layersOf([toolsNamed(rest)])
    const refusal = { code: "tool-name-reserved", name: rest }
    expect(leftOf(prepareAssembly(layers, {}, null))).toEqual(refusal)
    expect(leftOf(prepareAssembly(layers, {}, orderOf("unknown", rest)))).toEqual(refusal)
    // two complete sections come first, then what is made of texts
    const both = layersOf([
      toolsNamed(rest),
      section("a", 0, neverCalled, { complete: true }),
      section("b", 0, neverCalled, { complete: true }),
    ])
    expect(leftOf(prepareAssembly(both, {}, null)).code).toBe("complete-sections")
  })
})
