import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import type { ScopeRefusal } from "./refusal.ts"

/** Whose contributions they are, such as one agent: any object, compared by identity. */
export type ScopeKey = object

/** The parent of each scope that has one. A value: binding makes a new one. */
export type ScopeParents = ReadonlyMap<ScopeKey, ScopeKey>

export const noParents: ScopeParents = new Map()

/** A scope and its ancestors, nearest first; empty without a scope. */
export const scopeChainOf = (parents: ScopeParents, key: ScopeKey | null): readonly ScopeKey[] => {
  const chain: ScopeKey[] = []
  for (let at = key ?? undefined; at !== undefined; at = parents.get(at)) chain.push(at)
  return chain
}

const linked = (
  parents: ScopeParents,
  key: ScopeKey,
  parent: ScopeKey,
): Either<ScopeRefusal, ScopeParents> =>
  scopeChainOf(parents, parent).includes(key)
    ? left({ code: "scope-cycle" })
    : right(new Map([...parents, [key, parent]]))

/**
 * Gives a scope its parent, once.
 *
 * errors  scope-bound where it has one already, scope-cycle where it is an ancestor of its parent
 */
export const bindScopeParent = (
  parents: ScopeParents,
  key: ScopeKey,
  parent: ScopeKey,
): Either<ScopeRefusal, ScopeParents> =>
  parents.has(key) ? left({ code: "scope-bound" }) : linked(parents, key, parent)

/**
 * Moves a scope that has a parent to another one.
 *
 * errors  scope-unbound where it has none, scope-cycle where it is an ancestor of its parent
 */
export const rebindScopeParent = (
  parents: ScopeParents,
  key: ScopeKey,
  parent: ScopeKey,
): Either<ScopeRefusal, ScopeParents> =>
  parents.has(key) ? linked(parents, key, parent) : left({ code: "scope-unbound" })
