import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import { isSafeInt } from "../data/count.ts"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import { objectField, textField } from "../format/lifecycle/fields.ts"
import type { SessionEvent } from "../log/envelope.ts"
import type { UsageFault, UsageFigures } from "./attempt-usage.ts"
import { addFigures, usageFigures } from "./attempt-usage.ts"
import type { PricedRoute } from "./price-table.ts"
import { usageReport } from "./usage.ts"

/** What one attempt reported. */
export interface AttemptUsage extends UsageFigures {
  readonly step: number
  /** 1 for the first of a step. */
  readonly attempt: number
  /** Null where the attempt names no model: only a message does. */
  readonly route: PricedRoute | null
}

/** What the attempts of one turn reported, and their sum. */
export interface TurnUsage {
  readonly turn: number
  readonly attempts: readonly AttemptUsage[]
  readonly totals: UsageFigures
  /** The models in the order in which they were first asked; null where an attempt names none. */
  readonly routes: readonly PricedRoute[] | null
}

/** Why the usage of a turn is not known. */
export type TurnUsageRefusal =
  /** An event out of place; seq null where the turn does not end. */
  | { readonly code: "turn-incomplete"; readonly seq: number | null }
  | { readonly code: "usage-missing"; readonly step: number; readonly attempt: number }
  | { readonly code: UsageFault; readonly step: number; readonly attempt: number }
  | { readonly code: "usage-overflow" }

interface OpenAttempt {
  readonly step: number
  readonly attempt: number
  report: JsonObject | null
  isFinal: boolean
  route: PricedRoute | null
}

const answers: ReadonlySet<string> = new Set([
  "assistant/chunk",
  "assistant/attempt",
  "assistant/message",
])

const routeOf = (data: JsonObject): PricedRoute | null => {
  const message = objectField(data, "message")
  const source = message === null ? null : objectField(message, "source")
  const provider = source === null ? null : textField(source, "provider")
  const model = source === null ? null : textField(source, "model")
  return provider === null || model === null ? null : { provider, model }
}

const retryKey = (data: JsonObject): string =>
  JSON.stringify([ownValue(data, "retryId") ?? null, ownValue(data, "retry") ?? null])

const intAt = (data: JsonObject, key: string): number | null => {
  const value = ownValue(data, key)
  return isSafeInt(value) ? value : null
}

/** Follows one turn, event by event. A draft of `turnUsage`. */
class TurnReader {
  readonly attempts: OpenAttempt[] = []
  turn: number | null = null
  isEnded = false
  private step: number | null = null
  private lastStep: number | null = null
  private open: OpenAttempt | null = null
  private readonly scheduled: Set<string> = new Set()

  /** False for an event that is out of place. */
  take(type: string, data: JsonObject): boolean {
    if (type === "turn/start") return this.start(data)
    const isHere = this.turn !== null && !this.isEnded && intAt(data, "turn") === this.turn
    const step = intAt(data, "step")
    if (answers.has(type)) return isHere && this.answer(type, step, data)
    switch (type) {
      case "turn/end":
        if (!isHere || this.step !== null) return false
        this.isEnded = true
        return true
      case "step/start":
        if (!isHere || this.step !== null || step === null) return false
        this.step = step
        this.begin(step, 1)
        return true
      case "step/end":
        if (!isHere || step === null || step !== this.step) return false
        this.lastStep = step
        this.step = null
        this.open = null
        return true
      case "llm/retry":
        if (!isHere || step !== (this.step ?? this.lastStep)) return false
        this.scheduled.add(retryKey(data))
        return true
      case "llm/retry-started":
        if (!isHere || this.open === null || step !== this.step) return false
        if (!this.scheduled.delete(retryKey(data))) return false
        this.begin(this.open.step, this.open.attempt + 1)
        return true
      default:
        return true
    }
  }

  private start(data: JsonObject): boolean {
    if (this.turn !== null) return false
    this.turn = intAt(data, "turn")
    return this.turn !== null
  }

  private begin(step: number, attempt: number): void {
    this.open = { step, attempt, report: null, isFinal: false, route: null }
    this.attempts.push(this.open)
  }

  private answer(type: string, step: number | null, data: JsonObject): boolean {
    const { open } = this
    if (open === null || step !== this.step) return false
    const isFinal = type === "assistant/message"
    const report = usageReport(data)
    // what a stream said before counts where the message says nothing
    if (report !== null && (isFinal || !open.isFinal)) open.report = report
    open.isFinal ||= isFinal
    open.route ??= routeOf(data)
    return true
  }
}

const attemptUsage = ({
  step,
  attempt,
  report,
  route,
}: OpenAttempt): Either<TurnUsageRefusal, AttemptUsage> => {
  if (report === null) return left({ code: "usage-missing", step, attempt })
  const figures = usageFigures(report)
  return isLeft(figures)
    ? left({ code: figures.left, step, attempt })
    : right({ step, attempt, route, ...figures.right })
}

const routesOf = (attempts: readonly AttemptUsage[]): readonly PricedRoute[] | null => {
  const routes = new Map<string, PricedRoute>()
  for (const { route } of attempts) {
    if (route === null) return null
    const key = JSON.stringify([route.provider, route.model])
    if (!routes.has(key)) routes.set(key, route)
  }
  return [...routes.values()]
}

const noFigures: UsageFigures = {
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
}

const dataOf = (data: JsonValue): JsonObject => (isJsonObject(data) ? data : {})

/**
 * The usage of one complete turn, attempt by attempt.
 *
 * @param events  those of the turn, from its start to its end; others among them say nothing
 * errors  a refusal where anything is missing or contradicts itself: a sum that may lack something
 *         is none
 * source  turn usage of the agent's browser client
 */
export const turnUsage = (events: readonly SessionEvent[]): Either<TurnUsageRefusal, TurnUsage> => {
  const reader = new TurnReader()
  for (const { type, seq, data } of events)
    if (!reader.take(type, dataOf(data))) return left({ code: "turn-incomplete", seq })
  const { turn, isEnded } = reader
  if (turn === null || !isEnded) return left({ code: "turn-incomplete", seq: null })
  const attempts: AttemptUsage[] = []
  let totals: UsageFigures | null = noFigures
  for (const each of reader.attempts) {
    const usage = attemptUsage(each)
    if (isLeft(usage)) return usage
    attempts.push(usage.right)
    totals = addFigures(totals, usage.right)
    if (totals === null) return left({ code: "usage-overflow" })
  }
  return right({ turn, attempts, totals, routes: routesOf(attempts) })
}
