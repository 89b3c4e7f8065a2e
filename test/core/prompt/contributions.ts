import { expect } from "vitest"
import type { PromptAssembly } from "#core/prompt/assembly"
import { completeAssembly, prepareAssembly } from "#core/prompt/assemble"
import type {
  AssembleContext,
  ContextDefinition,
  Contribution,
  OfferedTools,
  PromptText,
  SectionDefinition,
  ToolDefinition,
  VariableProvider,
} from "#core/prompt/contribution"
import type { PromptLayers, Registration } from "#core/prompt/layers"
import { contribute, noLayers } from "#core/prompt/layers"
import type { ScopeKey } from "#core/prompt/scope"
import { bindScopeParent } from "#core/prompt/scope"
import type { ToolOrder } from "#core/prompt/tool-order"
import { toolOrderOf } from "#core/prompt/tool-order"
import type { AssemblyListener } from "#core/prompt/waterfall"
import { throughListeners } from "#core/prompt/waterfall"
import { rightOf } from "../surface/events.ts"

export const section = (
  name: string,
  order: number,
  text: PromptText,
  more: Partial<SectionDefinition> = {},
): Contribution => ({ is: "section", definition: { name, order, text, ...more } })

export const context = (
  name: string,
  order: number,
  text: ContextDefinition["text"],
): Contribution => ({ is: "context", definition: { name, order, text } })

export const variable = (
  name: string,
  value: string | undefined | VariableProvider,
): Contribution => ({
  is: "variable",
  name,
  provider: typeof value === "function" ? value : () => value,
})

export const tool = (name: string, more: object = {}): ToolDefinition => ({
  name,
  description: `does ${name}`,
  parameters: { type: "object" },
  ...more,
})

export const tools = (
  offered: OfferedTools | ((context: AssembleContext) => OfferedTools),
): Contribution => ({
  is: "tools",
  provider: typeof offered === "function" ? offered : () => offered,
})

export const toolsNamed = (...names: readonly string[]): Contribution =>
  tools({ schemas: names.map((name) => tool(name)) })

export const suppressor: Contribution = { is: "suppressor" }

/** A contribution of each kind. */
export const everyKind: readonly Contribution[] = [
  section("a", 0, "a"),
  context("a", 0, "a"),
  variable("a", "a"),
  toolsNamed("a"),
  suppressor,
]

/** Layers with one further contribution, and its registration. */
export const registered = (
  layers: PromptLayers,
  scope: ScopeKey | null,
  contribution: Contribution,
): readonly [PromptLayers, Registration] => rightOf(contribute(layers, scope, contribution))

/** Layers with contributions of the global layer, then of scopes. */
export const layersOf = (
  global: readonly Contribution[],
  scoped: readonly (readonly [ScopeKey, Contribution])[] = [],
  base: PromptLayers = noLayers,
): PromptLayers => {
  let layers = base
  for (const each of global) layers = registered(layers, null, each)[0]
  for (const [scope, each] of scoped) layers = registered(layers, scope, each)[0]
  return layers
}

export const withParent = (
  layers: PromptLayers,
  key: ScopeKey,
  parent: ScopeKey,
): PromptLayers => ({
  ...layers,
  parents: rightOf(bindScopeParent(layers.parents, key, parent)),
})

export const orderOf = (...names: readonly string[]): ToolOrder => rightOf(toolOrderOf(names))

/** A whole assembly, through listeners. */
export const assembled = (
  layers: PromptLayers,
  asked: AssembleContext = {},
  listeners: readonly AssemblyListener<PromptAssembly>[] = [],
  order: ToolOrder | null = null,
): PromptAssembly => {
  const prepared = rightOf(prepareAssembly(layers, asked, order))
  const { assembly } = prepared
  return completeAssembly(prepared, throughListeners(listeners, assembly, asked, assembly))
}

export const sectionNames = (assembly: PromptAssembly): readonly string[] =>
  assembly.sections.map(({ name }) => name)

export const toolNames = (assembly: PromptAssembly): readonly string[] =>
  assembly.tools.map(({ name }) => name)

/** A text function that must not be called. */
export const neverCalled = (): string => {
  expect.unreachable("a text that nobody needs was made")
}
