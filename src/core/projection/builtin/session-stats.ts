import { isSafeInt } from "../../data/count.ts"
import type { JsonObject } from "../../data/json.ts"
import { jsonEqual, ownValue } from "../../data/json.ts"
import { numberField, objectField, textField } from "../../format/lifecycle/fields.ts"
import type { EventFacts } from "../../log/event-facts.ts"
import { toolResultHolder } from "../../log/tool-result-holder.ts"
import { usageSample } from "../../tokens/usage.ts"
import { shapeCodec } from "../codec.ts"
import type { ProjectionDefinition } from "../definition.ts"
import { bearsToken, runTokenTime, streamTokenTime } from "./first-token.ts"
import type { OpenStep, SessionStats, SessionStatsState } from "./stats-state.ts"
import { noStats, statsShape, statsStateShape } from "./stats-state.ts"
import { totalApply } from "./total-apply.ts"

const isOf = ({ turn, step }: OpenStep, data: JsonObject): boolean =>
  ownValue(data, "turn") === turn && ownValue(data, "step") === step

// when the first of an answer came, by what one event holds of it
const tokenTimeOf = ({ type, timeMs }: EventFacts, data: JsonObject): number | null => {
  if (type === "assistant/message" || type === "assistant/attempt") {
    const time = streamTokenTime(ownValue(data, "stream"))
    return isSafeInt(time) ? time : null
  }
  if (type !== "assistant/chunk") return runTokenTime(timeMs, data)
  const chunk = objectField(data, "chunk")
  return chunk !== null && bearsToken(chunk) ? timeMs : null
}

const streamed = (
  state: SessionStatsState,
  facts: EventFacts,
  data: JsonObject,
): SessionStatsState => {
  const open = state.openStep
  if (open === null || open.firstTokenTimeMs !== null || !isOf(open, data)) return state
  const firstTokenTimeMs = tokenTimeOf(facts, data)
  return firstTokenTimeMs === null ? state : { ...state, openStep: { ...open, firstTokenTimeMs } }
}

// what shows no difference is the same object
const same = (before: SessionStats, after: SessionStats): SessionStats =>
  jsonEqual({ ...before }, { ...after }) ? before : after

const answered = (
  state: SessionStatsState,
  facts: EventFacts,
  data: JsonObject,
): SessionStatsState => {
  const open = streamed(state, facts, data).openStep
  if (open === null || !isOf(open, data)) return state
  const { startTimeMs, firstTokenTimeMs: first } = open
  const stats = { ...state.stats }
  stats.llmMs += Math.max(0, facts.timeMs - startTimeMs)
  if (first !== null) {
    stats.ttftMs += Math.max(0, first - startTimeMs)
    stats.ttftSteps++
    const usage = usageSample(facts.type, data)?.usage ?? null
    if (usage !== null) {
      stats.decodeMs += Math.max(0, facts.timeMs - first)
      stats.decodeTokens += usage.outputTokens
    }
  }
  // a second answer of the step counts nothing
  return { ...state, stats: same(state.stats, stats), openStep: null }
}

const stepEnded = (state: SessionStatsState, data: JsonObject): SessionStatsState => {
  const turn = numberField(data, "turn")
  const { stats, lastTurn } = state
  const turns = turn === lastTurn ? stats.turns : stats.turns + 1
  return {
    ...state,
    stats: { ...stats, turns, steps: stats.steps + 1 },
    lastTurn: turn,
    openStep: null,
  }
}

const callIdOf = (data: JsonObject): string | null => {
  const message = ownValue(data, "message")
  // format 4 has the id in the message, older ones in its only block
  for (const holds of ["message", "block"] as const) {
    const holder = toolResultHolder(holds, message)
    const callId = holder === null ? null : textField(holder, "toolCallId")
    if (callId !== null) return callId
  }
  return null
}

const called = (
  state: SessionStatsState,
  { timeMs }: EventFacts,
  data: JsonObject,
): SessionStatsState => {
  const callId = textField(data, "callId")
  if (callId === null) return state
  const others = state.pendingCalls.filter((call) => call.callId !== callId)
  return { ...state, pendingCalls: [...others, { callId, timeMs }] }
}

const returned = (
  state: SessionStatsState,
  { timeMs }: EventFacts,
  data: JsonObject,
): SessionStatsState => {
  const callId = callIdOf(data)
  const call = state.pendingCalls.find((each) => each.callId === callId)
  if (call === undefined) return state
  const toolMs = state.stats.toolMs + Math.max(0, timeMs - call.timeMs)
  return {
    ...state,
    stats: same(state.stats, { ...state.stats, toolMs }),
    pendingCalls: state.pendingCalls.filter((each) => each !== call),
  }
}

const step = (state: SessionStatsState, facts: EventFacts, data: JsonObject): SessionStatsState => {
  switch (facts.type) {
    case "step/start": {
      const turn = ownValue(data, "turn")
      const number = ownValue(data, "step")
      return isSafeInt(turn) && isSafeInt(number)
        ? {
            ...state,
            openStep: { turn, step: number, startTimeMs: facts.timeMs, firstTokenTimeMs: null },
          }
        : state
    }
    case "assistant/message":
      return answered(state, facts, data)
    case "step/end":
      return stepEnded(state, data)
    case "tool/call":
      return called(state, facts, data)
    case "tool/result":
      return returned(state, facts, data)
    case "turn/end":
      return state.pendingCalls.length === 0 ? state : { ...state, pendingCalls: [] }
    default:
      return streamed(state, facts, data)
  }
}

/**
 * Turns, steps and times of a session, the part that it inherited included.
 *
 * source  session statistics of the agent, `sessionStats` state version 1
 */
export const sessionStats: ProjectionDefinition<SessionStatsState, SessionStats> = {
  key: "sessionStats",
  stateVersion: 1,
  codec: shapeCodec(statsStateShape),
  reads: new Set([
    "step/start",
    "step/end",
    "turn/end",
    "assistant/attempt",
    "assistant/message",
    "assistant/chunk",
    "text-chunks",
    "reasoning-chunks",
    "tool-call-chunks",
    "tool/call",
    "tool/result",
  ]),
  init: () => ({ stats: noStats, lastTurn: null, openStep: null, pendingCalls: [] }),
  apply: totalApply(step),
  wire: { codec: shapeCodec(statsShape), view: (state) => state.stats },
}
