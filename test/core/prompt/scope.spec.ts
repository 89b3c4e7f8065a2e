import { describe, expect, it } from "vitest"
import { bindScopeParent, noParents, rebindScopeParent, scopeChainOf } from "#core/prompt/scope"
import { leftOf, rightOf } from "../surface/events.ts"

const [child, parent, root, other] = [{}, {}, {}, {}]
const family = rightOf(
  bindScopeParent(rightOf(bindScopeParent(noParents, child, parent)), parent, root),
)

describe("scopes", () => {
  it("PM1: a chain goes from the scope to its farthest ancestor", () => {
    expect(scopeChainOf(family, child)).toEqual([child, parent, root])
    expect(scopeChainOf(family, child)[1]).toBe(parent)
    expect(scopeChainOf(family, root)).toEqual([root])
    expect(scopeChainOf(family, null)).toEqual([])
    expect(scopeChainOf(noParents, child)).toEqual([child])
  })

  it("PM1: a parent is given once, and moved after that", () => {
    expect(leftOf(bindScopeParent(family, child, other))).toEqual({ code: "scope-bound" })
    const moved = rightOf(rebindScopeParent(family, child, other))
    expect(scopeChainOf(moved, child)[1]).toBe(other)
    expect(scopeChainOf(moved, child)).toHaveLength(2)
    expect(scopeChainOf(family, child)[1]).toBe(parent)
    expect(leftOf(rebindScopeParent(family, other, child))).toEqual({ code: "scope-unbound" })
  })

  it("PM1: no scope is its own ancestor", () => {
    expect(leftOf(bindScopeParent(noParents, child, child))).toEqual({ code: "scope-cycle" })
    expect(leftOf(bindScopeParent(family, root, child))).toEqual({ code: "scope-cycle" })
    expect(leftOf(rebindScopeParent(family, parent, child))).toEqual({ code: "scope-cycle" })
    expect(scopeChainOf(family, child)).toHaveLength(3)
  })
})
