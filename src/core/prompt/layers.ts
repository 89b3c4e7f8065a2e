import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import type {
  ContextDefinition,
  Contribution,
  SectionDefinition,
  ToolsProvider,
  VariableProvider,
} from "./contribution.ts"
import { variableName } from "./interpolate.ts"
import type { ContributionRefusal } from "./refusal.ts"
import type { ScopeKey, ScopeParents } from "./scope.ts"
import { noParents, scopeChainOf } from "./scope.ts"

/** One registration, by identity: two of equal content are two. */
export interface Registration {
  /** Null for the global layer. */
  readonly scope: ScopeKey | null
  readonly contribution: Contribution
}

interface Held<A> {
  readonly value: A
  readonly registration: Registration
}

type Table<A> = ReadonlyMap<string, Held<A>>

/** The contributions of one scope, or of none: tables by name, and lists; both in order. */
export interface PromptLayer {
  readonly sections: Table<SectionDefinition>
  readonly contexts: Table<ContextDefinition>
  readonly variables: Table<VariableProvider>
  readonly tools: readonly Held<ToolsProvider>[]
  readonly suppressors: readonly Registration[]
}

/** All contributions. A value: registering and withdrawing make new ones, older ones stay valid. */
export interface PromptLayers {
  readonly global: PromptLayer
  /** No layer in here is empty. */
  readonly scoped: ReadonlyMap<ScopeKey, PromptLayer>
  readonly parents: ScopeParents
}

const emptyLayer: PromptLayer = {
  sections: new Map(),
  contexts: new Map(),
  variables: new Map(),
  tools: [],
  suppressors: [],
}

export const noLayers: PromptLayers = { global: emptyLayer, scoped: new Map(), parents: noParents }

const isEmpty = ({ sections, contexts, variables, tools, suppressors }: PromptLayer): boolean =>
  sections.size + contexts.size + variables.size + tools.length + suppressors.length === 0

const layerAt = (layers: PromptLayers, scope: ScopeKey | null): PromptLayer =>
  scope === null ? layers.global : (layers.scoped.get(scope) ?? emptyLayer)

const withLayer = (
  layers: PromptLayers,
  scope: ScopeKey | null,
  layer: PromptLayer,
): PromptLayers => {
  if (scope === null) return { ...layers, global: layer }
  const scoped = new Map(layers.scoped)
  if (isEmpty(layer)) scoped.delete(scope)
  else scoped.set(scope, layer)
  return { ...layers, scoped }
}

const refusalOf = (
  layer: PromptLayer,
  { scope, contribution }: Registration,
): ContributionRefusal | null => {
  const isScoped = scope !== null
  switch (contribution.is) {
    case "section": {
      const { name, order } = contribution.definition
      if (!Number.isFinite(order)) return { code: "section-order", name, order }
      return layer.sections.has(name) ? { code: "section-registered", name, isScoped } : null
    }
    case "context": {
      const { name, order } = contribution.definition
      if (!Number.isFinite(order)) return { code: "context-order", name, order }
      return layer.contexts.has(name) ? { code: "context-registered", name, isScoped } : null
    }
    case "variable": {
      const { name } = contribution
      if (!variableName.test(name)) return { code: "variable-name", name }
      return layer.variables.has(name) ? { code: "variable-registered", name, isScoped } : null
    }
    case "tools":
    case "suppressor":
      return null
  }
}

const added = (layer: PromptLayer, registration: Registration): PromptLayer => {
  const { contribution } = registration
  switch (contribution.is) {
    case "section": {
      const value = contribution.definition
      const held = { value, registration }
      return { ...layer, sections: new Map([...layer.sections, [value.name, held]]) }
    }
    case "context": {
      const value = contribution.definition
      const held = { value, registration }
      return { ...layer, contexts: new Map([...layer.contexts, [value.name, held]]) }
    }
    case "variable": {
      const { name, provider: value } = contribution
      const held = { value, registration }
      return { ...layer, variables: new Map([...layer.variables, [name, held]]) }
    }
    case "tools":
      return { ...layer, tools: [...layer.tools, { value: contribution.provider, registration }] }
    case "suppressor":
      return { ...layer, suppressors: [...layer.suppressors, registration] }
  }
}

/**
 * Registers a contribution in the global layer, or in that of a scope.
 *
 * shape   the registration is what withdraws it again
 * errors  an order that is not finite, a variable name that is none, a name that its layer has
 * cost    the entries of its table
 */
export const contribute = (
  layers: PromptLayers,
  scope: ScopeKey | null,
  contribution: Contribution,
): Either<ContributionRefusal, readonly [PromptLayers, Registration]> => {
  const layer = layerAt(layers, scope)
  const registration: Registration = { scope, contribution }
  const refusal = refusalOf(layer, registration)
  return refusal === null
    ? right([withLayer(layers, scope, added(layer, registration)), registration])
    : left(refusal)
}

const removed = (layer: PromptLayer, registration: Registration): PromptLayer => {
  const without = <A>(table: Table<A>): Table<A> =>
    new Map([...table].filter(([, held]) => held.registration !== registration))
  switch (registration.contribution.is) {
    case "section":
      return { ...layer, sections: without(layer.sections) }
    case "context":
      return { ...layer, contexts: without(layer.contexts) }
    case "variable":
      return { ...layer, variables: without(layer.variables) }
    case "tools":
      return { ...layer, tools: layer.tools.filter((held) => held.registration !== registration) }
    case "suppressor":
      return { ...layer, suppressors: layer.suppressors.filter((held) => held !== registration) }
  }
}

const holds = (layer: PromptLayer, registration: Registration): boolean => {
  const { contribution } = registration
  switch (contribution.is) {
    case "section":
      return layer.sections.get(contribution.definition.name)?.registration === registration
    case "context":
      return layer.contexts.get(contribution.definition.name)?.registration === registration
    case "variable":
      return layer.variables.get(contribution.name)?.registration === registration
    case "tools":
      return layer.tools.some((held) => held.registration === registration)
    case "suppressor":
      return layer.suppressors.includes(registration)
  }
}

/**
 * Takes a registration back: that one, never another of the same name.
 *
 * shape   the same layers where it is not there, so a notice of change is due when they differ
 */
export const withdraw = (layers: PromptLayers, registration: Registration): PromptLayers => {
  const layer = layerAt(layers, registration.scope)
  return holds(layer, registration)
    ? withLayer(layers, registration.scope, removed(layer, registration))
    : layers
}

/** The layers that a scope sees beside the global one: farthest ancestor first, its own last. */
export const layersFor = (layers: PromptLayers, scope: ScopeKey | null): readonly PromptLayer[] =>
  scopeChainOf(layers.parents, scope)
    .flatMap((key) => layers.scoped.get(key) ?? [])
    .reverse()

/**
 * What a scope sees of one table. The nearest layer wins by name, with its whole definition; it
 * stands where the one that it shadows stood.
 */
export const mergedTable = <A>(
  global: PromptLayer,
  chain: readonly PromptLayer[],
  pick: (layer: PromptLayer) => Table<A>,
): ReadonlyMap<string, A> => {
  const merged = new Map<string, A>()
  for (const [name, { value }] of pick(global)) merged.set(name, value)
  for (const layer of chain) for (const [name, { value }] of pick(layer)) merged.set(name, value)
  return merged
}
