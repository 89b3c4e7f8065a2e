import { canonicalJson } from "../data/canonical-json.ts"
import { byCodeUnits } from "../data/code-units.ts"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, jsonEqual, ownValue } from "../data/json.ts"
import { utf8Length } from "../data/utf8-length.ts"
import type { RequestPart } from "./blame-row.ts"
import { isSameTool, isSameTools } from "./header.ts"
import { headerConfig } from "./logged-request.ts"
import type { RequestAt } from "./request-at.ts"
import { toolName } from "./tool-history.ts"

/** A value that is not the same in two requests; undefined where one of them has none. */
export interface Difference {
  /** JSON Pointer (RFC 6901) within its part. */
  readonly pointer: string
  readonly before: JsonValue | undefined
  readonly after: JsonValue | undefined
}

/** How two requests differ. */
export interface RequestDiff {
  /** The first part that differs; null where the requests are the same. */
  readonly part: RequestPart | null
  /** Number of the first message that differs, where messages do. */
  readonly messageIndex: number | null
  /** The first difference within that part. */
  readonly difference: Difference | null
  readonly sharedMessages: number
  /** Bytes of their canonical JSON, in UTF-8. */
  readonly sharedBytes: number
  readonly config: readonly Difference[]
  readonly addedTools: readonly string[]
  readonly removedTools: readonly string[]
  readonly changedTools: readonly string[]
  /** Messages of each request behind what they share. */
  readonly removedMessages: number
  readonly addedMessages: number
}

const escaped = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1")

const isContainer = (value: JsonValue | undefined): boolean =>
  value !== undefined && (isJsonArray(value) || isJsonObject(value))

const keysOf = (a: JsonValue, b: JsonValue): readonly string[] => {
  if (isJsonArray(a) && isJsonArray(b))
    return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => String(i))
  return [...new Set([...Object.keys(a as JsonObject), ...Object.keys(b as JsonObject)])].sort(
    byCodeUnits,
  )
}

/** The first place at which two values differ, keys in the order of their code units; null for none. */
export const firstDifference = (before: JsonValue, after: JsonValue): Difference | null => {
  let [a, b]: [JsonValue | undefined, JsonValue | undefined] = [before, after]
  if (jsonEqual(before, after)) return null
  let pointer = ""
  while (
    a !== undefined &&
    b !== undefined &&
    isContainer(a) &&
    isContainer(b) &&
    isJsonArray(a) === isJsonArray(b)
  ) {
    const [outerA, outerB]: [JsonValue, JsonValue] = [a, b]
    const at = (outer: JsonValue, key: string): JsonValue | undefined =>
      isJsonArray(outer) ? outer[Number(key)] : ownValue(outer as JsonObject, key)
    const key = keysOf(outerA, outerB).find((each) => {
      const [x, y] = [at(outerA, each), at(outerB, each)]
      return x === undefined || y === undefined ? x !== y : !jsonEqual(x, y)
    })
    if (key === undefined) break
    pointer += `/${escaped(key)}`
    a = at(outerA, key)
    b = at(outerB, key)
  }
  return { pointer, before: a, after: b }
}

const without = (header: JsonObject | null): JsonObject => {
  const { tools: _tools, system: _system, ...rest } = header ?? {}
  return rest
}

const toolsDiff = (
  before: readonly JsonObject[],
  after: readonly JsonObject[],
): Pick<RequestDiff, "addedTools" | "removedTools" | "changedTools"> => {
  const known = new Map(before.map((tool) => [toolName(tool), tool]))
  const now = new Set(after.map(toolName))
  return {
    addedTools: after.map(toolName).filter((name) => !known.has(name)),
    removedTools: before.map(toolName).filter((name) => !now.has(name)),
    changedTools: after.map(toolName).filter((name, i) => {
      const [old, tool] = [known.get(name), after[i]]
      return old !== undefined && tool !== undefined && !isSameTool(old, tool)
    }),
  }
}

const headerSystem = ({ header }: RequestAt): JsonValue =>
  (header === null ? undefined : ownValue(header, "system")) ?? ""

const sharedOf = (
  a: RequestAt,
  b: RequestAt,
): Pick<RequestDiff, "sharedMessages" | "sharedBytes"> => {
  let sharedBytes = 0
  const length = Math.min(a.messages.length, b.messages.length)
  for (let i = 0; i < length; i++) {
    const [x, y] = [canonicalJson(a.messages[i] ?? null), canonicalJson(b.messages[i] ?? null)]
    if (x !== y) return { sharedMessages: i, sharedBytes }
    sharedBytes += utf8Length(x)
  }
  return { sharedMessages: length, sharedBytes }
}

const configDiff = (a: RequestAt, b: RequestAt): readonly Difference[] => {
  const [before, after] = [headerConfig(a.header), headerConfig(b.header)]
  return keysOf(before, after).flatMap((key) => {
    const [x, y] = [ownValue(before, key), ownValue(after, key)]
    const isSame = x !== undefined && y !== undefined && jsonEqual(x, y)
    return isSame ? [] : [{ pointer: `/${escaped(key)}`, before: x, after: y }]
  })
}

/**
 * Where two requests part, in the order in which a model reads them: config, tools, prompt,
 * messages.
 *
 * shape   a request that goes on where the other one ends parts from it at its first new message
 */
export const requestDiff = (a: RequestAt, b: RequestAt): RequestDiff => {
  const shared = sharedOf(a, b)
  const index = shared.sharedMessages
  const base = {
    ...shared,
    config: configDiff(a, b),
    ...toolsDiff(a.tools, b.tools),
    removedMessages: a.messages.length - index,
    addedMessages: b.messages.length - index,
  }
  const partedAt = (part: RequestPart, before: JsonValue, after: JsonValue): RequestDiff => ({
    ...base,
    part,
    messageIndex: null,
    difference: firstDifference(before, after),
  })
  const [headerA, headerB] = [without(a.header), without(b.header)]
  if (!jsonEqual(headerA, headerB)) return partedAt("header", headerA, headerB)
  if (!isSameTools(a.tools, b.tools)) return partedAt("tools", a.tools, b.tools)
  if (headerSystem(a) !== headerSystem(b))
    return partedAt("system", headerSystem(a), headerSystem(b))
  const [before, after] = [a.messages[index], b.messages[index]]
  if (before === undefined && after === undefined)
    return { ...base, part: null, messageIndex: null, difference: null }
  const isSystem = before?.["role"] === "system" || after?.["role"] === "system"
  return {
    ...base,
    part: isSystem ? "system" : "message",
    messageIndex: index,
    difference:
      before === undefined || after === undefined
        ? { pointer: "", before, after }
        : firstDifference(before, after),
  }
}
