import type { CheckOutcome } from "#core/check/log-check"
import type { JsonArray, JsonObject } from "#core/data/json"

type Row = JsonObject

export const event = (seq: number, type: string, data: JsonObject, more: JsonObject = {}): Row => ({
  type,
  seq,
  time: 1,
  data,
  ...more,
})

const append: JsonObject = { surfaceOp: "append" }

/** Marker and sources of a replacement in formats 3 and 4. */
export const replacing = (
  startSeq: number,
  endSeq: number,
  sourceEventSeqs: JsonArray,
): JsonObject => ({ sourceEventSeqs, surfaceOp: { op: "replace", startSeq, endSeq } })

const text: JsonArray = [{ type: "text", text: "t" }]

export const user = (seq: number, op = append, content = text): Row =>
  event(seq, "user/message", { id: `u${seq}`, role: "user", content, source: { kind: "user" } }, op)

/** An assistant message of turn 1, step 1 of format 4 that makes some calls. */
export const asking = (seq: number, ...ids: readonly string[]): Row =>
  event(
    seq,
    "assistant/message",
    {
      turn: 1,
      step: 1,
      message: {
        id: `a${seq}`,
        role: "assistant",
        content: [
          ...text,
          ...ids.map((id) => ({ type: "tool-call", id, name: "ls", arguments: "{}" })),
        ],
        source: { kind: "model", provider: "p", model: "m" },
      },
      stream: [],
    },
    append,
  )

export const call = (seq: number, callId: string): Row =>
  event(seq, "tool/call", { turn: 1, step: 1, callId, name: "ls", arguments: "{}" })

export const result = (seq: number, callId: string, content = text, op = append): Row =>
  event(
    seq,
    "tool/result",
    {
      turn: 1,
      step: 1,
      message: {
        id: `r-${callId}`,
        role: "tool",
        source: { kind: "tool", callId },
        toolCallId: callId,
        content,
        isError: false,
      },
    },
    op,
  )

export const turnStart = (seq: number, turn = 1): Row => event(seq, "turn/start", { turn })
export const turnEnd = (seq: number, turn = 1): Row =>
  event(seq, "turn/end", { turn, reason: { kind: "completed" } })
export const stepStart = (seq: number, turn = 1, step = 1): Row =>
  event(seq, "step/start", { turn, step })
export const stepEnd = (seq: number, turn = 1, step = 1): Row =>
  event(seq, "step/end", { turn, step })

/** Row and code of each finding. */
export const told = ({ found }: CheckOutcome): readonly (readonly [number, string])[] =>
  found.map(({ row, finding }) => [row, finding.code])

/** Where each line of a log begins, the header first. */
export const offsetsOf = (log: string): readonly number[] => {
  const offsets: number[] = []
  let at = 0
  for (const line of log.split(/(?<=\n)/)) {
    offsets.push(at)
    at += Buffer.byteLength(line)
  }
  return offsets
}
