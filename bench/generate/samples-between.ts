import { answer, closingBlocks, failedAttempt, workingBlocks } from "./answer.ts"
import { closeOpen, resume } from "./closers.ts"
import { compact } from "./compaction.ts"
import { reasoningBlock, textBlock } from "./content.ts"
import {
  approval,
  dispatch,
  offloadImages,
  pictureMessage,
  remind,
  retries,
  steer,
} from "./incidents.ts"
import {
  appendSystem,
  changePrompt,
  replaceSystem,
  systemPrompt,
  writeHeader,
} from "./request-state.ts"
import { finishSample, sampleSession, type Sample } from "./sample.ts"
import { beginStep, plainStep, plainTurn } from "./script.ts"
import { runCalls, startCall } from "./tool-run.ts"
import { ask, closeStep, closeTurn, openTurn } from "./turn.ts"

const cwd = "/srv/code/atlas"

const overflow = {
  message: "the request is longer than the context window",
  code: "CONTEXT_WINDOW_EXCEEDED",
}

const flakyProvider = (): Sample => {
  const session = sampleSession(1, { id: "atlas-flaky-provider", minute: 120, cwd })
  const { agent } = session
  plainTurn(agent, 2)
  beginStep(agent, [openTurn(agent, pictureMessage(agent, 2))])
  retries(agent, 2)
  answer(agent, workingBlocks(agent))
  approval(agent)
  runCalls(agent, { during: ({ callId }) => dispatch(agent, callId) })
  closeStep(agent)
  beginStep(agent)
  failedAttempt(agent, overflow)
  compact(agent, { retain: 2 })
  // The clock of the machine was set back.
  agent.log.clock -= 4_000
  answer(agent, workingBlocks(agent), { between: () => remind(agent, "read") })
  runCalls(agent)
  closeStep(agent)
  beginStep(agent)
  answer(agent, [textBlock("The picture shows")], { finish: "max-tokens" })
  closeStep(agent)
  closeTurn(agent, { kind: "max-tokens" })
  return finishSample(session, "retries, overflow compaction, pictures, a clock that was set back")
}

const interrupted = (): Sample => {
  const session = sampleSession(2, { id: "atlas-interrupted", minute: 180, cwd })
  const { agent } = session
  plainTurn(agent, 2)
  beginStep(agent, [ask(agent, "Run the whole suite.")])
  answer(agent, workingBlocks(agent, []).concat(reasoningBlock("Start with")), {
    interrupted: true,
  })
  closeStep(agent)
  closeTurn(agent, { kind: "aborted", reason: { kind: "user" } })
  beginStep(agent, [ask(agent, "Now run it.")])
  answer(agent, workingBlocks(agent))
  for (const call of agent.pending) startCall(agent, call)
  closeOpen(agent, "interrupted")
  resume(agent)
  plainStep(agent, [ask(agent, "What happened?")])
  plainStep(agent, [], [])
  plainStep(agent, [], closingBlocks(agent))
  closeTurn(agent)
  return finishSample(session, "a cut answer, a crash with its closers, resumed; an empty answer")
}

const promptInHistory = (): Sample => {
  const session = sampleSession(3, { id: "atlas-prompt-in-history", minute: 240, cwd })
  const { agent } = session
  plainTurn(agent, 2)
  beginStep(agent, [openTurn(agent, pictureMessage(agent, 3))])
  changePrompt(agent, systemPrompt(agent, 300))
  answer(agent, workingBlocks(agent))
  runCalls(agent)
  closeStep(agent)
  beginStep(agent)
  appendSystem(agent, "From now on write tests first.")
  const update = agent.log.surface.nodes.length - 1
  writeHeader(agent, { reason: "change", systemPromptUpdate: "in-history" })
  offloadImages(agent, new Set())
  steer(agent)
  answer(agent, workingBlocks(agent))
  runCalls(agent)
  closeStep(agent)
  beginStep(agent)
  replaceSystem(agent, update, "")
  answer(agent, closingBlocks(agent))
  closeStep(agent)
  compact(agent, { retain: 3 })
  closeTurn(agent)
  return finishSample(session, "system head replaced, an update in history cleared, image/offload")
}

/** One sample of each format between 0 and 4. */
export const betweenSamples = (): readonly Sample[] => [
  flakyProvider(),
  interrupted(),
  promptInHistory(),
]
