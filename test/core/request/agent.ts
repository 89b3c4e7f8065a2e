import type { JsonObject } from "#core/data/json"
import type { Refusal } from "#core/data/refusal"
import type { SessionEvent } from "#core/log/envelope"
import type { Message } from "#core/messages/event-message"
import { messagesOf } from "#core/messages/derived-history"
import { soleText } from "#core/prompt/system-prompt"
import type { ToolSchema } from "#core/prompt/tool-schema"
import type { Admission, AgentMemory, PreparedStep } from "#core/request/admission"
import { admitAttempt, memoryOf } from "#core/request/admission"
import type { ModelRequest } from "#core/request/model-request"
import type { EventDraft, RequestLog } from "#core/request/request-log"
import {
  appendDraft,
  emptyRequestLog,
  eventIn,
  takeEvent,
  withHistory,
} from "#core/request/request-log"
import type { Route } from "#core/request/route"
import { builtInProjections } from "#core/surface/image-offload"
import { nodesOf } from "#core/surface/state"
import { assistantData, userData } from "../../../properties/arbitraries/dialect.ts"
import { formatOf } from "../../../properties/carriers.ts"
import { leftOf, rightOf } from "../surface/events.ts"

export const plain: Route = {
  config: { provider: "p", model: "m" },
  adapterDefaults: {},
  contextWindow: null,
  systemPromptUpdate: null,
  toolUpdate: null,
}
/** A route that takes prompts in its history, but no tools. */
export const capable: Route = { ...plain, systemPromptUpdate: "in-history" }
export const fullyCapable: Route = { ...capable, toolUpdate: "in-history" }
export const additionOnly: Route = { ...capable, toolUpdate: "addition-only" }

export const schema = (name: string, description = `does ${name}`): ToolSchema => ({
  name,
  description,
  parameters: { type: "object" },
})

export const userMessage = (text: string): Message =>
  userData(`u-${text}`, [{ type: "text", text }])

const textIn = (object: JsonObject, key: string): string => {
  const value = object[key]
  return typeof value === "string" ? value : "?"
}

/** What a request says: `system: text`, `user: text`, … */
export const told = (request: ModelRequest): readonly string[] =>
  request.messages.map((message) => `${textIn(message, "role")}: ${soleText(message) ?? "?"}`)

/** The system messages of a request, as `told` says them. */
export const systems = (admission: Admission): readonly string[] =>
  told(admission.request).filter((text) => text.startsWith("system"))

/** Whether a request begins with the very messages of an earlier one. */
export const isPrefix = (before: Admission, after: Admission): boolean =>
  before.request.messages.every((message, i) => after.request.messages[i] === message)

const emptyLog = (): RequestLog => emptyRequestLog(formatOf(4), builtInProjections)

/** A log read again, as from a file: no object of it is shared, and none is frozen. */
export const restored = (log: RequestLog): RequestLog => {
  let read = emptyLog()
  const events = log.events.slice(0, log.surface.nextSeq)
  for (const event of JSON.parse(JSON.stringify(events)) as SessionEvent[])
    read = rightOf(takeEvent(read, event))
  return read
}

/** Drives one agent through its steps. */
export class Agent {
  log: RequestLog
  memory: AgentMemory
  turn = 0
  attempt = 0
  step: PreparedStep | null = null
  private ids = 0

  constructor(log: RequestLog = emptyLog()) {
    this.log = log
    this.memory = memoryOf(log)
  }

  append(draft: EventDraft): number {
    this.log = rightOf(appendDraft(this.log, draft, 1_000))
    return this.log.surface.nextSeq - 1
  }

  /** Opens a step; what is not said is as little as possible. */
  open(step: Partial<PreparedStep> = {}): void {
    this.turn++
    this.attempt = 0
    const place = { turn: this.turn, step: 1 }
    this.append({ type: "step/start", data: place })
    const rest = { prompt: "A", tools: [], accepted: [], declaresSeries: false }
    this.step = { ...rest, ...place, ...step }
  }

  private input(route: Route): Parameters<typeof admitAttempt>[0] {
    if (this.step === null) throw new RangeError("no step is open")
    return {
      log: this.log,
      memory: this.memory,
      step: this.step,
      attempt: this.attempt + 1,
      route,
      sessionId: "session-1",
      signal: null,
      newId: () => `id-${this.turn}-${++this.ids}`,
      timeMs: 2_000,
    }
  }

  /** What an attempt would come to; nothing is committed. */
  admission(route: Route): Admission {
    return rightOf(admitAttempt(this.input(route)))
  }

  refusal(route: Route): Refusal {
    return leftOf(admitAttempt(this.input(route)))
  }

  /** Admits one attempt and commits it. */
  send(route: Route): Admission {
    const admission = this.admission(route)
    this.attempt++
    for (const event of admission.events) this.log = rightOf(takeEvent(this.log, event))
    this.memory = admission.memory
    return admission
  }

  /** The answer to the latest attempt, and the end of its step. */
  answer(words = "yes"): void {
    const place = { turn: this.turn, step: 1 }
    const content = [{ type: "text", text: words }]
    this.append({
      type: "assistant/message",
      data: assistantData(4, place, `a-${this.turn}`, content),
      surfaceOp: "append",
    })
    this.append({ type: "step/end", data: place })
  }

  /** A whole step: one attempt, and its answer. */
  run(route: Route, step: Partial<PreparedStep> = {}): Admission {
    this.open(step)
    const admission = this.send(route)
    this.answer()
    return admission
  }

  /** One message in the place of all nodes from one position of the surface to another. */
  compact(from: number, to: number, text = "summary"): void {
    const shadowed = nodesOf(this.log.surface).slice(from, to + 1)
    this.append({
      type: "user/message",
      data: userMessage(text),
      surfaceOp: { op: "replace", startSeq: shadowed[0] ?? -1, endSeq: shadowed.at(-1) ?? -1 },
      sourceEventSeqs: shadowed,
    })
  }

  /** The messages that the log derives now. */
  messages(): readonly Message[] {
    return messagesOf(withHistory(this.log).history)
  }

  events(type: string): readonly JsonObject[] {
    const events = Array.from({ length: this.log.surface.nextSeq }, (_, seq) =>
      eventIn(this.log, seq),
    )
    return events.filter((event) => event.type === type)
  }
}

/** Headers of a log, as `initial`, `change+` where the flag is set, … */
export const headerReasons = (agent: Agent): readonly string[] =>
  agent.events("request/header").map(({ data }) => {
    const record = data as JsonObject
    return textIn(record, "reason") + (record["startsSeries"] === true ? "+" : "")
  })

/** Types of events, shortened to what they are about. */
export const typesOf = (events: readonly SessionEvent[]): readonly string[] =>
  events.map(({ type, surfaceOp }) =>
    typeof surfaceOp === "object" && surfaceOp !== null ? `${type} replace` : type,
  )
