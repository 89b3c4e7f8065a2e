import type { Agent, PendingCall } from "./agent.ts"
import { textBlock } from "./content.ts"
import { finishCall } from "./tool-run.ts"

const outcomeUnknown = { name: "ToolOutcomeUnknownError", code: "TOOL_OUTCOME_UNKNOWN" }
const notStarted = { name: "ToolNotStartedError", code: "TOOL_NOT_STARTED" }

const outcomeOf = (call: PendingCall) =>
  call.callSeq === null
    ? { content: [textBlock("This call was never started.")], error: notStarted }
    : {
        content: [textBlock("This call was started; nobody knows how it ended. Check first.")],
        error: outcomeUnknown,
      }

/**
 * Closes what a crash or a fork left open: calls, step, turn; all at the time of the last event.
 *
 * shape   calls that never started must not be pending before format 4: their text is fixed there
 */
export const closeOpen = (agent: Agent, kind: "interrupted" | "forked"): void => {
  const { log } = agent
  const time = log.clock
  for (const call of agent.pending) {
    const prefix = kind === "forked" ? "forked" : "interrupted"
    const id = `${prefix}-tool-result-${call.callId}-${log.nextSeq}`
    finishCall(agent, call, outcomeOf(call), { id, time })
  }
  if (agent.isStepOpen) log.event("step/end", agent.at, { time })
  if (agent.isTurnOpen) log.event("turn/end", { turn: agent.turn, reason: { kind } }, { time })
  agent.isStepOpen = false
  agent.isTurnOpen = false
}

/** A new process takes over: its next request repeats the header. */
export const takeOver = (agent: Agent): void => {
  agent.headerSeq = null
  agent.headerReason = "resume"
}

/** Starts another lifetime of the session behind what is stored. */
export const resume = (agent: Agent): void => {
  agent.log.event("session/end-seed", {})
  takeOver(agent)
}
