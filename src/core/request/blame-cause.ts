import type { SurfaceKind } from "../format/surface-kind.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import { eventMessage } from "../messages/event-message.ts"
import type { BlameCause } from "./blame-row.ts"
import { isSameTool } from "./header.ts"
import { activeTools } from "./logged-request.ts"
import type { SentHead } from "./sent-request.ts"

/** An event that changed what the surface held before it. */
export interface ContentChange {
  readonly seq: number
  readonly cause: BlameCause
  /** Seqs of the nodes that it took away or rewrote. */
  readonly touched: ReadonlySet<number>
}

/** A cause, and the event that is to blame. */
export interface Blamed {
  readonly cause: BlameCause
  readonly seq: number
}

const isCheckpoint = (data: JsonValue): boolean => {
  const message = eventMessage(surfaceKind.user, data)
  const source = message === null ? undefined : ownValue(message, "source")
  if (!isJsonObject(source)) return false
  const { kind, plugin } = source
  return kind === "compact-checkpoint" || (kind === "plugin" && plugin === "compact")
}

/** What kind of change a replacement is; `data` is its payload, where that has to be asked. */
export const replacementCause = (
  kind: SurfaceKind,
  shadowedCount: number,
  data: () => JsonValue,
): BlameCause => {
  if (kind === surfaceKind.system) return "system-rewrite"
  if (kind === surfaceKind.toolResult) return "tool-result-rewrite"
  if (kind !== surfaceKind.user) return "message-rewrite"
  return isCheckpoint(data()) || shadowedCount > 1 ? "compaction" : "message-rewrite"
}

const textsByName = (tools: readonly JsonObject[]): ReadonlyMap<unknown, JsonObject> =>
  new Map(tools.map((tool) => [tool["name"], tool]))

const isRedefined = (before: readonly JsonObject[], after: readonly JsonObject[]): boolean => {
  const known = textsByName(before)
  return after.some((tool) => {
    const old = known.get(tool["name"])
    return old !== undefined && !isSameTool(old, tool)
  })
}

const namesOf = (head: SentHead): string =>
  JSON.stringify(activeTools(head.logged.header).map(({ name }) => name ?? null))

/**
 * Why everything is told anew where neither prompt nor tools say anything new: because of what
 * changed the surface, which lets a series begin, or because a series was declared.
 */
export const seriesCause = (changes: readonly ContentChange[], head: SentHead): Blamed => {
  const change = changes.find(({ cause }) => cause !== "system-rewrite")
  return change ?? { cause: "new-series", seq: head.logged.headerSeq }
}

/** Why the tools before the messages are not what they were. */
export const toolsCause = (
  before: SentHead,
  after: SentHead,
  changes: readonly ContentChange[],
): Blamed => {
  const seq = after.logged.headerSeq
  const defined = [before.tools, activeTools(before.logged.header)]
  if (defined.some((tools) => isRedefined(tools, after.tools)))
    return { cause: "tool-definition", seq }
  const isToldAnew = after.logged.startsSeries && namesOf(before) === namesOf(after)
  return isToldAnew ? seriesCause(changes, after) : { cause: "tools-changed", seq }
}
