import { describe, expect, it } from "vitest"
import { PromptRegistry } from "#shell/live/prompt-registry"
import {
  assembled,
  everyKind,
  section,
  suppressor,
  toolsNamed,
  variable,
} from "../../core/prompt/contributions.ts"
import { leftOf, rightOf } from "../../core/surface/events.ts"

const counting = (registry: PromptRegistry): (() => number) => {
  let count = 0
  registry.onChange(() => void count++)
  return () => count
}

describe("notices of changed contributions", () => {
  it("LS20: come once after each registration and each withdrawal, of any kind", () => {
    const registry = new PromptRegistry()
    const count = counting(registry)
    for (const scope of [null, {}]) {
      const owner = registry.owner(scope)
      for (const each of everyKind) {
        const before = count()
        const registration = rightOf(owner.contribute(each))
        expect(count()).toBe(before + 1)
        registration[Symbol.dispose]()
        expect(count()).toBe(before + 2)
        registration[Symbol.dispose]()
        expect(count()).toBe(before + 2)
      }
    }
    expect(registry.layers).toEqual(new PromptRegistry().layers)
  })

  it("LS20: come when the layers are those of the notice, and not for what is refused", () => {
    const registry = new PromptRegistry()
    const owner = registry.owner()
    const seen: boolean[] = []
    registry.onChange(() => void seen.push(registry.layers.global.sections.has("s")))
    const registration = rightOf(owner.contribute(section("s", 1, "a")))
    expect(leftOf(owner.contribute(section("s", 1, "b")))).toEqual({
      code: "section-registered",
      name: "s",
      isScoped: false,
    })
    expect(leftOf(owner.contribute(section("n", NaN, "b"))).code).toBe("section-order")
    registration[Symbol.dispose]()
    expect(seen).toEqual([true, false])
  })

  it("LS20: end with their listener", () => {
    const registry = new PromptRegistry()
    let count = 0
    const listening = registry.onChange(() => void count++)
    listening[Symbol.dispose]()
    rightOf(registry.owner().contribute(suppressor))
    expect(count).toBe(0)
  })

  it.each(everyKind.map((each) => [each.is, each] as const))(
    "LS21: take a registration back where a listener throws: %s",
    (_, contribution) => {
      const registry = new PromptRegistry()
      const count = counting(registry)
      let isBroken = true
      registry.onChange(() => {
        if (isBroken) throw new Error("no")
      })
      const last = counting(registry)
      const before = registry.layers
      const owner = registry.owner({})
      expect(() => owner.contribute(contribution)).toThrow("no")
      // told of what came and of what went, all of them
      expect([count(), last()]).toEqual([2, 2])
      expect(registry.layers).toEqual(before)
      isBroken = false
      rightOf(owner.contribute(contribution))
      expect(registry.layers.scoped.size).toBe(1)
      owner[Symbol.dispose]()
      expect(count()).toBe(4)
    },
  )

  it("LS21: leave what is withdrawn withdrawn where a listener throws", () => {
    const registry = new PromptRegistry()
    const owner = registry.owner()
    const registration = rightOf(owner.contribute(section("s", 1, "a")))
    for (const name of ["x", "y"]) rightOf(owner.contribute(section(name, 1, "a")))
    let count = 0
    registry.onChange(() => {
      throw new Error(`no ${count++}`)
    })
    expect(() => registration[Symbol.dispose]()).toThrow("no 0")
    expect(() => owner[Symbol.dispose]()).toThrow("no 1")
    expect(count).toBe(3)
    expect(registry.layers).toEqual(new PromptRegistry().layers)
  })
})

describe("an owner of contributions", () => {
  it("LS22: takes its own with it, the newest first, and no other", () => {
    const registry = new PromptRegistry()
    const [mine, yours] = [registry.owner(), registry.owner()]
    rightOf(mine.contribute(section("a", 1, "a")))
    rightOf(yours.contribute(section("b", 1, "b")))
    rightOf(mine.contribute(section("c", 1, "c")))
    const early = rightOf(mine.contribute(section("d", 1, "d")))
    early[Symbol.dispose]()
    const seen: string[] = []
    registry.onChange(() => void seen.push([...registry.layers.global.sections.keys()].join()))
    const count = counting(registry)
    mine[Symbol.dispose]()
    const builtIn = [...new PromptRegistry().layers.global.sections.keys()].join()
    expect(seen).toEqual([`${builtIn},a,b`, `${builtIn},b`])
    mine[Symbol.dispose]()
    early[Symbol.dispose]()
    expect(count()).toBe(2)
  })

  it("LS22: contributes nothing after its end", () => {
    const registry = new PromptRegistry()
    const owner = registry.owner()
    const count = counting(registry)
    owner[Symbol.dispose]()
    expect(leftOf(owner.contribute(suppressor))).toEqual({ code: "owner-disposed" })
    expect(count()).toBe(0)
  })

  it("LS22: withdraws its own, and not what came later by the same name", () => {
    const registry = new PromptRegistry()
    const [first, second] = [registry.owner(), registry.owner()]
    const registration = rightOf(first.contribute(variable("v", "1")))
    registration[Symbol.dispose]()
    rightOf(second.contribute(variable("v", "2")))
    registration[Symbol.dispose]()
    first[Symbol.dispose]()
    expect(assembled(registry.layers).variables["v"]).toBe("2")
  })

  it("LS23: contributes to its scope and those below it, whose parent only its binder moves", () => {
    const registry = new PromptRegistry()
    const [parent, child, other] = [{}, {}, {}]
    const count = counting(registry)
    const binding = rightOf(registry.bind(child, parent))
    expect(leftOf(registry.bind(child, other))).toEqual({ code: "scope-bound" })
    expect(leftOf(registry.bind(parent, child))).toEqual({ code: "scope-cycle" })
    expect(count()).toBe(0)
    rightOf(registry.owner(parent).contribute(toolsNamed("p")))
    rightOf(registry.owner(child).contribute(toolsNamed("c")))
    const names = (scope: object): readonly string[] =>
      assembled(registry.layers, { scope }).tools.map(({ name }) => name)
    expect([names(child), names(parent), names(other)]).toEqual([["c", "p"], ["p"], []])
    rightOf(binding.rebind(other))
    expect(names(child)).toEqual(["c"])
    rightOf(registry.bind(other, {}))
    expect(leftOf(binding.rebind(child))).toEqual({ code: "scope-cycle" })
  })
})
