import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, jsonEqual, ownValue } from "../data/json.ts"
import type { ToolSchema } from "../prompt/tool-schema.ts"

/** Which model is asked, and how. */
export interface RequestConfig extends JsonObject {
  readonly provider: string
  readonly model: string
  readonly reasoningEffort?: string
  readonly temperature?: number
  readonly maxTokens?: number
  readonly stop?: readonly string[]
}

/** Which fields of a config were the adapter's own choice. */
export interface AdapterDefaults extends JsonObject {
  readonly reasoningEffort?: true
  readonly maxTokens?: true
}

/** What requests of one series have in common beside their messages. */
export interface RequestHeader extends JsonObject {
  readonly config: RequestConfig
  readonly adapterDefaults?: AdapterDefaults
  readonly tools?: readonly ToolSchema[]
}

const defaultFlags = ["reasoningEffort", "maxTokens"] as const
const plainFields = ["provider", "model", "reasoningEffort", "temperature", "maxTokens"] as const

const partOf = (header: JsonObject, key: string): JsonObject => {
  const part = ownValue(header, key)
  return isJsonObject(part) ? part : {}
}

/** The header inside the payload of a `request/header`, as it was logged; null where there is none. */
export const loggedHeader = (data: JsonValue): JsonObject | null => {
  const header = isJsonObject(data) ? ownValue(data, "header") : undefined
  return isJsonObject(header) ? header : null
}

/** The tool definitions of a header. Logs of format 0 may name tools instead; those are left out. */
export const headerTools = (header: JsonObject): readonly JsonObject[] => {
  const tools = ownValue(header, "tools")
  return isJsonArray(tools) ? tools.filter(isJsonObject) : []
}

/** A logged header without what says nothing: flags that are not true, an empty list of tools. */
export const canonicalLoggedHeader = (header: JsonObject): JsonObject => {
  const { tools, adapterDefaults: _, ...rest } = header
  const flags = partOf(header, "adapterDefaults")
  const isSet = defaultFlags.filter((flag) => ownValue(flags, flag) === true)
  return {
    ...rest,
    ...(isSet.length > 0 && {
      adapterDefaults: Object.fromEntries(isSet.map((flag) => [flag, true])),
    }),
    ...(isJsonArray(tools) && tools.length > 0 && { tools }),
  }
}

/** The header of a request, without what says nothing. */
export const canonicalHeader = (
  config: RequestConfig,
  adapterDefaults: AdapterDefaults,
  tools: readonly ToolSchema[],
): RequestHeader =>
  // its parts are of these types already
  canonicalLoggedHeader({ config, adapterDefaults, tools }) as RequestHeader

/** Whether two definitions are the same text; the order of their keys is part of it. */
export const isSameTool = (a: JsonObject, b: JsonObject): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b)

/** Whether two headers offer the same tools in the same order; none is the same as an empty list. */
export const isSameTools = (a: readonly JsonObject[], b: readonly JsonObject[]): boolean =>
  a.length === b.length &&
  a.every((tool, i) => {
    const other = b[i]
    return other !== undefined && isSameTool(tool, other)
  })

/**
 * Whether two headers ask alike.
 *
 * shape   fields of the config that are not known do not count; an absent stop list is an empty one.
 *         The prompt counts where the header holds it, up to format 2
 * cost    the text of the tools, but for those that are the same object
 */
export const headerEquals = (a: JsonObject, b: JsonObject): boolean => {
  const [configA, configB] = [partOf(a, "config"), partOf(b, "config")]
  for (const key of plainFields) if (ownValue(configA, key) !== ownValue(configB, key)) return false
  const [stopA, stopB] = [ownValue(configA, "stop") ?? [], ownValue(configB, "stop") ?? []]
  if (!jsonEqual(stopA, stopB)) return false
  const [flagsA, flagsB] = [partOf(a, "adapterDefaults"), partOf(b, "adapterDefaults")]
  for (const flag of defaultFlags)
    if ((ownValue(flagsA, flag) === true) !== (ownValue(flagsB, flag) === true)) return false
  if (ownValue(a, "system") !== ownValue(b, "system")) return false
  return isSameTools(headerTools(a), headerTools(b))
}
