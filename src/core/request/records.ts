import type { JsonObject } from "../data/json.ts"
import { ownValue } from "../data/json.ts"
import type { Message } from "../messages/event-message.ts"
import type { RequestHeader } from "./header.ts"
import { headerEquals } from "./header.ts"
import type { Route } from "./route.ts"
import type { ToolChanges } from "./tool-history.ts"

/** Why a header was logged. */
export type HeaderReason = "initial" | "resume" | "change" | "series"

/** Payload of a `request/header`. */
export interface HeaderRecord extends JsonObject {
  readonly header: RequestHeader
  readonly reason: HeaderReason
  readonly startsSeries?: true
}

/**
 * The header to log before a request, or null where the latest one holds.
 *
 * shape   the first of each agent is logged even where it is equal; a series start alone is a
 *         reason, and a flag beside any other reason
 */
export const headerRecord = (
  header: RequestHeader,
  latest: JsonObject | null,
  hasLoggedHeader: boolean,
  startsSeries: boolean,
): HeaderRecord | null => {
  const flag = startsSeries ? ({ startsSeries } as const) : {}
  if (!hasLoggedHeader || latest === null)
    return { header, reason: latest === null ? "initial" : "resume", ...flag }
  if (!headerEquals(header, latest)) return { header, reason: "change", ...flag }
  return startsSeries ? { header, reason: "series" } : null
}

/** Payload of a `request/context`: it tells of the route of an admission, and decides none. */
const contextOf = (route: Route): JsonObject => ({
  provider: route.config.provider,
  model: route.config.model,
  ...(route.contextWindow === null ? {} : { contextWindow: route.contextWindow }),
  ...(route.systemPromptUpdate === null ? {} : { systemPromptUpdate: route.systemPromptUpdate }),
})

const contextFields = ["provider", "model", "contextWindow", "systemPromptUpdate"] as const

/** The context to log before a request, or null where the latest one says the same. */
export const contextRecord = (route: Route, latest: JsonObject | null): JsonObject | null => {
  const context = contextOf(route)
  const isSame =
    latest !== null &&
    contextFields.every((field) => ownValue(context, field) === ownValue(latest, field))
  return isSame ? null : context
}

/** The message that tells of tools that came and went. */
export const toolChangesMessage = (id: string, { additions, removals }: ToolChanges): Message => ({
  id,
  role: "developer",
  source: { kind: "tool-registry" },
  content: [
    ...additions.map((toolName) => ({ type: "tool-addition", toolName })),
    ...removals.map((toolName) => ({ type: "tool-removal", toolName })),
  ],
})
