import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import type { Refusal } from "../data/refusal.ts"
import type { SessionEvent } from "../log/envelope.ts"
import type { Message } from "../messages/event-message.ts"
import {
  reconcileSystemPrompt,
  systemNodesOf,
  systemPromptMessage,
} from "../prompt/system-prompt.ts"
import type { ToolSchema } from "../prompt/tool-schema.ts"
import { canonicalHeader, headerTools, isSameTools } from "./header.ts"
import type { ModelRequest } from "./model-request.ts"
import { frozenRequest } from "./model-request.ts"
import { contextRecord, headerRecord, toolChangesMessage } from "./records.ts"
import type { EventDraft, RequestLog } from "./request-log.ts"
import { appendDraft, payloadIn, withHistory } from "./request-log.ts"
import type { Route } from "./route.ts"
import { toolChanges } from "./tool-history.ts"

/** What an agent remembers from one request to the next, and its log does not tell. */
export interface AgentMemory {
  readonly hasLoggedHeader: boolean
  /** `contentGeneration` of the surface when the latest request was made, or the agent began. */
  readonly contentGeneration: number
  /** Messages that this agent froze: each identity is gone through once. */
  readonly frozen: WeakSet<object>
}

/** The memory of an agent that begins with a log, new or resumed. */
export const memoryOf = (log: RequestLog): AgentMemory => ({
  hasLoggedHeader: false,
  contentGeneration: log.surface.contentGeneration,
  frozen: new WeakSet(),
})

/** What a step holds before its first attempt, and keeps for all of them. */
export interface PreparedStep {
  readonly turn: number
  readonly step: number
  /** The system prompt, rendered once. */
  readonly prompt: string
  readonly tools: readonly ToolSchema[]
  /** User messages of the accepted decision, the runtime context last. */
  readonly accepted: readonly Message[]
  /** Whether the decision said that a new series starts. */
  readonly declaresSeries: boolean
}

export interface AttemptInput {
  readonly log: RequestLog
  readonly memory: AgentMemory
  readonly step: PreparedStep
  /** 1 for the first attempt, which alone admits users and counts what the decision declared. */
  readonly attempt: number
  /** The route of this very attempt. */
  readonly route: Route
  readonly sessionId: string
  /** What the request is cancelled by; it stays live. Null without one. */
  readonly signal: object | null
  /** A new message identity each time. */
  readonly newId: () => string
  readonly timeMs: number
}

/** One attempt, admitted. */
export interface Admission {
  /** What is to be appended, in order: prompts, users, header, tool changes, context. */
  readonly events: readonly SessionEvent[]
  /** The log with these events. */
  readonly log: RequestLog
  readonly memory: AgentMemory
  readonly request: ModelRequest
}

/**
 * Whether the prompt is to be reconciled as for a new series. A change of provider or model, or a
 * resumed log, is none.
 */
export const startsPromptSeries = (input: AttemptInput): boolean => {
  const { log, memory, step, attempt, route } = input
  return (
    (attempt === 1 && step.declaresSeries) ||
    log.surface.contentGeneration !== memory.contentGeneration ||
    (route.toolUpdate === null &&
      log.header !== null &&
      !isSameTools(headerTools(log.header), step.tools))
  )
}

const promptDrafts = (input: AttemptInput): readonly EventDraft[] => {
  const { log, step, route, newId } = input
  const nodes = systemNodesOf(log.surface, payloadIn(log))
  const commits = reconcileSystemPrompt(nodes, step.prompt, {
    isInHistory: route.systemPromptUpdate === "in-history",
    startsSeries: startsPromptSeries(input),
  })
  return commits.map(({ text, replaces }) => {
    const message = systemPromptMessage(newId(), text)
    const draft = { type: "system/message", data: { turn: step.turn, step: step.step, message } }
    return replaces === null
      ? { ...draft, surfaceOp: "append" }
      : {
          ...draft,
          surfaceOp: { op: "replace", startSeq: replaces, endSeq: replaces },
          sourceEventSeqs: [replaces],
        }
  })
}

const appendAll = (
  log: RequestLog,
  drafts: readonly EventDraft[],
  timeMs: number,
): Either<Refusal, RequestLog> => {
  let grown = log
  for (const draft of drafts) {
    const next = appendDraft(grown, draft, timeMs)
    if (isLeft(next)) return next
    grown = next.right
  }
  return right(grown)
}

const toolDrafts = (
  { log, step, newId }: AttemptInput,
  headerSeq: number,
): readonly EventDraft[] => {
  if (log.header === null) return []
  const changes = toolChanges(headerTools(log.header), step.tools)
  if (changes.additions.length + changes.removals.length === 0) return []
  const message = toolChangesMessage(newId(), changes)
  const data = {
    turn: step.turn,
    step: step.step,
    message,
    ...(changes.additions.length > 0 ? { headerSeq } : {}),
  }
  return [{ type: "developer/message", data, surfaceOp: "append" }]
}

/**
 * Admits one attempt: decides what the log must say before the request goes out, and makes it.
 *
 * shape   a value: nothing is committed before its events are appended, so that an attempt that is
 *         cancelled, or refused, leaves no trace but frozen messages. The request is what the log
 *         with these events derives
 * errors  what the log would refuse of any of the events
 * cost    the surface and the tools; messages that were frozen before are not gone through again
 * law     PM70–PM73 in properties/admission.prop.ts
 * source  dsh 0.1.7; rules of the note on prompts in history
 */
export const admitAttempt = (input: AttemptInput): Either<Refusal, Admission> => {
  const { log, memory, step, attempt, route, timeMs } = input
  const users =
    attempt === 1
      ? step.accepted.map((data) => ({ type: "user/message", data, surfaceOp: "append" }))
      : []
  const admitted = appendAll(log, [...promptDrafts(input), ...users], timeMs)
  if (isLeft(admitted)) return admitted
  const { contentGeneration } = admitted.right.surface
  const startsSeries =
    (attempt === 1 && step.declaresSeries) || memory.contentGeneration !== contentGeneration
  const header = canonicalHeader(route.config, route.adapterDefaults, step.tools)
  const record = headerRecord(header, log.header, memory.hasLoggedHeader, startsSeries)
  const context = contextRecord(route, log.context)
  const headerSeq = admitted.right.surface.nextSeq
  const tellsTools = record?.reason === "resume" || record?.reason === "change"
  const grown = appendAll(
    admitted.right,
    [
      ...(record === null ? [] : [{ type: "request/header", data: record }]),
      ...(tellsTools ? toolDrafts(input, headerSeq) : []),
      ...(context === null ? [] : [{ type: "request/context", data: context }]),
    ],
    timeMs,
  )
  if (isLeft(grown)) return grown
  const derived = withHistory(grown.right)
  return right({
    events: derived.events.slice(log.surface.nextSeq, derived.surface.nextSeq),
    log: derived,
    memory: {
      hasLoggedHeader: memory.hasLoggedHeader || record !== null,
      contentGeneration,
      frozen: memory.frozen,
    },
    request: frozenRequest(derived, header, input.sessionId, input.signal, memory.frozen),
  })
}
