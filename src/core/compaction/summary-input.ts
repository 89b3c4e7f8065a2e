import type { JsonArray, JsonObject } from "../data/json.ts"
import { isJsonArray, ownValue } from "../data/json.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { Message } from "../messages/event-message.ts"
import { derivesMessage } from "../messages/event-message.ts"
import type { CompactableRange } from "./compactable-range.ts"
import type { CompactionNode } from "./compaction-node.ts"

/** What a model is given to summarise, before the instruction to do so. */
export interface SummaryInput {
  readonly messages: readonly Message[]
  /** Tool schemas of the request header in effect, so that the prompt stays the one in the cache. */
  readonly tools: JsonArray
}

/**
 * The prompt at the head and the messages of a range, in surface order: a prefix of what the model
 * has seen, with later prompts where they stood.
 *
 * shape   the messages of the log, or what projections made of them; empty ones are left out
 */
export const summaryInput = (
  nodes: readonly CompactionNode[],
  { from, to }: CompactableRange,
  header: JsonObject | null,
): SummaryInput => {
  // a prompt that stands between the head and the range is no part of either
  const head = nodes.slice(0, Math.min(from, 1)).filter(({ kind }) => kind === surfaceKind.system)
  const messages = [...head, ...nodes.slice(from, to)].flatMap(({ kind, message }) =>
    derivesMessage(kind, message) ? [message] : [],
  )
  const tools = header === null ? undefined : ownValue(header, "tools")
  return { messages, tools: isJsonArray(tools) ? tools : [] }
}
