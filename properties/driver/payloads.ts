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

/** What a user says, with an image in one of two. */
export const said = (id: string, n: number): Message => ({
  id,
  role: "user",
  source: { kind: "user" },
  content: [{ type: "text", text: words(n) }, ...(n % 2 === 1 ? [image(n)] : [])],
})

/** What an agent tells its model of a switch to another one. */
export const switched = (id: string, model: string): Message => ({
  id,
  role: "user",
  source: { kind: "model-selection", form: "notice", summary: model },
  content: [{ type: "text", text: `The model is ${model} now.` }],
})

const chunk = (time: number, value: JsonObject): JsonObject => ({
  type: "chunk",
  time,
  chunk: value,
})

/** What a model answers: a text, then its calls. */
export const answered = (time: number, n: number, calls: readonly JsonObject[]): JsonArray => {
  const content = [{ type: "text", text: words(n + 1) }, ...calls]
  const reason = { kind: calls.length > 0 ? "tool-calls" : "stop" }
  return [
    ...content.map((block, index) => chunk(time, { type: "block-end", index, block })),
    chunk(time, { type: "usage", usage: { inputTokens: 90, outputTokens: 9 } }),
    chunk(time, { type: "finish", reason }),
  ]
}

/** What was said until somebody cancelled it; nothing that could be seen without a text. */
export const broken = (time: number, text: string): JsonArray => [
  { type: "text-chunks", time0: time, index: 0, dt: [], texts: [text] },
  { type: "tool-call-chunks", time0: time, index: 1, dt: [], id: "c", name: "ls", args: ["{"] },
]

/** The stream of an attempt that failed. */
export const failed = (time: number): JsonArray => [
  chunk(time, {
    type: "finish",
    reason: { kind: "error", failure: { message: "it broke", code: "BROKEN" } },
  }),
]

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
