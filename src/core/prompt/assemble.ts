import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import { byCodeUnits } from "../data/code-units.ts"
import type { AssembledContext, AssembledSection, PromptAssembly } from "./assembly.ts"
import type {
  AssembleContext,
  ContextDefinition,
  PromptText,
  SectionDefinition,
} from "./contribution.ts"
import type { PromptLayer, PromptLayers } from "./layers.ts"
import { layersFor, mergedTable } from "./layers.ts"
import type { AssemblyRefusal } from "./refusal.ts"
import type { ToolOrder } from "./tool-order.ts"
import { orderedTools } from "./tool-order.ts"
import type { ToolSchema } from "./tool-schema.ts"
import { toolSchemaOf } from "./tool-schema.ts"

/** An assembly for the listeners, and what they cannot change. */
export interface PreparedAssembly {
  readonly assembly: PromptAssembly
  /** A copy of the section that is to be the only one. */
  readonly complete: AssembledSection | null
  readonly isSuppressed: boolean
}

const textOf = (text: PromptText, context: AssembleContext): string =>
  typeof text === "function" ? text(context) : text

const bySectionOrder = (a: SectionDefinition, b: SectionDefinition): number =>
  a.order - b.order || byCodeUnits(a.name, b.name)

const byContextOrder = (a: ContextDefinition, b: ContextDefinition): number => a.order - b.order

const variablesOf = (
  layers: readonly PromptLayer[],
  context: AssembleContext,
): Record<string, string | undefined> => {
  const variables: Record<string, string | undefined> = {}
  for (const layer of layers)
    for (const [name, { value }] of layer.variables) variables[name] = value(context)
  return variables
}

interface CollectedTools {
  readonly schemas: readonly ToolSchema[]
  readonly knownNames: ReadonlySet<string>
}

const collectTools = (
  layers: readonly PromptLayer[],
  context: AssembleContext,
): Either<AssemblyRefusal, CollectedTools> => {
  const schemas: ToolSchema[] = []
  const knownNames = new Set<string>()
  for (const layer of layers)
    for (const { value: provider } of layer.tools) {
      const offered = provider(context)
      for (const tool of offered.schemas) {
        const schema = toolSchemaOf(tool)
        if (isLeft(schema)) return schema
        schemas.push(schema.right)
        if (offered.knownNames === undefined) knownNames.add(schema.right.name)
      }
      for (const name of offered.knownNames ?? []) knownNames.add(name)
    }
  return right({ schemas, knownNames })
}

const assembledSection = (
  { name, text, interpolate }: SectionDefinition,
  context: AssembleContext,
): AssembledSection =>
  interpolate === undefined
    ? { name, text: textOf(text, context) }
    : { name, text: textOf(text, context), interpolate }

const assembledContexts = (
  definitions: Iterable<ContextDefinition>,
  context: AssembleContext,
): AssembledContext[] =>
  [...definitions]
    .sort(byContextOrder)
    .map(({ name, text }) => ({ name, text: textOf(text, context) }))

/**
 * Assembles what a scope sees, up to the point where listeners may change it.
 *
 * shape   nothing is cached: every provider and text function of an effective contribution is
 *         called, and those of shadowed variables too. What they throw comes through; what they
 *         register is seen by the next assembly
 * errors  tool-parameters, complete-sections, tool-name-reserved, tool-order-unknown, in this order
 * cost    the contributions, sorted, and a copy of all parameters
 * law     PM66, PM67 in properties/prompt.prop.ts
 */
export const prepareAssembly = (
  layers: PromptLayers,
  context: AssembleContext,
  order: ToolOrder | null,
): Either<AssemblyRefusal, PreparedAssembly> => {
  const chain = layersFor(layers, context.scope ?? null)
  const all = [layers.global, ...chain]
  const isSuppressed = all.some(({ suppressors }) => suppressors.length > 0)
  const variables = variablesOf(all, context)
  const sectionsByName = mergedTable(layers.global, chain, (layer) => layer.sections)
  const contextsByName = mergedTable(layers.global, chain, (layer) => layer.contexts)
  const collected = collectTools(all, context)
  if (isLeft(collected)) return collected
  const definitions = [...sectionsByName.values()].sort(bySectionOrder)
  const completeOnes = definitions.filter(({ complete }) => complete === true)
  if (completeOnes.length > 1)
    return left({ code: "complete-sections", names: completeOnes.map(({ name }) => name) })
  const sections: AssembledSection[] = []
  let complete: AssembledSection | null = null
  for (const definition of definitions) {
    const section = assembledSection(definition, context)
    sections.push(section)
    if (definition.complete === true) complete = { ...section }
  }
  const contexts = isSuppressed ? [] : assembledContexts(contextsByName.values(), context)
  const tools = orderedTools(collected.right.schemas, collected.right.knownNames, order)
  if (isLeft(tools)) return tools
  const assembly = { sections, contexts, tools: tools.right, variables }
  return right({ assembly, complete, isSuppressed })
}

/**
 * The assembly that holds, from what the listeners answered with. Whatever they did, a complete
 * section is the only one, and a suppressed runtime context is empty.
 *
 * shape   the very answer where there is nothing to restore, else a new object with its fields
 */
export const completeAssembly = <A extends PromptAssembly>(
  { complete, isSuppressed }: PreparedAssembly,
  answer: A,
): A => {
  if (complete === null && !isSuppressed) return answer
  return {
    ...answer,
    ...(complete === null ? {} : { sections: [{ ...complete }] }),
    ...(isSuppressed ? { contexts: [] } : {}),
  }
}
