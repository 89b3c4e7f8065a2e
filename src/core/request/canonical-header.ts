import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, jsonEqual, ownValue } from "../data/json.ts"

const isFlag = (defaults: JsonValue | undefined, key: string): boolean =>
  isJsonObject(defaults) && ownValue(defaults, key) === true

const defaultsOf = (header: JsonObject): JsonObject => {
  const defaults = ownValue(header, "adapterDefaults")
  return {
    ...(isFlag(defaults, "reasoningEffort") ? { reasoningEffort: true } : {}),
    ...(isFlag(defaults, "maxTokens") ? { maxTokens: true } : {}),
  }
}

/** A request header without optional parts that say nothing: no tools, no defaults. */
export const canonicalHeader = (header: JsonObject): JsonObject => {
  const { tools, adapterDefaults: _, ...rest } = header
  const defaults = defaultsOf(header)
  return {
    ...rest,
    ...(Object.keys(defaults).length > 0 ? { adapterDefaults: defaults } : {}),
    ...(isJsonArray(tools) && tools.length > 0 ? { tools } : {}),
  }
}

const comparedFields = ["provider", "model", "reasoningEffort", "temperature", "maxTokens", "stop"]

// the text that was sent: tools whose keys have another order are other tools to a cache
const sameTools = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  JSON.stringify(a ?? []) === JSON.stringify(b ?? [])

/** Whether two canonical headers ask for the same: route, settings, and tools in their order. */
export const sameHeader = (a: JsonObject, b: JsonObject): boolean => {
  if (a === b) return true
  const [configA, configB] = [a, b].map((header) => {
    const config = ownValue(header, "config")
    return isJsonObject(config) ? config : {}
  })
  return (
    comparedFields.every((key) => jsonEqual(configA?.[key], configB?.[key])) &&
    jsonEqual(ownValue(a, "adapterDefaults"), ownValue(b, "adapterDefaults")) &&
    ownValue(a, "system") === ownValue(b, "system") &&
    sameTools(ownValue(a, "tools"), ownValue(b, "tools"))
  )
}
