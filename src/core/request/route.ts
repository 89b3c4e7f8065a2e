import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { deepFreeze } from "../data/deep-freeze.ts"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import { plainCopy } from "../data/plain-copy.ts"
import type { AdapterDefaults, RequestConfig } from "./header.ts"
import type { ModelInfo, SystemPromptUpdate, ToolUpdateMode } from "./model-catalog.ts"
import type { RouteRefusal } from "./refusal.ts"

/**
 * The way that one attempt takes: bound once, and then used for its records, its messages and its
 * call. What an earlier attempt could do decides nothing.
 */
export interface Route {
  readonly config: RequestConfig
  readonly adapterDefaults: AdapterDefaults
  readonly contextWindow: number | null
  readonly systemPromptUpdate: SystemPromptUpdate | null
  readonly toolUpdate: ToolUpdateMode | null
}

/** What an adapter fills in where a proposal says nothing. */
export interface DefaultValues {
  readonly reasoningEffort?: string
  readonly maxTokens?: number
}

/** A model that an adapter serves. */
export interface ServedModel {
  readonly info: ModelInfo
  readonly defaults: DefaultValues
}

// whoever is shown a config must not reach the log through it, nor change what was bound
const frozenConfig = (config: RequestConfig): RequestConfig =>
  // what JSON cannot keep is refused when the header is logged
  deepFreeze((plainCopy(config) ?? { ...config }) as RequestConfig)

/**
 * Binds a proposed config to the model that will serve it; null where no adapter does, and the
 * config goes as it is, to nothing that could do more than take messages.
 *
 * shape   the config is a frozen copy
 * errors  route-incomplete without a provider or a model
 */
export const routeOf = (
  proposed: RequestConfig,
  served: ServedModel | null,
): Either<RouteRefusal, Route> => {
  const { provider, model } = proposed
  if (provider === "" || model === "") return left({ code: "route-incomplete", provider, model })
  const { reasoningEffort, maxTokens } = served?.defaults ?? {}
  const fillsEffort = reasoningEffort !== undefined && proposed.reasoningEffort === undefined
  const fillsTokens = maxTokens !== undefined && proposed.maxTokens === undefined
  return right({
    config: frozenConfig({
      ...proposed,
      ...(fillsEffort ? { reasoningEffort } : {}),
      ...(fillsTokens ? { maxTokens } : {}),
    }),
    adapterDefaults: {
      ...(fillsEffort ? { reasoningEffort: true } : {}),
      ...(fillsTokens ? { maxTokens: true } : {}),
    },
    contextWindow: served?.info.contextWindow ?? null,
    systemPromptUpdate: served?.info.systemPromptUpdate ?? null,
    toolUpdate: served?.info.toolUpdate ?? null,
  })
}

/** What the owner of an agent asks for. */
export interface AgentOptions {
  readonly provider?: string
  readonly model?: string
  readonly reasoningEffort?: string
  readonly maxTokens?: number
}

const textIn = (object: JsonValue | undefined, key: string): string | undefined => {
  const value = isJsonObject(object) ? ownValue(object, key) : undefined
  return typeof value === "string" ? value : undefined
}

const isFlagged = (header: JsonObject, key: string): boolean => {
  const flags = ownValue(header, "adapterDefaults")
  return isJsonObject(flags) && flags[key] === true
}

/**
 * The config to propose for the next request.
 *
 * shape   an agent that has logged a header goes on with it, but for what was the adapter's choice;
 *         a new one begins with its options, and takes of an older header nothing but an effort
 *         that was chosen for the same provider and model. A frozen copy: who would have another
 *         config answers with one
 */
export const proposedConfig = (
  latest: JsonObject | null,
  hasLoggedHeader: boolean,
  options: AgentOptions,
): RequestConfig => {
  const config = latest === null ? undefined : ownValue(latest, "config")
  if (latest !== null && hasLoggedHeader && isJsonObject(config)) {
    const kept = Object.entries(config).filter(([key]) => !isFlagged(latest, key))
    return frozenConfig({ provider: "", model: "", ...Object.fromEntries(kept) })
  }
  const { provider = "", model = "", maxTokens } = options
  const isSameModel = textIn(config, "provider") === provider && textIn(config, "model") === model
  const chosenBefore =
    latest !== null && isSameModel && !isFlagged(latest, "reasoningEffort")
      ? textIn(config, "reasoningEffort")
      : undefined
  const reasoningEffort = options.reasoningEffort ?? chosenBefore
  return frozenConfig({
    provider,
    model,
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  })
}
