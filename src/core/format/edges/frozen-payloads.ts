import { isSafeInt } from "../../data/count.ts"
import type { PayloadShapes } from "../../log/payload-shapes.ts"
import type { ObjectShape, Shape } from "../../log/shape.ts"
import {
  any,
  arrayOf,
  boolean,
  count,
  exactly,
  leaf,
  never,
  nonempty,
  object,
  oneOf,
  positive,
  record,
  safeInt,
  string,
  tagged,
} from "../../log/shape.ts"
import { frozenMessages } from "./frozen-messages.ts"
import { pluginPayloads } from "./frozen-plugin-payloads.ts"

const within = (name: string, low: number, high: number): Shape =>
  leaf(name, (value) => typeof value === "number" && value >= low && value <= high)

const turnOrNull: Shape = leaf("safe integer or null", (v) => v === null || isSafeInt(v))
const turn: ObjectShape = exactly({ turn: safeInt })
const step: ObjectShape = exactly({ turn: safeInt, step: safeInt })
const place = { turn: count, step: count }

/** Why a call to a model failed. */
export const failure: ObjectShape = exactly(
  { message: nonempty, code: nonempty },
  {
    status: within("100 to 599", 100, 599),
    providerRetryAfterMs: leaf("positive number", (v) => typeof v === "number" && v > 0),
    requestId: nonempty,
  },
)

const usage: Shape = exactly(
  { inputTokens: count, outputTokens: count },
  { totalTokens: count, cacheReadTokens: count, cacheWriteTokens: count, reasoningTokens: count },
)

const kindAlone: Shape = exactly({ kind: string })
const endReason: Shape = tagged("kind", {
  completed: kindAlone,
  blocked: kindAlone,
  "max-tokens": kindAlone,
  interrupted: kindAlone,
  aborted: exactly({
    kind: string,
    reason: tagged(
      "kind",
      {
        user: kindAlone,
        parent: kindAlone,
        disposed: kindAlone,
        legacy: kindAlone,
        hook: exactly({ kind: string, reason: string }),
      },
      never,
    ),
  }),
  error: exactly({ kind: string, error: failure }),
})

const epochHeader: Shape = exactly(
  {
    config: exactly(
      { provider: nonempty, model: nonempty },
      {
        reasoningEffort: nonempty,
        temperature: leaf("number", (value) => typeof value === "number"),
        maxTokens: positive,
        stop: arrayOf(string),
      },
    ),
  },
  {
    adapterDefaults: exactly({}, { reasoningEffort: oneOf(true), maxTokens: oneOf(true) }),
    tools: arrayOf(exactly({ name: nonempty, description: string, parameters: record })),
    system: string,
  },
)

const retry = {
  retryId: nonempty,
  turn: count,
  step: count,
  provider: string,
  mode: string,
  policyKey: string,
  retry: positive,
  delayMs: within("0 to 2147483647", 0, 2_147_483_647),
  failure,
}

const compactionKeys = { compactionId: nonempty }
const compactionOptions = { sourceCommandId: nonempty }
const range: Shape = exactly({ start: count, end: count })
const shadow = { shadowedRange: range, shadowedTokenCount: count }

const subCall = {
  rootCallId: nonempty,
  parentCallId: nonempty,
  subCallId: nonempty,
  name: nonempty,
}
const route: Shape = exactly({ provider: nonempty, model: nonempty })

/**
 * A chunk of a stream as format 1 has it.
 *
 * shape   exact keys; of a finish reason only the kind is looked at
 */
export const chunkShape: Shape = tagged(
  "type",
  {
    "block-start": exactly({ type: string, index: count, blockType: nonempty }),
    "text-delta": exactly({ type: string, index: count, text: string }),
    "reasoning-delta": exactly({ type: string, index: count, text: string }),
    "tool-call-delta": exactly(
      { type: string, index: count, id: string, argumentsDelta: string },
      { name: string },
    ),
    "block-end": exactly({ type: string, index: count, block: frozenMessages(1).block }),
    usage: exactly({ type: string, usage }),
    finish: exactly({ type: string, reason: object({ kind: nonempty }) }, { replayState: any }),
  },
  never,
)

const payloadsOf = (version: 0 | 1 | 2): PayloadShapes => {
  const messages = frozenMessages(version)
  const stream = { stream: arrayOf(record) }
  return {
    ...pluginPayloads(messages),
    "turn/start": turn,
    "turn/end": exactly({ turn: safeInt, reason: endReason }),
    "step/start": step,
    "step/end": step,
    "user/message": messages.user,
    "assistant/message": exactly(
      { ...place, message: messages.assistant, ...(version < 2 ? {} : stream) },
      { usage, interrupted: oneOf(true) },
    ),
    ...(version < 2 ? {} : { "assistant/attempt": exactly({ ...place, ...stream }) }),
    "tool/call": exactly({
      turn: safeInt,
      step: safeInt,
      callId: nonempty,
      name: nonempty,
      arguments: string,
    }),
    "tool/result": exactly(
      { turn: safeInt, step: safeInt, message: messages.toolResult },
      { error: exactly({ name: string, code: string }), meta: any },
    ),
    "request/header": exactly(
      { header: epochHeader, reason: oneOf("initial", "resume", "change", "series") },
      { startsSeries: oneOf(true) },
    ),
    "request/context": exactly({ provider: string, model: string }, { contextWindow: positive }),
    "session/end-seed": version < 2 ? exactly({}) : exactly({}, { inherited: oneOf(true) }),
    "agent/inbox/spliced": exactly(
      {
        target: oneOf("next-turn", "next-step"),
        start: count,
        inserted: arrayOf(messages.user),
      },
      { removedCount: count, outcome: oneOf("canceled") },
    ),
    "compaction/start": exactly({ ...compactionKeys, turn: turnOrNull }, compactionOptions),
    "compaction/summary": exactly(
      {
        ...compactionKeys,
        ...shadow,
        summary: messages.blocks,
        shadowedSeqs: arrayOf(count, 1),
        provider: nonempty,
        model: nonempty,
      },
      {
        ...compactionOptions,
        maxTokens: count,
        usage,
        rawOutput: messages.blocks,
        llmStreamCall: oneOf(true),
      },
    ),
    "compaction/end": exactly(
      { ...compactionKeys, turn: turnOrNull },
      { ...compactionOptions, error: string },
    ),
    "compaction/prune": exactly({ ...shadow, shadowedSeqs: arrayOf(count) }),
    "llm/retry": tagged(
      "mode",
      { normal: exactly({ ...retry, maxRetries: positive }), always: exactly(retry) },
      never,
    ),
    "llm/retry-started": exactly({ retryId: nonempty, turn: count, step: count, retry: positive }),
    "session/title": exactly({
      title: nonempty,
      messageSeqs: arrayOf(count),
      source: tagged(
        "kind",
        {
          fallback: kindAlone,
          user: kindAlone,
          provider: exactly({ kind: string, provider: string }, { model: route }),
        },
        never,
      ),
    }),
    "session/title-llm-request": exactly({
      titleProvider: nonempty,
      messageSeqs: arrayOf(count, 1),
      route,
      system: string,
      messages: arrayOf(messages.any),
      maxTokens: positive,
    }),
    "tool/code-dispatch-start": exactly({ ...subCall, arguments: any }),
    "tool/code-dispatch": exactly({
      ...subCall,
      arguments: any,
      isError: boolean,
      content: messages.blocks,
    }),
  }
}

/** Exact payloads by event type, as formats 0 to 2 were frozen. */
export const frozenPayloads: readonly [PayloadShapes, PayloadShapes, PayloadShapes] = [
  payloadsOf(0),
  payloadsOf(1),
  payloadsOf(2),
]
