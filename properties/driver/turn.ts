import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import { completeAssembly, prepareAssembly } from "#core/prompt/assemble"
import type { PromptAssembly } from "#core/prompt/assembly"
import type { RenderRefusal } from "#core/prompt/refusal"
import { joinContextSections, renderContextSections } from "#core/prompt/render"
import { runtimeContextCandidate, runtimeContextMessage } from "#core/prompt/runtime-context"
import type { StepDecision } from "#core/request/step"
import type { TurnEnding } from "#core/request/turn-end"
import { turnEnd } from "#core/request/turn-end"
import { defaultDecision, preparedStep, stepOpening } from "#core/request/step"
import type { Message } from "#core/messages/event-message"
import type { SimulatedAgent } from "./agent.ts"
import { attemptStep } from "./attempts.ts"
import { compact, prune } from "./compacting.ts"
import type { Place } from "./payloads.ts"
import { said } from "./payloads.ts"
import type { StepScript } from "./script.ts"
import { brokenBy, cancelled } from "./endings.ts"

const decisionOf = (
  script: StepScript,
  claimed: readonly Message[],
  candidate: Message | null,
): StepDecision => {
  const decision = defaultDecision(claimed, candidate)
  if (script.decision === "reject" || decision.is === "reject") return { is: "reject" }
  if (script.decision === "empty") return { ...decision, messages: [] }
  return script.decision === "series" ? { ...decision, startsRequestSeries: true } : decision
}

const contextOf = (
  agent: SimulatedAgent,
  assembly: PromptAssembly,
): Either<RenderRefusal, Message | null> => {
  const sections = renderContextSections(assembly)
  if (isLeft(sections)) return sections
  const text = joinContextSections(sections.right)
  const candidate = runtimeContextCandidate(agent.context, text, sections.right)
  return right(
    candidate === null ? null : runtimeContextMessage(agent.world.newId("user"), candidate),
  )
}

const openStep = (
  agent: SimulatedAgent,
  place: Place,
  script: StepScript,
  assembly: PromptAssembly,
  decision: StepDecision & { readonly is: "enter" },
): TurnEnding | null => {
  agent.append({ type: "step/start", data: { ...place } })
  const step = preparedStep(place, assembly, decision)
  const end = isLeft(step) ? brokenBy(step.left.code) : attemptStep(agent, step.right, script)
  agent.append({ type: "step/end", data: { ...place } })
  return end
}

/** One step of an open turn: what is told, then its attempts; what the turn ends for, if it does. */
const runStep = (agent: SimulatedAgent, place: Place, script: StepScript): TurnEnding | null => {
  for (const change of script.changes) agent.change(change)
  const isFirst = place.step === 1
  const claimed = [...agent.claim(isFirst), ...agent.takeNotice()]
  const prepared = prepareAssembly(agent.layers, { model: agent.asked.model }, agent.order)
  if (isLeft(prepared)) return brokenBy(prepared.left.code)
  const assembly = completeAssembly(prepared.right, prepared.right.assembly)
  if (script.cancels === "assembling") return cancelled
  const candidate = contextOf(agent, assembly)
  if (isLeft(candidate)) return brokenBy(candidate.left.code)
  const decision = decisionOf(script, claimed, candidate.right)
  if (script.compacts !== null) compact(agent, place.turn, script.compacts)
  if (script.prunes) prune(agent)
  const opening = stepOpening(decision, isFirst, false)
  if (opening !== "open" || decision.is === "reject")
    return { is: opening === "blocked" ? "blocked" : "completed" }
  return openStep(agent, place, script, assembly, decision)
}

/** Runs a turn; without a script for a step that follows it ends. */
export const runTurn = (agent: SimulatedAgent, steps: readonly StepScript[]): void => {
  const turn = agent.nextTurn()
  agent.receive("next-turn", said(agent.world.newId("user"), agent.length))
  agent.append({ type: "turn/start", data: { turn } })
  let end: TurnEnding | null = null
  for (const [i, script] of steps.entries()) {
    end = runStep(agent, { turn, step: i + 1 }, script)
    // without calls and input a turn has no further step
    if (end !== null || (script.calls === 0 && agent.waiting === 0)) break
  }
  agent.append(turnEnd(turn, end ?? { is: "completed" }))
}
