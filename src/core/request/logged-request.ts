import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { Message } from "../messages/event-message.ts"
import { messageText } from "../messages/event-message.ts"
import { canonicalLoggedHeader, headerTools, loggedHeader } from "./header.ts"
import type { HeaderReason } from "./records.ts"
import type { ToolEvent } from "./tool-events.ts"
import type { ToolHistory, ToolHistoryState } from "./tool-history.ts"
import { loggedTools, noToolHistory, stepToolHistory, toolHistoryOf } from "./tool-history.ts"

/** What the header records of a log say of one request. */
export interface RequestHeaderAt {
  /** Canonical; null before the first one. */
  readonly header: JsonObject | null
  readonly headerSeq: number
  /** Why a header was logged for this request; `unchanged` where none was. */
  readonly reason: HeaderReason | "unchanged"
  /** Whether the log says that a series begins with this request. */
  readonly startsSeries: boolean
  readonly toolHistory: ToolHistory
}

const reasons: ReadonlySet<unknown> = new Set(["initial", "resume", "change", "series"])

const reasonOf = (data: JsonValue): HeaderReason => {
  const reason = isJsonObject(data) ? ownValue(data, "reason") : undefined
  // in formats 0 and 1 any text may stand there
  return reasons.has(reason) ? (reason as HeaderReason) : "change"
}

const isStart = (data: JsonValue): boolean =>
  isJsonObject(data) &&
  (ownValue(data, "reason") === "series" || ownValue(data, "startsSeries") === true)

/**
 * Walks the events that tell of tools along with the requests of a log. A draft of one walk.
 *
 * cost    each event is read once, and the header that an addition names once more where it is not
 *         the latest one; kept is the latest one alone
 * @param payloadOf  the payload of such an event, read again
 */
export class HeaderWalk {
  private readonly events: readonly ToolEvent[]
  private readonly payloadOf: (event: ToolEvent) => JsonValue
  private at = 0
  private state: ToolHistoryState = noToolHistory
  private header: JsonObject | null = null
  private headerSeq = -1
  private readonly places: Map<number, ToolEvent> = new Map()

  constructor(events: readonly ToolEvent[], payloadOf: (event: ToolEvent) => JsonValue) {
    this.events = events
    this.payloadOf = payloadOf
  }

  /** What holds for a request; requests are asked for in the order of the log. */
  through(throughSeq: number, afterSeq: number): RequestHeaderAt {
    let reason: HeaderReason | "unchanged" = "unchanged"
    let startsSeries = false
    for (; this.at < this.events.length; this.at++) {
      const event = this.events[this.at]
      if (event === undefined || event.seq > throughSeq) break
      const data = this.payloadOf(event)
      if (event.isHeader) {
        this.take(event, data)
        if (event.seq > afterSeq) {
          reason = reasonOf(data)
          startsSeries = startsSeries || isStart(data)
        }
      }
      const type = event.isHeader ? "request/header" : "developer/message"
      const next = stepToolHistory(this.state, type, event.seq, data, this.toolsAt)
      // the surface has refused what has no definition
      if (next._tag === "Right") this.state = next.right
    }
    const { header, headerSeq, state } = this
    return { header, headerSeq, reason, startsSeries, toolHistory: toolHistoryOf(state) }
  }

  private take(event: ToolEvent, data: JsonValue): void {
    const header = loggedHeader(data)
    if (header === null) return
    this.header = canonicalLoggedHeader(header)
    this.headerSeq = event.seq
    this.places.set(event.seq, event)
  }

  private readonly toolsAt = (headerSeq: number): readonly JsonObject[] => {
    if (headerSeq === this.headerSeq) return activeTools(this.header)
    const place = this.places.get(headerSeq)
    return place === undefined ? [] : loggedTools(this.payloadOf(place))
  }
}

/** The active tools of a header. */
export const activeTools = (header: JsonObject | null): readonly JsonObject[] =>
  header === null ? [] : headerTools(header)

/** The config of a header; an empty object where there is none. */
export const headerConfig = (header: JsonObject | null): JsonObject => {
  const config = header === null ? undefined : ownValue(header, "config")
  return isJsonObject(config) ? config : {}
}

/**
 * The system prompt that a request puts in effect.
 *
 * shape   up to format 2 the text of the header; since then that of the last system message that has
 *         one. Null without any
 */
export const systemInEffect = (
  header: JsonObject | null,
  messages: Iterable<Message>,
): string | null => {
  const inHeader = header === null ? undefined : ownValue(header, "system")
  let system = typeof inHeader === "string" && inHeader !== "" ? inHeader : null
  for (const message of messages)
    if (message["role"] === "system") system = messageText(message) || system
  return system
}
