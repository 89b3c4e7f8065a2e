import type { JsonArray, JsonObject } from "#core/data/json"
import type { EventDraft } from "#core/request/request-log"
import type { Message } from "#core/messages/event-message"
import { image } from "../arbitraries/dialect.ts"

/** Where an event stands in the course of its session. */
export interface Place {
  readonly turn: number
  readonly step: number
}

/** Long enough that a summary can be smaller than a few of them. */
const words = (n: number): string => `message ${n} ${"of many words ".repeat(3 + (n % 5) * 6)}`

/** What a user says, with an image in one of four. */
export const said = (id: string, n: number): Message => ({
  id,
  role: "user",
  source: { kind: "user" },
  content: [{ type: "text", text: words(n) }, ...(n % 4 === 3 ? [image(n)] : [])],
})

/** What an agent tells its model of a switch to another one. */
export const switched = (id: string, model: string): Message => ({
  id,
  role: "user",
  source: { kind: "model-selection", form: "notice", summary: model },
  content: [{ type: "text", text: `The model is ${model} now.` }],
})

interface Answer {
  readonly content: JsonArray
  readonly stream: JsonArray
}

const chunk = (time: number, value: JsonObject): JsonObject => ({
  type: "chunk",
  time,
  chunk: value,
})

/** What a model answers: a text, then its calls. */
export const answered = (time: number, n: number, calls: readonly JsonObject[]): Answer => {
  const content = [{ type: "text", text: words(n + 1) }, ...calls]
  const ends = content.map((block, index) => chunk(time, { type: "block-end", index, block }))
  const reason = { kind: calls.length > 0 ? "tool-calls" : "stop" }
  return { content, stream: [...ends, chunk(time, { type: "finish", reason })] }
}

/** What was said until somebody cancelled it. */
export const broken = (time: number, text: string): Answer => ({
  content: [{ type: "text", text }],
  stream: [{ type: "text-chunks", time0: time, index: 0, dt: [], texts: [text] }],
})

/** The stream of an attempt that ended without an answer. */
export const failed = (time: number, kind: "aborted" | "error"): JsonArray => [
  chunk(time, {
    type: "finish",
    reason: { kind, failure: { message: "it broke", code: "BROKEN" } },
  }),
]

export const assistantDraft = (
  place: Place,
  id: string,
  { provider, model }: { readonly provider: string; readonly model: string },
  { content, stream }: Answer,
  isInterrupted: boolean,
): EventDraft => ({
  type: "assistant/message",
  data: {
    ...place,
    message: { id, role: "assistant", source: { kind: "model", provider, model }, content },
    stream,
    ...(isInterrupted ? { interrupted: true } : { usage: { inputTokens: 90, outputTokens: 9 } }),
  },
  surfaceOp: "append",
})

/** The result of a call: long enough to be pruned, or an error. */
export const resultDraft = (
  place: Place,
  id: string,
  callId: string,
  startedSeq: number,
  isError: boolean,
): EventDraft => ({
  type: "tool/result",
  data: {
    ...place,
    message: {
      id,
      role: "tool",
      source: { kind: "tool", callId },
      toolCallId: callId,
      content: [{ type: "text", text: isError ? "cancelled" : words(startedSeq) }],
      isError,
    },
    ...(isError ? { error: { name: "AbortError", code: "ABORTED" } } : {}),
  },
  sourceEventSeqs: [startedSeq],
  surfaceOp: "append",
})
