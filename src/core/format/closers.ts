import { defect } from "../data/defect.ts"
import type { JsonObject } from "../data/json.ts"
import type { SessionEvent } from "../log/envelope.ts"
import type { Format } from "./format.ts"
import type { OpenCall, OpenTurn } from "./open-turn.ts"

/** What a repair of a call that never started says; its digest is all that is public of it. */
export const notStartedText = {
  byteCount: 104,
  sha256: "613f8e88c4324029a758e388a77c9082e93d36d39ad23d5f76c5529fe7b0b42f",
} as const

/** Texts of the results that are made for calls without one. */
export interface CloserTexts {
  /** For a call that was never started, with the digest above; null where nobody has it. */
  readonly notStarted: string | null
  /** For one that was started; readers take any. */
  readonly outcomeUnknown: string
}

/** Why a turn has no end of its own; the reason that its closers give. */
type Ending = "interrupted" | "forked"

const resultMessage = (
  format: Format,
  ending: Ending,
  callId: string,
  seq: number,
  text: string,
): JsonObject => {
  const id = `${ending}-tool-result-${callId}-${seq}`
  const source = { kind: "tool", callId }
  const content = [{ type: "text", text }]
  return format.rules.toolResultContent === "message"
    ? { role: "tool", source, toolCallId: callId, content, isError: true, id }
    : {
        id,
        role: "user",
        source,
        content: [{ type: "tool-result", toolCallId: callId, content, isError: true }],
      }
}

const errorOf = ({ startedSeq }: OpenCall): JsonObject =>
  startedSeq === null
    ? { name: "ToolNotStartedError", code: "TOOL_NOT_STARTED" }
    : { name: "ToolOutcomeUnknownError", code: "TOOL_OUTCOME_UNKNOWN" }

const closersOf = (
  format: Format,
  ending: Ending,
  open: OpenTurn,
  texts: CloserTexts,
): readonly SessionEvent[] | null => {
  const rows: SessionEvent[] = []
  const { turn, step, lastTimeMs: time } = open
  let seq = open.nextSeq
  for (const call of open.calls) {
    const { callId, startedSeq } = call
    const text = startedSeq === null ? texts.notStarted : texts.outcomeUnknown
    if (text === null) return null
    const message = resultMessage(format, ending, callId, seq, text)
    rows.push({
      type: "tool/result",
      seq,
      time,
      data: { turn, step, message, error: errorOf(call) },
      ...(startedSeq !== null && { sourceEventSeqs: [startedSeq] }),
      surfaceOp: "append",
    })
    seq++
  }
  if (step !== null) rows.push({ type: "step/end", seq: seq++, time, data: { turn, step } })
  const data = { turn, reason: { kind: ending } }
  rows.push({ type: "turn/end", seq, time, data })
  return rows
}

/**
 * The events that close a turn which a crash left open: a result for each call without one, the end
 * of the step, the end of the turn.
 *
 * shape   null where a call was never started and its text is not at hand
 * source  facts of the log format 1.7
 */
export const crashClosers = (
  format: Format,
  open: OpenTurn,
  texts: CloserTexts,
): readonly SessionEvent[] | null => closersOf(format, "interrupted", open, texts)

/** Texts of the results in a fork; readers take any. */
export interface ForkTexts {
  readonly notStarted: string
  readonly outcomeUnknown: string
}

/**
 * The events that close a turn which was open where a fork was cut off: as those after a crash, by
 * the reason `forked`.
 *
 * source  facts of the log format 6.4
 */
export const forkClosers = (
  format: Format,
  open: OpenTurn,
  texts: ForkTexts,
): readonly SessionEvent[] =>
  closersOf(format, "forked", open, texts) ?? defect("a closer without a text")
