import type { JsonValue } from "../data/json.ts"
import { isJsonObject, jsonEqual, ownValue } from "../data/json.ts"
import { messagesOf } from "../messages/derived-history.ts"
import { headerTools, isSameTools } from "./header.ts"
import type { ModelRequest } from "./model-request.ts"
import type { RequestLog } from "./request-log.ts"
import { withHistory } from "./request-log.ts"

/** Why a request is not the one that its log leads to. */
export interface RequestFault {
  readonly code:
    | "request-not-frozen"
    | "messages-not-frozen"
    | "system-field"
    | "step-not-started"
    | "header-missing"
    | "messages-differ"
    | "config-differs"
    | "tools-differ"
}

const checkedFields = ["model", "temperature", "maxTokens"] as const

const isSameConfig = (request: ModelRequest, config: JsonValue | undefined): boolean =>
  isJsonObject(config) &&
  checkedFields.every((field) => request[field] === ownValue(config, field)) &&
  jsonEqual(request.stop ?? [], ownValue(config, "stop") ?? [])

/**
 * The first thing about a request that its log does not say, null where there is none: nothing may
 * reach a model that was not logged before.
 *
 * cost    the whole log and its messages: a check for those who want it, not a step of a request
 */
export const requestFault = (request: ModelRequest, log: RequestLog): RequestFault | null => {
  if (!Object.isFrozen(request)) return { code: "request-not-frozen" }
  if (!Object.isFrozen(request.messages)) return { code: "messages-not-frozen" }
  if ("system" in request && request.system !== undefined) return { code: "system-field" }
  const events = log.events.slice(0, log.surface.nextSeq)
  if (!events.some(({ type }) => type === "step/start")) return { code: "step-not-started" }
  if (log.header === null) return { code: "header-missing" }
  if (!jsonEqual(request.messages, messagesOf(withHistory(log).history)))
    return { code: "messages-differ" }
  if (!isSameConfig(request, ownValue(log.header, "config"))) return { code: "config-differs" }
  return isSameTools(request.tools ?? [], headerTools(log.header)) ? null : { code: "tools-differ" }
}
