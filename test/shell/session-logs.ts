import type { JsonObject } from "#core/data/json"
import { headerIn, logUnder } from "../fixtures/log-in-memory.ts"

/** Logs of format 0 that are as small as a test allows. */

export const mode = (seq: number): JsonObject => ({
  type: "plan/mode",
  seq,
  time: seq,
  data: { active: true },
})

/** A message of the user; with `marker` a replacement instead of an append. */
export const user = (seq: number, text: string, marker: JsonObject = {}): JsonObject => ({
  type: "user/message",
  seq,
  time: seq,
  data: {
    id: `u${seq}`,
    role: "user",
    content: [{ type: "text", text }],
    source: { kind: "user" },
  },
  surfaceOp: "append",
  ...marker,
})

const turnAndStep = (turn: number, step: number): JsonObject => ({ turn, step })

export const turnStart = (seq: number, turn: number): JsonObject => ({
  type: "turn/start",
  seq,
  time: seq,
  data: { turn },
})

export const turnEnd = (seq: number, turn: number): JsonObject => ({
  type: "turn/end",
  seq,
  time: seq,
  data: { turn, reason: { kind: "completed" } },
})

export const stepStart = (seq: number, turn: number, step: number): JsonObject => ({
  type: "step/start",
  seq,
  time: seq,
  data: turnAndStep(turn, step),
})

export const stepEnd = (seq: number, turn: number, step: number): JsonObject => ({
  type: "step/end",
  seq,
  time: seq,
  data: turnAndStep(turn, step),
})

export const assistant = (seq: number, turn: number, step: number, text: string): JsonObject => ({
  type: "assistant/message",
  seq,
  time: seq,
  data: {
    ...turnAndStep(turn, step),
    message: {
      id: `a${seq}`,
      role: "assistant",
      content: [{ type: "text", text }],
      source: { kind: "model", provider: "p", model: "m" },
    },
  },
  surfaceOp: "append",
})

export const retry = (seq: number, turn: number, step: number, attempt: number): JsonObject => ({
  type: "llm/retry",
  seq,
  time: seq,
  data: {
    retryId: `retry-${attempt}`,
    ...turnAndStep(turn, step),
    provider: "p",
    mode: "normal",
    policyKey: "transport",
    retry: attempt,
    maxRetries: 5,
    delayMs: 1,
    failure: { message: "closed", code: "NETWORK" },
  },
})

export const retryStarted = (
  seq: number,
  turn: number,
  step: number,
  attempt: number,
): JsonObject => ({
  type: "llm/retry-started",
  seq,
  time: seq,
  data: { retryId: `retry-${attempt}`, ...turnAndStep(turn, step), retry: attempt },
})

/** A log of format 0 whose session has an id. */
export const sessionLog = (id: string, ...rows: readonly (string | JsonObject)[]): string =>
  logUnder(headerIn(0, { id }), ...rows)

/** A log with as many user messages as asked for, of a length each. */
export const longLog = (id: string, messages: number, characters: number): string =>
  sessionLog(id, ...Array.from({ length: messages }, (_, seq) => user(seq, "m".repeat(characters))))
