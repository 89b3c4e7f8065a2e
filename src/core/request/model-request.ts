import { deepFreeze } from "../data/deep-freeze.ts"
import type { Message } from "../messages/event-message.ts"
import { messagesOf } from "../messages/derived-history.ts"
import type { ToolSchema } from "../prompt/tool-schema.ts"
import type { RequestHeader } from "./header.ts"
import type { RequestLog } from "./request-log.ts"
import type { ToolHistory } from "./tool-history.ts"
import { toolHistoryOf } from "./tool-history.ts"

/**
 * A request to a model: the fields of its config, and what it is asked. The system prompt is among
 * its messages.
 */
export interface ModelRequest {
  readonly provider: string
  readonly model: string
  readonly reasoningEffort?: string
  readonly temperature?: number
  readonly maxTokens?: number
  readonly stop?: readonly string[]
  readonly messages: readonly Message[]
  /** The active tools; absent where there are none. */
  readonly tools?: readonly ToolSchema[]
  readonly toolHistory: ToolHistory
  readonly sessionId: string
  /** What cancels the request, where something can. */
  readonly signal?: object
}

const freezeOnce = (value: object, frozen: WeakSet<object>): void => {
  if (frozen.has(value)) return
  deepFreeze(value)
  frozen.add(value)
}

/**
 * The request that a log leads to, with the header that was decided for it.
 *
 * shape   everything that it leads to is frozen, but for the signal: the messages are those of the
 *         log, and the events around them stay as they were. `frozen` is added to; where freezing
 *         throws, the message counts as not frozen
 */
export const frozenRequest = (
  log: RequestLog,
  header: RequestHeader,
  sessionId: string,
  signal: object | null,
  frozen: WeakSet<object>,
): ModelRequest => {
  deepFreeze(header)
  const messages = messagesOf(log.history)
  for (const message of messages) freezeOnce(message, frozen)
  const toolHistory = toolHistoryOf(log.toolHistory)
  freezeOnce(toolHistory, frozen)
  return Object.freeze({
    ...header.config,
    messages: Object.freeze(messages),
    ...(header.tools === undefined ? {} : { tools: header.tools }),
    toolHistory,
    sessionId,
    ...(signal === null ? {} : { signal }),
  })
}
