import type { Agent } from "./agent.ts"
import { answer, closingBlocks, workingBlocks } from "./answer.ts"
import { aside } from "./asides.ts"
import { textBlock, type Block } from "./content.ts"
import { hasSystemNodes } from "./dialect.ts"
import { approval, dispatch, offloadImages, retries, steer, unknownEvent } from "./incidents.ts"
import {
  appendSystem,
  changePrompt,
  changeTools,
  systemPrompt,
  writeHeader,
} from "./request-state.ts"
import { runCalls, type CallOptions } from "./tool-run.ts"
import {
  closeStep,
  closeTurn,
  deliver,
  openStep,
  openTurn,
  personMessage,
  promptText,
  runtimeContext,
  type Incoming,
} from "./turn.ts"

/** Opens a step, delivers what waits, and sends the request header unless it is known. */
export const beginStep = (agent: Agent, incoming: readonly Incoming[] = []): void => {
  const { log } = agent
  openStep(agent)
  if (hasSystemNodes(log.format) && log.surface.nodes.length === 0) {
    appendSystem(agent, agent.systemText)
  }
  for (const message of incoming) deliver(agent, message)
  if (agent.headerSeq === null) writeHeader(agent, { reason: agent.headerReason })
}

/** A step with its answer and calls; `blocks` default to what the profile makes of it. */
export const plainStep = (
  agent: Agent,
  incoming: readonly Incoming[],
  blocks?: readonly Block[],
  calls?: CallOptions,
): void => {
  beginStep(agent, incoming)
  answer(agent, blocks ?? workingBlocks(agent))
  runCalls(agent, calls)
  closeStep(agent)
}

const incidents = [
  "retry",
  "approval",
  "dispatch",
  "steer",
  "aside",
  "between",
  "header",
  "unknown",
  "offload",
] as const

type Incident = (typeof incidents)[number]

const extraTool = "issue_tracker"

const changeHeader = (agent: Agent): void => {
  const { prng, tools } = agent
  if (prng.chance(0.3)) changePrompt(agent, systemPrompt(agent, 600))
  else if (tools.includes(extraTool)) changeTools(agent, [], [extraTool])
  else changeTools(agent, [extraTool], [])
}

const beforeAnswer = (agent: Agent, incident: Incident | null, offloaded: Set<number>): void => {
  if (incident === "header") changeHeader(agent)
  else if (incident === "steer") steer(agent)
  else if (incident === "retry") retries(agent, agent.prng.integer(1, 2))
  else if (incident === "aside") aside(agent)
  else if (incident === "unknown" && agent.log.format === 4) {
    unknownEvent(agent, agent.prng.chance(0.5))
  } else if (incident === "offload" && agent.log.format >= 3) offloadImages(agent, offloaded)
}

/** A step of a long session, with now and then something unusual in it. */
export const busyStep = (
  agent: Agent,
  incoming: readonly Incoming[],
  isLast: boolean,
  offloaded: Set<number>,
): void => {
  const { prng, profile } = agent
  const incident = prng.chance(profile.incidentShare) ? prng.pick(incidents) : null
  beginStep(agent, incoming)
  beforeAnswer(agent, incident, offloaded)
  let waits = incident === "between"
  answer(agent, isLast ? closingBlocks(agent) : workingBlocks(agent), {
    between: () => {
      if (waits) aside(agent)
      waits = false
    },
  })
  if (incident === "approval") approval(agent)
  runCalls(
    agent,
    incident === "dispatch" ? { during: ({ callId }) => dispatch(agent, callId) } : {},
  )
  closeStep(agent)
}

/** A whole plain turn of `stepCount` steps that ends with an answer in words. */
export const plainTurn = (agent: Agent, stepCount: number, prompt?: string): void => {
  const message = personMessage(agent, [textBlock(prompt ?? promptText(agent))])
  openTurn(agent, message)
  const first = agent.turn === 1 ? [message, runtimeContext(agent, "ask")] : [message]
  for (let i = 1; i < stepCount; i++) plainStep(agent, i === 1 ? first : [])
  plainStep(agent, stepCount <= 1 ? first : [], closingBlocks(agent))
  closeTurn(agent)
}
