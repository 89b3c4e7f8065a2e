import type { PromptLayers } from "./layers.ts"
import { contribute, noLayers } from "./layers.ts"
import { isLeft } from "fp-ts/lib/Either.js"
import { defect } from "../data/defect.ts"
import type { Contribution } from "./contribution.ts"
import { sectionOrders } from "./orders.ts"

/** What a deployment sets of the prompt. */
export interface PromptConfig {
  /** Whether the prompt begins with a sentence that says what the model is. */
  readonly includeHarnessIdentity?: boolean
  /** False leaves the runtime context of every scope empty. */
  readonly includeRuntimeContext?: boolean
  readonly personaPrefix?: string
  readonly personaSuffix?: string
}

const identity = "You are an agent, and this harness is what you work in."

/**
 * The layers of a deployment before anything else is registered. Its names are taken in the global
 * layer; a scope may shadow them.
 */
export const builtInLayers = (config: PromptConfig = {}): PromptLayers => {
  const section = (name: string, order: number, text: string): Contribution => ({
    is: "section",
    definition: { name, order, text },
  })
  const contributions: readonly Contribution[] = [
    ...(config.includeHarnessIdentity === false
      ? []
      : [section("harness:identity", sectionOrders.HARNESS_IDENTITY, identity)]),
    section(
      "deployment:persona-prefix",
      sectionOrders.DEPLOYMENT_PERSONA_PREFIX,
      config.personaPrefix ?? "",
    ),
    section(
      "deployment:persona-suffix",
      sectionOrders.DEPLOYMENT_PERSONA_SUFFIX,
      config.personaSuffix ?? "",
    ),
    ...(config.includeRuntimeContext === false ? [{ is: "suppressor" } as const] : []),
  ]
  let layers = noLayers
  for (const contribution of contributions) {
    const next = contribute(layers, null, contribution)
    layers = isLeft(next) ? defect(`built-in refused: ${next.left.code}`) : next.right[0]
  }
  return layers
}
