import type { JsonObject } from "../data/json.ts"
import { isJsonObject } from "../data/json.ts"
import type { Message } from "../messages/event-message.ts"
import { contentOf } from "../messages/event-message.ts"
import type { ToolUpdateMode } from "./model-catalog.ts"
import type { ToolHistory } from "./tool-history.ts"

/** How a provider is told of tools that come and go; `none` for one that cannot be told. */
export type ToolUpdateOption = ToolUpdateMode | "none"

/** Messages and tool declarations as one provider takes them. */
export interface ProviderTools {
  readonly messages: readonly Message[]
  readonly tools: readonly JsonObject[]
}

const isDeveloper = (message: Message): boolean => message["role"] === "developer"

const withoutDeveloper = (messages: readonly Message[]): readonly Message[] =>
  messages.some(isDeveloper) ? messages.filter((message) => !isDeveloper(message)) : messages

const loadedAtOnce = (tool: JsonObject): JsonObject => {
  if (!Object.hasOwn(tool, "deferLoading")) return tool
  const { deferLoading: _, ...rest } = tool
  return rest
}

const declarationsOf = (
  history: ToolHistory,
  active: readonly JsonObject[],
  mode: ToolUpdateMode,
): readonly JsonObject[] => {
  const declared = new Set(history.tools.map(({ name }) => name))
  const tools = [...history.tools]
  for (const { additions } of history.updates)
    for (const tool of additions) {
      if (declared.has(tool["name"])) continue
      declared.add(tool["name"])
      tools.push({ ...tool, deferLoading: true })
    }
  if (mode === "in-history") return tools
  const activeNames = new Set(active.map(({ name }) => name))
  return tools.filter(({ name }) => activeNames.has(name))
}

/**
 * What one provider is to be told of tools that came and went within the history.
 *
 * shape   without the capability: no developer message, and the active tools, none of them deferred.
 *         Where the history of tools is not that of the messages: the active tools as they are.
 *         Else the tools of the baseline and of all additions, in that order, and of the blocks
 *         those that change what is offered; `addition-only` is told of no removal. Messages that
 *         do not change are the same objects; frozen messages come to frozen ones
 * source  dsh 0.1.7
 */
export const projectToolUpdates = (
  messages: readonly Message[],
  tools: readonly JsonObject[],
  mode: ToolUpdateMode | null,
  history: ToolHistory | null,
): ProviderTools => {
  const settled = <A extends object>(value: A): A =>
    Object.isFrozen(messages) ? Object.freeze(value) : value
  if (mode === null)
    return {
      messages: settled(withoutDeveloper(messages)),
      tools: settled(tools.map(loadedAtOnce)),
    }
  const ids = new Set(messages.map(({ id }) => id))
  if (history === null || !history.updates.every(({ messageId }) => ids.has(messageId)))
    return { messages: settled(withoutDeveloper(messages)), tools }
  const declarations = declarationsOf(history, tools, mode)
  const declared = new Set(declarations.map(({ name }) => name))
  const offered = new Set(
    history.tools.filter((tool) => tool["deferLoading"] !== true).map(({ name }) => name),
  )
  const told = new Set(history.updates.map(({ messageId }) => messageId))

  const isKept = (block: unknown): boolean => {
    if (!isJsonObject(block)) return true
    const name = block["toolName"] ?? null
    if (block["type"] === "tool-addition") {
      if (!declared.has(name) || offered.has(name)) return false
      offered.add(name)
    } else if (block["type"] === "tool-removal")
      return mode === "in-history" && offered.delete(name)
    return true
  }

  const projected: Message[] = []
  for (const message of messages) {
    if (!isDeveloper(message)) projected.push(message)
    else if (typeof message["id"] === "string" && told.has(message["id"])) {
      const content = contentOf(message)
      const kept = content.filter(isKept)
      if (kept.length === content.length) projected.push(message)
      else if (kept.length > 0) projected.push(settled({ ...message, content: settled(kept) }))
    }
  }
  return { messages: settled(projected), tools: settled(declarations) }
}
