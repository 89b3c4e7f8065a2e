import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { JsonArray, JsonObject, JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { StreamRefusal } from "../messages/stream-content.ts"
import { streamContent } from "../messages/stream-content.ts"
import type { EventDraft } from "./request-log.ts"
import type { Route } from "./route.ts"

/** What came of an attempt before it ended. */
export interface AttemptRecord {
  readonly turn: number
  readonly step: number
  /** The route that its request took. */
  readonly route: Route
  /** Of the message that may come of it. */
  readonly messageId: string
  /** What the adapter sent, in the records that are logged. */
  readonly stream: JsonArray
}

/** How an attempt ended. */
export type AttemptEnd = "answered" | "failed" | "cancelled"

const isVisible = (block: JsonValue): boolean => {
  if (!isJsonObject(block)) return false
  const [type, text] = [ownValue(block, "type"), ownValue(block, "text")]
  const isSaid = type === "text" || type === "reasoning"
  return isSaid && typeof text === "string" && text.trim() !== ""
}

/** The last value that chunks of a kind carry under a key; undefined where none does. */
const lastOf = (stream: JsonArray, type: string, key: string): JsonValue | undefined => {
  let value: JsonValue | undefined
  for (const record of stream) {
    const chunk = isJsonObject(record) ? ownValue(record, "chunk") : undefined
    if (!isJsonObject(chunk) || ownValue(chunk, "type") !== type) continue
    value = ownValue(chunk, key) ?? value
  }
  return value
}

// an adapter's state for each block says nothing of other blocks
const replayStateOf = (stream: JsonArray, content: JsonArray): JsonValue | undefined => {
  const state = lastOf(stream, "finish", "replayState")
  const blocks = isJsonObject(state) ? ownValue(state, "blocks") : undefined
  return isJsonArray(blocks) && blocks.length !== content.length ? undefined : state
}

const messageDraft = (
  { turn, step, route, messageId: id, stream }: AttemptRecord,
  content: JsonArray,
  isInterrupted: boolean,
): EventDraft => {
  const { provider, model } = route.config
  const replayState = replayStateOf(stream, content)
  const usage = lastOf(stream, "usage", "usage")
  const source: JsonObject = {
    kind: "model",
    provider,
    model,
    ...(replayState === undefined ? {} : { replayState }),
  }
  const data = {
    turn,
    step,
    message: { id, role: "assistant", source, content },
    stream,
    ...(usage === undefined ? {} : { usage }),
    ...(isInterrupted ? { interrupted: true } : {}),
  }
  return { type: "assistant/message", data, surfaceOp: "append" }
}

/**
 * The event that settles an attempt: an answer as a message, a failure as a mere attempt, and what
 * was cancelled as a message of what could be seen of it, or as an attempt where that is nothing.
 *
 * shape   of a cancelled answer texts and reasoning that are not blank are kept, and no call
 * errors  stream-block-open for an answer that cannot be read back; what is cancelled then is an
 *         attempt
 * source  dsh 0.1.7, failure matrix; log format, section on streams
 */
export const settleAttempt = (
  record: AttemptRecord,
  end: AttemptEnd,
): Either<StreamRefusal, EventDraft> => {
  const { turn, step, stream } = record
  const attempt = right({ type: "assistant/attempt", data: { turn, step, stream } })
  if (end === "failed") return attempt
  const content = streamContent(stream)
  if (end === "answered")
    return isLeft(content) ? left(content.left) : right(messageDraft(record, content.right, false))
  const seen = isLeft(content) ? [] : content.right.filter(isVisible)
  return seen.length === 0 ? attempt : right(messageDraft(record, seen, true))
}
