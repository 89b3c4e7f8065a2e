import { isLeft } from "fp-ts/lib/Either.js"
import { prepareAssembly } from "#core/prompt/assemble"
import type { AssembleContext, Contribution } from "#core/prompt/contribution"
import type { PromptLayers } from "#core/prompt/layers"
import { contribute, noLayers } from "#core/prompt/layers"
import { bindScopeParent } from "#core/prompt/scope"
import type { ScopeKey } from "#core/prompt/scope"
import type { LoadWatch } from "#shell/bench/foreign-load"
import { interleaved } from "#shell/bench/rounds"
import { timingLine } from "./surface-fold.ts"

const sectionCount = 200
const toolCount = 100
const scopeCount = 5
const goalMicroseconds = 200

const tool = (n: number) => ({
  name: `tool_${(n * 37) % toolCount}`,
  description: `does the thing number ${n}`,
  parameters: {
    type: "object",
    properties: {
      path: { type: "string", description: "where" },
      limit: { type: "number", minimum: 1 },
    },
    required: ["path"],
    additionalProperties: false,
  },
})

const added = (layers: PromptLayers, scope: ScopeKey | null, each: Contribution): PromptLayers => {
  const next = contribute(layers, scope, each)
  if (isLeft(next)) throw new Error(next.left.code)
  return next.right[0]
}

/** Sections and tools, spread over a chain of scopes. */
const crowd = (): readonly [PromptLayers, AssembleContext] => {
  let layers = noLayers
  const scopes: object[] = []
  for (let i = 0; i < scopeCount; i++) {
    const scope = {}
    const parent = scopes.at(-1)
    scopes.push(scope)
    if (parent === undefined) continue
    const parents = bindScopeParent(layers.parents, scope, parent)
    if (isLeft(parents)) throw new Error(parents.left.code)
    layers = { ...layers, parents: parents.right }
  }
  for (let i = 0; i < sectionCount; i++) {
    const definition = {
      name: `section-${(i * 73) % sectionCount}`,
      order: ((i * 31) % 40) * 100,
      text: i % 2 === 0 ? `text of {{model}} ${i}` : () => `made text ${i}`,
    }
    layers = added(layers, scopes[i % scopeCount] ?? null, { is: "section", definition })
  }
  for (const [i, scope] of scopes.entries()) {
    const schemas = Array.from({ length: toolCount / scopeCount }, (_, k) => tool(i * 20 + k))
    layers = added(layers, scope, { is: "tools", provider: () => ({ schemas }) })
  }
  layers = added(layers, null, { is: "variable", name: "model", provider: () => "m" })
  return [layers, { scope: scopes.at(-1) ?? {} }]
}

/** Assembling a crowded prompt: everything evaluated, sorted, and all parameters copied. */
export const assembly = async (load: LoadWatch): Promise<void> => {
  console.log(`assembly of ${sectionCount} sections, ${toolCount} tools, ${scopeCount} scopes`)
  const [layers, context] = crowd()
  const runs = 1000
  const assemble = (): void => {
    for (let i = 0; i < runs; i++) prepareAssembly(layers, context, null)
  }
  const timings = await interleaved([{ name: `${runs} assemblies`, run: assemble }], {
    rounds: 5,
    sampleMs: 1000,
  })
  for (const timing of timings) {
    console.log(timingLine(timing))
    const microseconds = (timing.medianMs * 1000) / runs
    console.log(`one: ${microseconds.toFixed(0)} µs (at most ${goalMicroseconds})`)
  }
  load.check()
}
