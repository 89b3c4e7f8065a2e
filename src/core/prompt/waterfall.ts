import { defect } from "../data/defect.ts"
import type { PromptAssembly } from "./assembly.ts"
import type { AssembleContext } from "./contribution.ts"
import type { ScopeKey, ScopeParents } from "./scope.ts"
import { scopeChainOf } from "./scope.ts"

/**
 * Changes an assembly on its way: by writing to it before `next()`, or by another answer after it.
 * One that does not call `next()` ends the way.
 *
 * shape   `R` is a `PromptAssembly`, or a promise of one
 */
export type AssemblyListener<R> = (
  assembly: PromptAssembly,
  context: AssembleContext,
  next: () => R,
) => R

/** A listener, and the scope whose assemblies, and those of scopes below it, it takes part in. */
export interface ScopedListener<R> {
  /** Null for all assemblies. */
  readonly scope: ScopeKey | null
  readonly listener: AssemblyListener<R>
}

/** The listeners that take part in the assemblies of a scope, in the order they were in. */
export const listenersFor = <R>(
  listeners: readonly ScopedListener<R>[],
  parents: ScopeParents,
  scope: ScopeKey | null,
): readonly AssemblyListener<R>[] => {
  const chain = scopeChainOf(parents, scope)
  return listeners
    .filter((each) => each.scope === null || chain.includes(each.scope))
    .map(({ listener }) => listener)
}

/** Sends an assembly through listeners, the first one outermost; `end` is the innermost answer. */
export const throughListeners = <R>(
  listeners: readonly AssemblyListener<R>[],
  assembly: PromptAssembly,
  context: AssembleContext,
  end: R,
): R => {
  const answerFrom = (place: number): R =>
    place === listeners.length
      ? end
      : (listeners[place] ?? defect(`no listener ${place}`))(assembly, context, () =>
          answerFrom(place + 1),
        )
  return answerFrom(0)
}
