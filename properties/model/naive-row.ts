import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"

/** What stands on the surface, by name: the model shares no number with the code under test. */
export type NaiveKind = "system" | "developer" | "user" | "assistant" | "tool"

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const isArray = (value: unknown): value is JsonArray => Array.isArray(value)

export const isCountLike = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)

/** A value below keys and indexes, or undefined where the way ends. */
export const at = (
  value: JsonValue | undefined,
  ...path: readonly (string | number)[]
): JsonValue | undefined => {
  let inner: JsonValue | undefined = value
  for (const key of path) {
    if (typeof key === "number") inner = isArray(inner) ? inner[key] : undefined
    else inner = isObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined
  }
  return inner
}

// the first and the last format that knows a type, for types that not every format knows
const since: Readonly<Record<string, readonly [FormatVersion, FormatVersion]>> = {
  "assistant/chunk": [0, 1],
  "assistant/attempt": [2, 4],
  "system/message": [3, 4],
  "image/offload": [3, 4],
  "developer/message": [4, 4],
}

/** Whether a reader of a format knows an event type; types under `x/` are known to nobody. */
export const isKnownType = (version: FormatVersion, type: string): boolean => {
  const [first, last] = since[type] ?? [0, 4]
  return !type.startsWith("x/") && version >= first && version <= last
}

const kinds: Readonly<Record<string, NaiveKind>> = {
  "system/message": "system",
  "developer/message": "developer",
  "user/message": "user",
  "assistant/message": "assistant",
  "tool/result": "tool",
}

export const kindOfType = (version: FormatVersion, type: string): NaiveKind | null =>
  isKnownType(version, type) ? (kinds[type] ?? null) : null

/** Whether a row is a packed run; such rows have no `seq` of their own. */
export const isRun = (version: FormatVersion, row: JsonObject): boolean =>
  version < 2 &&
  (row["type"] === "text-chunks" ||
    row["type"] === "reasoning-chunks" ||
    row["type"] === "tool-call-chunks")

export const runLength = (row: JsonObject): number => {
  const members = at(row, "data", "texts") ?? at(row, "data", "args")
  return isArray(members) ? members.length : 0
}

/** The seqs that a row cites, one by one; null where the list cannot be read. */
export const citedSeqs = (value: JsonValue): readonly number[] | null => {
  if (!isArray(value)) return null
  const seqs: number[] = []
  let hasPair = false
  for (const item of value) {
    if (typeof item === "number") {
      if (!isCountLike(item)) return null
      seqs.push(item)
      continue
    }
    if (!isArray(item) || item.length !== 2) return null
    const [first, last] = item
    if (!isCountLike(first) || !isCountLike(last) || first > last) return null
    hasPair = true
    for (let seq = first; seq <= last; seq++) seqs.push(seq)
  }
  const grows = seqs.every((seq, i) => i === 0 || seq > (seqs[i - 1] ?? seq))
  return hasPair && !grows ? null : seqs
}

/** The message of a surface event. */
export const messageOf = (kind: NaiveKind, row: JsonObject): JsonObject | null => {
  const message = kind === "user" ? row["data"] : at(row["data"], "message")
  return isObject(message) ? message : null
}

/** Whether an event of this kind puts a message before the model. */
export const says = (kind: NaiveKind, message: JsonObject): boolean =>
  kind === "user" || kind === "tool" || at(message, "content", 0) !== undefined
