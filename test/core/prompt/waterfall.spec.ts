import { describe, expect, it } from "vitest"
import { completeAssembly, prepareAssembly } from "#core/prompt/assemble"
import type { PromptAssembly } from "#core/prompt/assembly"
import { assemblyFault } from "#core/prompt/assembly-fault"
import { noLayers } from "#core/prompt/layers"
import { renderPrompt } from "#core/prompt/render"
import { bindScopeParent, noParents } from "#core/prompt/scope"
import type { AssemblyListener } from "#core/prompt/waterfall"
import { listenersFor, throughListeners } from "#core/prompt/waterfall"
import { rightOf } from "../surface/events.ts"
import { assembled, layersOf, section, toolNames, toolsNamed } from "./contributions.ts"

type Listener = AssemblyListener<PromptAssembly>

describe("listeners to an assembly", () => {
  it("PM16: go from the first inwards and back, with one assembly and one context", () => {
    const steps: string[] = []
    const asked = { scope: {} }
    const step =
      (name: string): Listener =>
      (assembly, given, next) => {
        expect(given).toBe(asked)
        steps.push(`${name} in, sees ${assembly.sections.map((each) => each.text).join("")}`)
        assembly.sections.push({ name, text: name })
        const answer = next()
        steps.push(`${name} out`)
        return answer
      }
    const answer = assembled(noLayers, asked, [step("a"), step("b")])
    expect(steps).toEqual(["a in, sees ", "b in, sees a", "b out", "a out"])
    expect(answer.sections.map(({ text }) => text)).toEqual(["a", "b"])
  })

  it("PM16: one that does not go on ends the way, and its answer holds", () => {
    const other: PromptAssembly = { sections: [], contexts: [], tools: [], variables: {} }
    const listeners: Listener[] = [(_, __, next) => next(), () => other, () => expect.unreachable()]
    expect(assembled(noLayers, {}, listeners)).toBe(other)
  })

  it("PM16: what they add is used, and not sorted again", () => {
    const layers = layersOf([section("s", 0, "{{added}}"), toolsNamed("b")])
    const answer = assembled(layers, {}, [
      (assembly, _, next) => {
        assembly.variables["added"] = "value"
        assembly.tools.push({ name: "a", description: "", parameters: {} })
        assembly.sections.unshift({ name: "z", text: "first" })
        return next()
      },
    ])
    expect(toolNames(answer)).toEqual(["b", "a"])
    expect(rightOf(renderPrompt(answer))).toBe("first\n\nvalue")
  })

  it("PM16: may take their time", async () => {
    const prepared = rightOf(prepareAssembly(layersOf([section("s", 0, "s")]), {}, null))
    const { assembly } = prepared
    const slow: AssemblyListener<Promise<PromptAssembly>> = async (given, _, next) => {
      await Promise.resolve()
      given.sections.push({ name: "slow", text: "slow" })
      return { ...(await next()), contexts: [{ name: "c", text: "c" }] }
    }
    const answer = await throughListeners([slow], assembly, {}, Promise.resolve(assembly))
    expect(completeAssembly(prepared, answer)).toEqual({
      ...assembly,
      sections: [
        { name: "s", text: "s" },
        { name: "slow", text: "slow" },
      ],
      contexts: [{ name: "c", text: "c" }],
    })
  })

  it("PM16: take part in the assemblies of their scope and of those below it", () => {
    const [child, parent, other] = [{}, {}, {}]
    const parents = rightOf(bindScopeParent(noParents, child, parent))
    const named = new Map<AssemblyListener<PromptAssembly>, string>()
    const listeners = (
      [
        [null, "all"],
        [child, "child"],
        [parent, "parent"],
        [other, "other"],
      ] as const
    ).map(([scope, name]) => {
      const listener: Listener = (_, __, next) => next()
      named.set(listener, name)
      return { scope, listener }
    })
    const heard = (scope: object | null) =>
      listenersFor(listeners, parents, scope).map((each) => named.get(each))
    expect(heard(child)).toEqual(["all", "child", "parent"])
    expect(heard(parent)).toEqual(["all", "parent"])
    expect(heard(other)).toEqual(["all", "other"])
    expect(heard(null)).toEqual(["all"])
  })

  it("PM17: nothing to restore leaves the very answer, and fields of plugins stay", () => {
    const prepared = rightOf(prepareAssembly(noLayers, {}, null))
    const answer = { ...prepared.assembly, extra: 1 }
    expect(completeAssembly(prepared, answer)).toBe(answer)
    const restored = completeAssembly({ ...prepared, isSuppressed: true }, answer)
    expect(restored).toEqual(answer)
    expect(restored).not.toBe(answer)
    expect(restored.extra).toBe(1)
  })
})

describe("what listeners may not answer", () => {
  const fine: PromptAssembly = {
    sections: [{ name: "a", text: "" }],
    contexts: [{ name: "a", text: "x" }],
    tools: [
      { name: "t", description: "", parameters: {} },
      { name: "t", description: "", parameters: {} },
    ],
    variables: { a: undefined, b: "" },
  }
  const part = (name: string, text: unknown = "x") => ({ name, text: text as string })

  it("PM18: a valid one has no fault", () => {
    expect(assemblyFault(fine)).toBeNull()
  })

  it.each([
    [{ sections: [part("a"), part("")] }, "assembly-name-empty", "section", 1],
    [{ sections: [part("a"), part("a")] }, "assembly-name-repeated", "section", "a"],
    [{ sections: [part("a", 1)] }, "assembly-text", "section", "a"],
    [{ contexts: [part("")] }, "assembly-name-empty", "context", 0],
    [{ contexts: [part("a"), part("b"), part("a")] }, "assembly-name-repeated", "context", "a"],
    [{ contexts: [part("a", null)] }, "assembly-text", "context", "a"],
    [{ tools: [{ name: "", description: "", parameters: {} }] }, "assembly-name-empty", "tool", 0],
  ] as const)("PM18: %j has one", (change, code, of, what) => {
    const where = typeof what === "number" ? { index: what } : { name: what }
    expect(assemblyFault({ ...fine, ...change } as unknown as PromptAssembly)).toEqual({
      code,
      of,
      ...where,
    })
  })

  it("PM18: neither do variables that cannot be referred to or are no text", () => {
    expect(assemblyFault({ ...fine, variables: { A: "x" } })).toEqual({
      code: "assembly-variable-name",
      name: "A",
    })
    expect(assemblyFault({ ...fine, variables: { a: 1 as unknown as string } })).toEqual({
      code: "assembly-variable-value",
      name: "a",
    })
  })
})
