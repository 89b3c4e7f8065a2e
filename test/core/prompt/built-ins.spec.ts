import { describe, expect, it } from "vitest"
import { builtInLayers } from "#core/prompt/built-ins"
import { contribute } from "#core/prompt/layers"
import { contextOrders, sectionOrders } from "#core/prompt/orders"
import { renderPrompt } from "#core/prompt/render"
import { leftOf, rightOf } from "../surface/events.ts"
import { assembled, context, layersOf, section, sectionNames, variable } from "./contributions.ts"

const prompt = (layers: Parameters<typeof assembled>[0], asked = {}): string =>
  rightOf(renderPrompt(assembled(layers, asked)))

describe("what a deployment brings", () => {
  it("PM5: identity, prefix and suffix, of which empty ones say nothing", () => {
    const names = ["harness:identity", "deployment:persona-prefix", "deployment:persona-suffix"]
    expect(sectionNames(assembled(builtInLayers()))).toEqual(names)
    const identity = prompt(builtInLayers())
    expect(identity).toMatch(/^[A-Z][^\n]+\.$/)
    expect(prompt(builtInLayers({ personaPrefix: "P", personaSuffix: "S" }))).toBe(
      `${identity}\n\nP\n\nS`,
    )
    const plain = builtInLayers({ includeHarnessIdentity: false })
    expect(sectionNames(assembled(plain))).toEqual(names.slice(1))
    expect(prompt(plain)).toBe("")
  })

  it("PM5: their names are taken, and scopes shadow them", () => {
    const agent = {}
    const other = {}
    const own = section("deployment:persona-prefix", 0, "agent")
    expect(leftOf(contribute(builtInLayers(), null, own))).toEqual({
      code: "section-registered",
      name: "deployment:persona-prefix",
      isScoped: false,
    })
    const config = { includeHarnessIdentity: false, personaPrefix: "P" }
    const layers = layersOf([], [[agent, own]], builtInLayers(config))
    expect(prompt(layers, { scope: agent })).toBe("agent")
    expect(prompt(layers, { scope: other })).toBe("P")
    expect(prompt(layers)).toBe("P")
  })

  it("PM5: without a runtime context there is none in any scope", () => {
    const agent = {}
    const layers = layersOf(
      [context("a", 1, "a")],
      [[agent, context("b", 1, "b")]],
      builtInLayers({ includeRuntimeContext: false }),
    )
    expect(assembled(layers, { scope: agent }).contexts).toEqual([])
    const on = layersOf([context("a", 1, "a")], [], builtInLayers({ includeRuntimeContext: true }))
    expect(assembled(on).contexts).toEqual([{ name: "a", text: "a" }])
  })

  it("PM6: the orders are whole numbers, each once, sections 10 apart or more", () => {
    const sections = Object.values<number>(sectionOrders).toSorted((a, b) => a - b)
    expect(sections).toHaveLength(30)
    for (const [i, order] of sections.entries()) {
      expect(Number.isInteger(order)).toBe(true)
      expect(order - (sections[i - 1] ?? -Infinity)).toBeGreaterThanOrEqual(10)
    }
    expect([sections[0], sections.at(-1)]).toEqual([-1000, 10200])
    const contexts = Object.values<number>(contextOrders)
    expect(new Set(contexts).size).toBe(3)
    expect(contexts.every(Number.isInteger)).toBe(true)
  })

  it("PM6: what differs from machine to machine leaves the beginning as it is", () => {
    const on = (machine: string, model: string): string =>
      prompt(
        layersOf(
          [
            section("harness:source", sectionOrders.HARNESS_SOURCE, `source at /${machine}`),
            section("web", sectionOrders.WEB_SURFACE, `http://${machine}`),
            section("bash", sectionOrders.TOOL_BASH, "use bash"),
            section("cwd", sectionOrders.DEPLOYMENT_PERSONA_SUFFIX - 50, "in {{cwd}}"),
            variable("cwd", `/${machine}/home`),
            variable("model", model),
          ],
          [],
          builtInLayers({ personaPrefix: "You are {{model}}.", personaSuffix: machine }),
        ),
      )
    const [a, b] = [on("a", "m"), on("b", "m")]
    const prefix = a.slice(0, a.indexOf("source at"))
    expect(prefix).toContain("use bash\n\n")
    expect(b.startsWith(prefix)).toBe(true)
    expect(on("a", "n")).toBe(a.replace("You are m.", "You are n."))
  })
})
