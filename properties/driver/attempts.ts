import { isLeft } from "fp-ts/lib/Either.js"
import type { JsonArray, JsonObject } from "#core/data/json"
import type { PreparedStep } from "#core/request/admission"
import { admitAttempt } from "#core/request/admission"
import type { Route } from "#core/request/route"
import type { AttemptEnd } from "#core/request/settlement"
import { settleAttempt } from "#core/request/settlement"
import type { TurnEnding } from "#core/request/turn-end"
import { withLog } from "#core/session/session"
import { rightOf } from "../../test/core/surface/events.ts"
import type { SimulatedAgent } from "./agent.ts"
import { compact } from "./compacting.ts"
import { received } from "./mock-adapter.ts"
import type { Place } from "./payloads.ts"
import { answered, broken, failed, resultDraft, said } from "./payloads.ts"
import type { CancelPoint, Recovery, StepScript } from "./script.ts"
import { brokenBy, cancelled } from "./endings.ts"

const placeOf = ({ turn, step }: PreparedStep): Place => ({ turn, step })

const callsOf = (agent: SimulatedAgent, count: number): readonly JsonObject[] =>
  Array.from({ length: count }, (_, i) => ({
    type: "tool-call",
    id: agent.world.newId("call"),
    name: i % 2 === 0 ? "ls" : "grep",
    arguments: "{}",
  }))

/** The calls of an answer, one after another; a cancelled one has an error for a result. */
const runCalls = (
  agent: SimulatedAgent,
  place: Place,
  calls: readonly JsonObject[],
  isCancelled: boolean,
): void => {
  for (const { id: callId, name, arguments: text } of calls) {
    const data = { ...place, callId, name, arguments: text }
    const startedSeq = agent.append({ type: "tool/call", data })
    const id = agent.world.newId("result")
    agent.append(resultDraft(place, id, callId as string, startedSeq, isCancelled))
  }
}

const settle = (
  agent: SimulatedAgent,
  step: PreparedStep,
  route: Route,
  end: AttemptEnd,
  stream: JsonArray,
): void => {
  agent.settle()
  const messageId = agent.world.newId("assistant")
  agent.append(rightOf(settleAttempt({ ...placeOf(step), route, messageId, stream }, end)))
}

const answer = (
  agent: SimulatedAgent,
  step: PreparedStep,
  route: Route,
  script: StepScript,
): TurnEnding | null => {
  const calls = callsOf(agent, script.calls)
  settle(agent, step, route, "answered", answered(agent.world.nowMs(), agent.length, calls))
  const isCancelled = script.cancels === "calling"
  runCalls(agent, placeOf(step), calls, isCancelled)
  return isCancelled ? cancelled : null
}

/** What a cancelled answer leaves behind. */
const cut = (
  agent: SimulatedAgent,
  step: PreparedStep,
  route: Route,
  cancels: CancelPoint,
): TurnEnding => {
  const text = cancels === "speaking" ? "I was about to" : " "
  if (cancels !== "unstarted")
    settle(agent, step, route, "cancelled", broken(agent.world.nowMs(), text))
  return cancelled
}

const retryOf = (agent: SimulatedAgent, place: Place, provider: string): void => {
  const { events } = agent.session.log
  // a chain goes on in the same step with the same provider
  const chain = events.slice(0, agent.length).findLast(({ type, data }) => {
    const retry = data as JsonObject
    return (
      type === "llm/retry" &&
      retry["turn"] === place.turn &&
      retry["step"] === place.step &&
      retry["provider"] === provider
    )
  })?.data as JsonObject | undefined
  const retryId = chain?.["retryId"] ?? agent.world.newId("retry")
  const retry = chain === undefined ? 1 : 1 + (chain["retry"] as number)
  const failure = { message: "it broke", code: "BROKEN" }
  const again = { retryId, ...place, retry }
  agent.append({
    type: "llm/retry",
    data: {
      ...again,
      provider,
      mode: "normal",
      policyKey: "k",
      maxRetries: 9,
      delayMs: 0,
      failure,
    },
  })
  agent.append({ type: "llm/retry-started", data: again })
}

const recover = (agent: SimulatedAgent, place: Place, route: Route, recovery: Recovery): void => {
  if (recovery === "policy") retryOf(agent, place, route.config.provider)
  if (recovery === "compaction") compact(agent, place.turn, 10)
}

/** Admits an attempt, commits what it logs, and hands its request to the adapter. */
const send = (
  agent: SimulatedAgent,
  step: PreparedStep,
  attempt: number,
  route: Route,
  isDispatched: boolean,
): void => {
  const { session, memory, world } = agent
  const admission = rightOf(
    admitAttempt({
      log: session.log,
      memory,
      step,
      attempt,
      route,
      sessionId: session.header.id,
      signal: null,
      newId: () => world.newId("prompt"),
      timeMs: world.nowMs(),
    }),
  )
  agent.commit(withLog(session, admission.log))
  agent.memory = admission.memory
  if (!isDispatched) return
  const at = { ...placeOf(step), attempt, logLength: agent.length }
  agent.sent.push(received(admission.request, route, at))
}

const beforeAnswer: ReadonlySet<CancelPoint> = new Set(["unstarted", "speaking", "silent"])

/**
 * The attempts of a step that is open: each has its own route and is admitted by itself, and its
 * request is the adapter's.
 */
export const attemptStep = (
  agent: SimulatedAgent,
  step: PreparedStep,
  script: StepScript,
): TurnEnding | null => {
  const { cancels, failures, isLost } = script
  const place = placeOf(step)
  for (let attempt = 1; ; attempt++) {
    const failure = failures[attempt - 1]
    // input that comes now waits for the next step
    if (script.injects && attempt === 1)
      agent.receive("next-step", said(agent.world.newId("user"), agent.length))
    const isLast = failure === undefined
    if (isLast && cancels === "preparing") return cancelled
    const bound = agent.route()
    // nobody says more of it
    if (isLeft(bound)) return { is: "failed", failure: { message: bound.left.code } }
    const route = bound.right
    send(agent, step, attempt, route, !(isLast && cancels === "admitted"))
    if (isLast && cancels === "admitted") return cancelled
    if (isLast && cancels !== null && beforeAnswer.has(cancels))
      return cut(agent, step, route, cancels)
    if (isLast && !isLost && cancels !== "recovering") return answer(agent, step, route, script)
    settle(agent, step, route, "failed", failed(agent.world.nowMs()))
    if (isLast) return cancels === "recovering" ? cancelled : brokenBy("BROKEN")
    recover(agent, place, route, failure.recovery)
    if (failure.change !== null) agent.change(failure.change)
  }
}
