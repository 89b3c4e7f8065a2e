import type { JsonArray, JsonObject, JsonValue } from "../../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../../data/json.ts"
import type { Message } from "../../messages/event-message.ts"
import type { FormatVersion } from "../format.ts"
import type { SurfaceKind } from "../surface-kind.ts"
import { surfaceKind } from "../surface-kind.ts"
import { producerTag } from "./content-tags.ts"
import { goalPlugin, legacyGoalChange } from "./legacy-goal.ts"
import { producerKind, renamedPlugins } from "./source-kinds.ts"
import type { PromptAnchor } from "./system-prompt.ts"
import { promptMessage } from "./system-prompt.ts"

/** Where a derived message of the old log comes from. */
export interface MessageOrigin {
  readonly sessionId: string
  /** Its event, by the seq of the old log. */
  readonly seq: number
  readonly kind: SurfaceKind
  /**
   * The last compaction before it that was still open and began without an id, or null; of use in
   * format 0 alone.
   */
  readonly namelessCompaction: number | null
}

/**
 * What a derived message must be after a migration: all that the documentation says of messages,
 * and nothing else. Made to check what the edges did to rows, so it shares only tables with them.
 *
 * shape   equal up to the order of keys
 */
export const migratedMessage = (
  message: Message,
  from: FormatVersion,
  to: FormatVersion,
  origin: MessageOrigin,
): Message => {
  let next = message
  if (from < 1 && to >= 1) next = named(next, origin)
  if (from < 2 && to >= 2 && legacyGoalChange(next["source"]) !== null)
    next = { ...next, source: goalPlugin }
  if (from < 3 && to >= 3 && origin.kind === surfaceKind.user) next = inCodeMode(next)
  if (from < 4 && to >= 4) next = ownedByProducers(next, origin.kind)
  return next
}

/** The prompt as the log of an earlier format than 3 has it: the text, and the header that set it. */
export interface LoggedPrompt {
  readonly text: string
  readonly anchor: PromptAnchor
}

/**
 * The message that a prompt becomes, before all others; null while it is empty.
 *
 * shape   the anchor counts the events of format 2, since the id is made from that
 */
export const migratedPrompt = (
  prompt: LoggedPrompt,
  sessionId: string,
  to: 3 | 4,
  sha256: (text: string) => string,
): Message | null => {
  if (prompt.text === "") return null
  const message = promptMessage(sessionId, prompt.anchor, prompt.text, sha256)
  return to === 3 ? message : { ...message, source: { kind: "system-prompt" } }
}

const isPlugin = (source: JsonValue | undefined): source is JsonObject =>
  source !== undefined && isJsonObject(source) && source["kind"] === "plugin"

// identities that messages had not yet when format 0 began
const named = (
  message: Message,
  { sessionId, seq, namelessCompaction }: MessageOrigin,
): Message => {
  const whole: Message =
    Object.hasOwn(message, "id") || Object.hasOwn(message, "role")
      ? message
      : { ...message, id: `legacy-message:${sessionId}:${seq}`, role: "user" }
  const { source } = whole
  const isNameless =
    isPlugin(source) && source["plugin"] === "compact" && !Object.hasOwn(source, "compactionId")
  return isNameless && namelessCompaction !== null
    ? {
        ...whole,
        source: { ...source, compactionId: `legacy-compaction:${sessionId}:${namelessCompaction}` },
      }
    : whole
}

const inCodeMode = (message: Message): Message => {
  const { source } = message
  const plugin = isPlugin(source) ? source["plugin"] : undefined
  const later = typeof plugin === "string" ? renamedPlugins.get(plugin) : undefined
  return later === undefined || !isPlugin(source)
    ? message
    : { ...message, source: { ...source, plugin: later } }
}

const retagged = (content: JsonValue | undefined): JsonArray =>
  (content !== undefined && isJsonArray(content) ? content : []).map((block) =>
    isJsonObject(block) ? { ...block, type: producerTag(block["type"] ?? null) } : block,
  )

const owned = (source: JsonObject, role: JsonValue | undefined): JsonObject => {
  const { plugin, ...rest } = source
  return { ...rest, kind: producerKind(typeof plugin === "string" ? plugin : "", role) }
}

const lifted = (message: Message): Message => {
  const { content, id, source, role: _user, ...more } = message
  const [block] = content as readonly JsonObject[]
  const { type: _wrapper, toolCallId, content: inner, isError, ...rest } = block ?? {}
  const fields: Record<string, JsonValue> = {
    role: "tool",
    id: id ?? null,
    source: source ?? null,
    toolCallId: toolCallId ?? null,
    content: retagged(inner),
    isError: isError ?? null,
  }
  for (const key of Object.keys(rest)) fields[`plugin:result:${key}`] = ownValue(rest, key) ?? null
  for (const key of Object.keys(more)) fields[`plugin:message:${key}`] = ownValue(more, key) ?? null
  return fields
}

const ownedByProducers = (message: Message, kind: SurfaceKind): Message => {
  if (kind === surfaceKind.toolResult) return lifted(message)
  const { source } = message
  const content = retagged(message["content"])
  return isPlugin(source)
    ? { ...message, content, source: owned(source, message["role"]) }
    : { ...message, content }
}
