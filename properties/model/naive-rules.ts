import { isDeepStrictEqual } from "node:util"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { RefusalCode } from "#core/data/refusal"
import type { FormatVersion } from "#core/format/format"
import type { NaiveKind } from "./naive-row.ts"
import { at, isArray, isCountLike, isObject, messageOf } from "./naive-row.ts"

const writable = (value: JsonValue): Record<string, unknown> =>
  structuredClone(value) as Record<string, unknown>

// the part that a rewrite may change, taken out
const blanked = (version: FormatVersion, data: JsonValue): unknown => {
  const copy = writable(data)
  const message = copy["message"] as Record<string, unknown> | undefined
  if (!isObject(message as JsonValue | undefined) || message === undefined) return copy
  if (version === 4) message["content"] = "blank"
  else {
    const block = (message["content"] as Record<string, unknown>[] | null)?.[0]
    if (block !== undefined) block["content"] = "blank"
  }
  return copy
}

/** Whether two tool results differ at most in their content. */
export const isRewriteOf = (version: FormatVersion, before: JsonValue, after: JsonValue): boolean =>
  isDeepStrictEqual(blanked(version, before), blanked(version, after))

const roles: Readonly<Record<NaiveKind, string>> = {
  system: "system",
  developer: "developer",
  user: "user",
  assistant: "assistant",
  tool: "tool",
}

/** Whether a surface event's message has the shape of its kind, as far as generators spoil it. */
export const hasShape = (version: FormatVersion, kind: NaiveKind, row: JsonObject): boolean => {
  const message = messageOf(kind, row)
  if (message === null || !isArray(message["content"])) return false
  const role = kind === "tool" && version < 4 ? "user" : roles[kind]
  return message["role"] === role && typeof message["id"] === "string" && message["id"] !== ""
}

/** The code of a developer message that is not bound to its tools, or null. */
export const bindingFault = (
  data: JsonValue,
  seq: number,
  headerAt: (seq: number) => JsonObject | undefined,
): RefusalCode | null => {
  const content = at(data, "message", "content")
  const added = (isArray(content) ? content : [])
    .filter((block) => at(block, "type") === "tool-addition")
    .map((block) => at(block, "toolName"))
    .filter((name) => typeof name === "string")
  const headerSeq = at(data, "headerSeq")
  if (added.length === 0) return headerSeq === undefined ? null : "header-seq-shape"
  if (!isCountLike(headerSeq)) return "header-seq-shape"
  const header = headerSeq < seq ? headerAt(headerSeq) : undefined
  if (header === undefined) return "header-seq-not-header"
  const tools = at(header, "data", "header", "tools")
  for (const name of added) {
    const named = (isArray(tools) ? tools : []).filter((tool) => at(tool, "name") === name)
    const deferred = at(named[0], "deferLoading")
    const isDefined =
      named.length === 1 &&
      typeof at(named[0], "description") === "string" &&
      isObject(at(named[0], "parameters")) &&
      (deferred === undefined || deferred === true)
    if (!isDefined) return "tool-definition-missing"
  }
  return null
}

/** What an offload decision does to messages, or the code of its refusal. */
export type OffloadVerdict = RefusalCode | ReadonlyMap<number, JsonObject>

const hasExactly = (value: JsonObject, keys: readonly string[]): boolean =>
  Object.keys(value).sort().join() === [...keys].sort().join()

const isTarget = (target: JsonValue): target is JsonObject =>
  isObject(target) &&
  hasExactly(target, ["imageIndexes", "seq"]) &&
  isCountLike(target["seq"]) &&
  isArray(target["imageIndexes"]) &&
  target["imageIndexes"].length > 0 &&
  target["imageIndexes"].every(isCountLike)

// every image of a message, depth first, as something that can be written to
const imagesIn = (blocks: unknown): Record<string, unknown>[] => {
  if (!Array.isArray(blocks)) return []
  return (blocks as unknown[]).flatMap((block) => {
    if (typeof block !== "object" || block === null || Array.isArray(block)) return []
    const each = block as Record<string, unknown>
    return each["type"] === "image" ? [each] : imagesIn(each["content"])
  })
}

/** Reads an `image/offload` decision against the messages that are live now. */
export const offloadVerdict = (
  data: JsonValue,
  live: (seq: number) => { readonly kind: NaiveKind; readonly message: JsonObject } | null,
): OffloadVerdict => {
  const targets = at(data, "targets")
  const isShaped =
    isObject(data) &&
    hasExactly(data, ["targets"]) &&
    isArray(targets) &&
    targets.length > 0 &&
    targets.every(isTarget)
  if (!isShaped || !isArray(targets)) return "projection-shape"
  const updates = new Map<number, JsonObject>()
  for (const target of targets) {
    const seq = at(target, "seq") as number
    const indexes = at(target, "imageIndexes") as readonly number[]
    if (indexes.some((index, i) => i > 0 && index <= (indexes[i - 1] ?? 0)))
      return "projection-shape"
    const node = updates.has(seq) ? null : live(seq)
    if (node === null || (node.kind !== "user" && node.kind !== "tool")) return "projection-target"
    const message = writable(node.message)
    const images = imagesIn(message["content"])
    for (const index of indexes) {
      const image = images[index]
      if (image === undefined) return "projection-image"
      image["offloaded"] = true
    }
    updates.set(seq, message as unknown as JsonObject)
  }
  return updates
}
