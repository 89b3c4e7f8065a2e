import type { JsonObject } from "../data/json.ts"
import type { SurfaceTokens } from "../fold/log-fold-options.ts"
import type { Message } from "../messages/event-message.ts"
import type { RequestHeaderAt } from "./logged-request.ts"
import { activeTools, systemInEffect } from "./logged-request.ts"
import type { RequestSnapshot } from "./request-collector.ts"
import type { RequestPoint } from "./request-points.ts"
import type { ToolUpdateOption } from "./tool-update.ts"
import { projectToolUpdates } from "./tool-update.ts"

/** A request as the log leads to it. */
export interface RequestAt extends RequestHeaderAt {
  /** Null for the end of a prefix at which no request was sent. */
  readonly point: RequestPoint | null
  readonly throughSeq: number
  /** The prompt in effect; null without any. */
  readonly system: string | null
  /** Definitions that go with the request: the active ones unless they were put as a provider takes them. */
  readonly tools: readonly JsonObject[]
  readonly messages: readonly Message[]
  readonly tokens: SurfaceTokens
}

/**
 * Puts a request together of what a log says of it.
 *
 * @param toolUpdate  how the provider is told of tools; null leaves the request as it is before that
 * law     RQ1 in properties/request.prop.ts: what an adapter received = what the prefix of the
 *         log leads to
 */
export const requestAt = (
  { point, throughSeq, tokens }: RequestSnapshot,
  logged: RequestHeaderAt,
  messages: readonly Message[],
  toolUpdate: ToolUpdateOption | null,
): RequestAt => {
  const { header, toolHistory } = logged
  const active = activeTools(header)
  const told =
    toolUpdate === null
      ? { messages, tools: active }
      : projectToolUpdates(messages, active, toolUpdate === "none" ? null : toolUpdate, toolHistory)
  const system = systemInEffect(header, messages)
  return { ...logged, ...told, point, throughSeq, system, tokens }
}
