import { isJsonObject } from "../data/json.ts"
import {
  answeredId,
  developerBlocks,
  flatBlocks,
  flatSystemBlocks,
  nestedBlocks,
  oneToolResult,
  systemBlocks,
} from "./block-shapes.ts"
import type { ObjectShape, Shape } from "./shape.ts"
import {
  any,
  arrayOf,
  boolean,
  count,
  extend,
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
} from "./shape.ts"

/**
 * Payload shapes by event type, as far as native reading of a format checks them: what the fold
 * and the fixed token price rest on. Types that are not named must hold an object.
 */
export type PayloadShapes = Readonly<Record<string, Shape>>

const turn: ObjectShape = object({ turn: safeInt })
const step: ObjectShape = object({ turn: safeInt, step: safeInt })

// Format 0 was written before messages had ids; what is there must fit, and the content must.
const looseMessage = (content: Shape, role: string): ObjectShape =>
  object({ content }, { id: nonempty, role: oneOf(role), source: record })

const message = (content: Shape, role: string, source: Shape): ObjectShape =>
  object({ id: nonempty, role: oneOf(role), content, source })

const anySource: Shape = object({ kind: nonempty })
const modelSource: Shape = object({ kind: oneOf("model"), provider: nonempty, model: nonempty })
const toolSource: Shape = object({ kind: oneOf("tool"), callId: answeredId })
const pluginSource: Shape = object({ kind: oneOf("plugin"), plugin: nonempty })
// the shared kind `plugin` is retired at format 4: each producer has its own
const producerSource: Shape = tagged("kind", { plugin: never })

export const shapesV0: PayloadShapes = {
  "turn/start": turn,
  "turn/end": turn,
  "step/start": step,
  "step/end": step,
  "user/message": looseMessage(nestedBlocks, "user"),
  "assistant/message": object({ message: looseMessage(nestedBlocks, "assistant") }),
  "tool/result": object({ message: looseMessage(oneToolResult, "user") }),
  "request/header": object({
    // some hosts of format 0 logged the names of their tools instead of the definitions
    header: object({}, { system: string, tools: arrayOf(any), config: record }),
  }),
  "session/end-seed": object({}, { inherited: oneOf(true) }),
}

export const shapesV1: PayloadShapes = {
  ...shapesV0,
  "user/message": message(nestedBlocks, "user", anySource),
  "assistant/message": object({ message: message(nestedBlocks, "assistant", modelSource) }),
  "tool/result": object({ message: message(oneToolResult, "user", toolSource) }),
  "request/header": object({
    header: object({}, { system: string, tools: arrayOf(record), config: record }),
  }),
}

const attempt: ObjectShape = object({ turn: count, step: count, stream: arrayOf(any) })

export const shapesV2: PayloadShapes = {
  ...shapesV1,
  "assistant/message": extend(attempt, {
    message: message(nestedBlocks, "assistant", modelSource),
  }),
  "assistant/attempt": attempt,
}

const config: Shape = object({ provider: nonempty, model: nonempty }, { reasoningEffort: nonempty })
// an empty object is never written, and no third default is known
const adapterDefaults: Shape = leaf(
  "object of reasoningEffort or maxTokens, each true",
  (value) =>
    isJsonObject(value) &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every(
      ([key, flag]) => (key === "reasoningEffort" || key === "maxTokens") && flag === true,
    ),
)

const requestHeader = (tool: Shape): Shape =>
  object(
    { header: object({ config }, { system: never, tools: arrayOf(tool, 1), adapterDefaults }) },
    { reason: oneOf("initial", "resume", "change", "series"), startsSeries: oneOf(true) },
  )

export const shapesV3: PayloadShapes = {
  ...shapesV2,
  "system/message": object({
    turn: positive,
    step: positive,
    message: message(systemBlocks, "system", pluginSource),
  }),
  "request/header": requestHeader(record),
}

export const shapesV4: PayloadShapes = {
  ...shapesV3,
  "system/message": object({
    turn: positive,
    step: positive,
    message: message(flatSystemBlocks, "system", object({ kind: oneOf("system-prompt") })),
  }),
  "developer/message": object(
    {
      turn: positive,
      step: positive,
      message: message(developerBlocks, "developer", producerSource),
    },
    { headerSeq: count },
  ),
  "user/message": message(flatBlocks, "user", producerSource),
  "assistant/message": extend(attempt, { message: message(flatBlocks, "assistant", modelSource) }),
  "tool/result": object({
    message: extend(
      message(flatBlocks, "tool", toolSource),
      { toolCallId: answeredId },
      { isError: boolean },
    ),
  }),
  "request/header": requestHeader(object({}, { deferLoading: oneOf(true) })),
}
