import type { JsonObject } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import { objectField, textField } from "../format/lifecycle/fields.ts"
import type { SessionEvent } from "../log/envelope.ts"
import type { AttemptUsage } from "./attempt-usage.ts"
import { exactUsage, sumOfAttempts } from "./attempt-usage.ts"
import { reportIn } from "./usage.ts"

/** Where a call went. */
export interface AttemptRoute {
  readonly provider: string
  readonly model: string
}

/** What one turn used, call by call, failed ones too. */
export interface TurnUsage {
  readonly turn: number
  readonly attempts: readonly AttemptUsage[]
  /** The sums; null for what one of the calls did not report. */
  readonly totals: AttemptUsage
  /** The route of each call; null where one does not say. */
  readonly routes: readonly AttemptRoute[] | null
}

interface Attempt {
  report: JsonObject | null
  route: AttemptRoute | null
  isAnswered: boolean
}

const routeIn = (data: JsonObject): AttemptRoute | null => {
  const source = objectField(objectField(data, "message") ?? {}, "source") ?? {}
  const provider = textField(source, "provider")
  const model = textField(source, "model")
  return provider === null || model === null ? null : { provider, model }
}

/** Goes through the events of one turn; false where they do not fit together. */
class TurnWalk {
  readonly attempts: Attempt[] = []
  private readonly turn: unknown
  private step: unknown = null
  private isOpen = false
  /** The retry that was scheduled and has not started. */
  private scheduled: JsonObject | null = null

  constructor(turn: unknown) {
    this.turn = turn
  }

  get isAtRest(): boolean {
    return !this.isOpen
  }

  take(type: string, data: JsonObject): boolean {
    switch (type) {
      case "turn/start":
      case "turn/end":
        return false
      case "step/start":
        return this.start(data)
      case "step/end": {
        const wasHere = this.isHere(data)
        this.isOpen = false
        return wasHere
      }
      case "llm/retry":
        // also behind the end of its step, where it never starts
        this.scheduled = data
        return this.isOfStep(data)
      case "llm/retry-started":
        return this.retry(data)
      case "assistant/chunk":
      case "assistant/attempt":
      case "assistant/message":
        return this.report(type, data)
      default:
        return true
    }
  }

  private isOfStep(data: JsonObject): boolean {
    return ownValue(data, "turn") === this.turn && ownValue(data, "step") === this.step
  }

  private isHere(data: JsonObject): boolean {
    return this.isOpen && this.isOfStep(data)
  }

  private begin(): void {
    this.scheduled = null
    this.attempts.push({ report: null, route: null, isAnswered: false })
  }

  private start(data: JsonObject): boolean {
    if (this.isOpen || ownValue(data, "turn") !== this.turn) return false
    this.isOpen = true
    this.step = ownValue(data, "step")
    this.begin()
    return true
  }

  private retry(data: JsonObject): boolean {
    const { scheduled } = this
    if (scheduled === null || !this.isHere(data)) return false
    for (const key of ["retryId", "retry"])
      if (ownValue(scheduled, key) !== ownValue(data, key)) return false
    if (this.attempts.at(-1)?.isAnswered === true) return false
    this.begin()
    return true
  }

  private report(type: string, data: JsonObject): boolean {
    const attempt = this.attempts.at(-1)
    if (attempt === undefined || attempt.isAnswered || !this.isHere(data)) return false
    attempt.report = reportIn(data) ?? attempt.report
    if (type !== "assistant/message") return true
    attempt.isAnswered = true
    attempt.route = routeIn(data)
    return true
  }
}

/**
 * What one complete turn used, exactly; null where the events do not prove it: steps and retries that
 * do not fit together, a call without a report, or a report that contradicts itself.
 *
 * shape   the events of the turn, from its start to its end. A retry that was scheduled and never
 *         started is no call; the report of a message comes before that of its stream
 * source  turn usage of the agent
 */
export const turnUsage = (events: readonly SessionEvent[]): TurnUsage | null => {
  const first = events[0]
  const last = events.at(-1)
  if (first?.type !== "turn/start" || last?.type !== "turn/end") return null
  if (!isJsonObject(first.data) || !isJsonObject(last.data)) return null
  const turn = ownValue(first.data, "turn")
  if (typeof turn !== "number" || ownValue(last.data, "turn") !== turn) return null
  const walk = new TurnWalk(turn)
  for (const { type, data } of events.slice(1, -1))
    if (isJsonObject(data) && !walk.take(type, data)) return null
  if (!walk.isAtRest) return null
  const attempts: AttemptUsage[] = []
  for (const { report } of walk.attempts) {
    const usage = report === null ? null : exactUsage(report)
    if (usage === null) return null
    attempts.push(usage)
  }
  const totals = sumOfAttempts(attempts)
  const routes = walk.attempts.flatMap(({ route }) => (route === null ? [] : [route]))
  return totals === null
    ? null
    : { turn, attempts, totals, routes: routes.length < attempts.length ? null : routes }
}
