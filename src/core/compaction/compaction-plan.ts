import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import type { JsonArray, JsonObject } from "../data/json.ts"
import { isJsonObject } from "../data/json.ts"
import type { Format } from "../format/format.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import { blockTag, textField } from "../format/lifecycle/fields.ts"
import type { SessionEvent } from "../log/envelope.ts"
import type { Message } from "../messages/event-message.ts"
import { messageTokens } from "../tokens/estimate.ts"
import type { CompactableRange } from "./compactable-range.ts"
import type { LogEnd } from "./planned-events.ts"
import { eventsAt, replacementMarker, shadowedFigures } from "./planned-events.ts"

/** Whose compaction it is. Ids are made outside: a plan of the same input is the same. */
export interface CompactionOwner {
  readonly compactionId: string
  readonly sourceCommandId: string | null
  /** The open turn; null for one that was asked for between turns. */
  readonly turn: number | null
}

/** What a model made of a range. */
export interface Summary {
  readonly content: JsonArray
  readonly provider: string
  readonly model: string
  /** What the call used; null where it was not reported. */
  readonly usage: JsonObject | null
}

/** Why a summary does not take the place of a range. */
export type SummaryRefusal =
  | { readonly code: "summary-empty" }
  | { readonly code: "summary-block"; readonly position: number; readonly blockType: string | null }
  | {
      readonly code: "summary-not-smaller"
      readonly checkpointTokens: number
      readonly shadowedTokens: number
    }

/** source  log format: readers of later sessions look for this tag */
const summaryTag = "compacted-summary"

const preamble = "The conversation up to here was summarised. The summary stands for all of it."

const ownerFields = ({ compactionId, sourceCommandId }: CompactionOwner): JsonObject => ({
  compactionId,
  ...(sourceCommandId === null ? {} : { sourceCommandId }),
})

// up to format 3 plugins share one kind of source
const checkpointSource = (format: Format, owner: CompactionOwner): JsonObject =>
  format.version < 4
    ? { kind: "plugin", plugin: "compact" }
    : { kind: "compact-checkpoint", ...ownerFields(owner) }

/** A compaction that was started, and what it came to. */
export interface CompactionCommit {
  readonly owner: CompactionOwner
  /** Seq of its start. */
  readonly startSeq: number
  readonly range: CompactableRange
  readonly summary: Summary
  /** Of the message that is to stand for the range. */
  readonly messageId: string
}

const checkpointMessage = (
  format: Format,
  owner: CompactionOwner,
  messageId: string,
  summary: Summary,
): Message => ({
  id: messageId,
  role: "user",
  source: checkpointSource(format, owner),
  content: [
    { type: "text", text: `${preamble}\n\n<${summaryTag}>` },
    ...summary.content,
    { type: "text", text: `</${summaryTag}>` },
  ],
})

const contentRefusal = ({ content }: Summary): SummaryRefusal | null => {
  let isBlank = true
  for (const [position, block] of content.entries()) {
    const blockType = blockTag(block)
    if (blockType !== "text" || !isJsonObject(block))
      return { code: "summary-block", position, blockType }
    if ((textField(block, "text") ?? "").trim() !== "") isBlank = false
  }
  return isBlank ? { code: "summary-empty" } : null
}

/** The event that opens a compaction; nothing is shadowed yet. */
export const compactionStart = (owner: CompactionOwner, end: LogEnd): readonly SessionEvent[] =>
  eventsAt(end, [{ type: "compaction/start", data: { ...ownerFields(owner), turn: owner.turn } }])

/**
 * The event that closes a compaction which came to nothing, and says why in a text.
 *
 * source  facts of the log format 3.2: migrations of older logs refuse anything but a text
 */
export const compactionFailure = (
  owner: CompactionOwner,
  error: string,
  end: LogEnd,
): readonly SessionEvent[] =>
  eventsAt(end, [
    { type: "compaction/end", data: { ...ownerFields(owner), turn: owner.turn, error } },
  ])

/**
 * The events that put a summary in the place of a range: its price and the summary, at once the
 * replacement, and the end.
 *
 * shape   three events; the replacement cites the start, the summary and every shadowed node
 * errors  summary-empty, summary-block, summary-not-smaller where nothing would be gained
 * law     TK30 in properties/compaction.prop.ts: the planner takes them, in every format
 */
export const compactionCommit = (
  format: Format,
  { owner, startSeq, range, summary, messageId }: CompactionCommit,
  end: LogEnd,
): Either<SummaryRefusal, readonly SessionEvent[]> => {
  const refusal = contentRefusal(summary)
  if (refusal !== null) return left(refusal)
  const checkpoint = checkpointMessage(format, owner, messageId, summary)
  const checkpointTokens = messageTokens(surfaceKind.user, checkpoint)
  if (checkpointTokens >= range.shadowedRouteTokens)
    return left({
      code: "summary-not-smaller",
      checkpointTokens,
      shadowedTokens: range.shadowedRouteTokens,
    })
  const { shadowedSeqs } = range
  const { content, provider, model, usage } = summary
  return right(
    eventsAt(end, [
      {
        type: "compaction/summary",
        data: {
          ...ownerFields(owner),
          summary: content,
          ...shadowedFigures(shadowedSeqs, range.shadowedTokens),
          provider,
          model,
          ...(usage === null ? {} : { usage }),
        },
      },
      {
        type: "user/message",
        data: checkpoint,
        sourceEventSeqs: [startSeq, end.nextSeq, ...shadowedSeqs],
        surfaceOp: replacementMarker(format, shadowedSeqs[0] ?? -1, shadowedSeqs.at(-1) ?? -1),
      },
      { type: "compaction/end", data: { ...ownerFields(owner), turn: owner.turn } },
    ]),
  )
}
