import { answer, closingBlocks, workingBlocks } from "./answer.ts"
import { compact, compactByCommand } from "./compaction.ts"
import { closeOpen, resume } from "./closers.ts"
import { textBlock } from "./content.ts"
import { forkSession, type Session } from "./fork.ts"
import { dispatch, offloadImages, pictureMessage, retries, unknownEvent } from "./incidents.ts"
import { describeSubagent } from "./new-session.ts"
import { changePrompt, changeTools, systemPrompt } from "./request-state.ts"
import { pruneToolResult, rewriteToolResult } from "./rewrite.ts"
import { finishSample, sampleSession, type Sample } from "./sample.ts"
import { beginStep, plainStep, plainTurn } from "./script.ts"
import { planCall } from "./tool-kit.ts"
import { runCalls, startCall } from "./tool-run.ts"
import { ask, closeStep, closeTurn, openTurn } from "./turn.ts"

const cwd = "/home/mira/tide pool (β)"

const lastTool = ({ agent }: Session): number =>
  agent.log.surface.nodes.findLastIndex((node) => node.kind === "tool")

const changeWhatModelKnows = ({ agent }: Session): void => {
  const offloaded = new Set<number>()
  beginStep(agent, [openTurn(agent, pictureMessage(agent, 2))])
  changeTools(agent, ["tide_table"], ["web_fetch"])
  answer(agent, workingBlocks(agent))
  runCalls(agent, { during: ({ callId }) => dispatch(agent, callId) })
  closeStep(agent)
  unknownEvent(agent, true)
  beginStep(agent)
  changePrompt(agent, systemPrompt(agent, 250))
  offloadImages(agent, offloaded)
  retries(agent, 1)
  answer(agent, workingBlocks(agent))
  runCalls(agent)
  closeStep(agent)
  plainStep(agent, [], closingBlocks(agent))
  closeTurn(agent)
}

const foldAndRewrite = (session: Session): void => {
  const { agent } = session
  const message = ask(agent, "Carry on with the secondary ports.")
  for (let round = 0; round < 3; round++) {
    plainStep(agent, round === 0 ? [message] : [])
    pruneToolResult(agent, lastTool(session))
    rewriteToolResult(agent, lastTool(session), [textBlock(`Kept in short, ${round + 1}.`)])
    if (round === 1) {
      compact(agent, { retain: 8 })
      compact(agent, { retain: 3, sortsSources: true })
    }
  }
  compact(agent, { retain: 2 })
  plainStep(agent, [], closingBlocks(agent))
  closeTurn(agent)
}

// Two calls are open when the fork is made: one has started, one has not.
const forkInsideTurn = (parent: Session): Session => {
  const { agent } = parent
  beginStep(agent, [ask(agent, "Compare both ports, and let a scout look.")])
  answer(agent, workingBlocks(agent, [planCall(agent.prng), planCall(agent.prng)]))
  const [first] = agent.pending
  if (first !== undefined) startCall(agent, first)
  const fork = forkSession(parent, {
    id: "nightly/2026-02-11",
    createdAt: agent.log.clock + 1_000,
    cwd,
    parentSession: "tidepool-forecast",
    delegationDepth: 0,
  })
  plainStep(fork.agent, [ask(fork.agent, "Only the first port, please.")])
  pruneToolResult(fork.agent, lastTool(fork))
  plainStep(fork.agent, [], closingBlocks(fork.agent))
  closeTurn(fork.agent)
  compactByCommand(fork.agent, { retain: 2 })
  return fork
}

const scoutOf = ({ agent }: Session): Session => {
  const minute = (agent.log.clock - agent.log.header.createdAt) / 60_000
  const scout = sampleSession(4, {
    id: "tidepool-forecast-scout",
    minute,
    cwd,
    parentSession: "tidepool-forecast",
    origin: "subagent",
    delegationDepth: 1,
  })
  const label = "Look at the second port"
  agent.log.event("subagent/catalog", {
    version: 0,
    childId: scout.agent.log.header.id,
    childCreatedAt: scout.agent.log.header.createdAt,
    mode: "one-shot",
    label,
  })
  describeSubagent(scout.agent, 3, label)
  plainTurn(scout.agent, 2, "Look at the second port and report in one line.")
  return scout
}

const forecast = (): readonly Sample[] => {
  const parent = sampleSession(4, { id: "tidepool-forecast", minute: 0, cwd })
  const { agent } = parent
  plainTurn(agent, 3, "The tide table for the second port is an hour off. Find out why.")
  const fork = forkInsideTurn(parent)
  const scout = scoutOf(parent)
  runCalls(agent)
  closeStep(agent)
  plainStep(agent, [], closingBlocks(agent))
  closeTurn(agent)
  changeWhatModelKnows(parent)
  foldAndRewrite(parent)
  plainTurn(agent, 1)
  return [
    finishSample(parent, "nested compaction, rewrites, developer messages, image/offload, retry"),
    finishSample(fork, "fork inside an open turn, with its closers; id with a slash"),
    finishSample(scout, "subagent of `tidepool-forecast`"),
  ]
}

const tornWholeRow = (): Sample => {
  const session = sampleSession(4, { id: "tidepool-torn-whole-row", minute: 300, cwd })
  const { agent, sink } = session
  plainTurn(agent, 3)
  compactByCommand(agent, { retain: 3 })
  beginStep(agent, [ask(agent, "And the third port?")])
  answer(agent, closingBlocks(agent))
  const { nextSeq, clock } = agent.log
  const row = { type: "step/end", seq: nextSeq, time: clock, data: agent.at }
  sink.tear(Buffer.from(JSON.stringify(row)))
  return finishSample(session, "torn: the last line is whole but has no newline", true)
}

const resumed = (): Sample => {
  const session = sampleSession(4, { id: "tidepool-resumed", minute: 420, cwd })
  const { agent } = session
  plainTurn(agent, 2)
  plainStep(agent, [ask(agent, "Rebuild all tables.")])
  // The process died while a summary was being made; nobody ends that compaction.
  agent.log.event("compaction/start", { compactionId: agent.prng.uuid(), turn: agent.turn })
  closeOpen(agent, "interrupted")
  resume(agent)
  plainStep(agent, [ask(agent, "Once more, but only the first.")])
  compact(agent, { retain: 2 })
  beginStep(agent)
  answer(agent, workingBlocks(agent))
  for (const call of agent.pending) startCall(agent, call)
  return finishSample(session, "crashed during a compaction, resumed; ends in an open turn")
}

/** The format 4 samples of the project `tide pool (β)`. */
export const tidepoolSamples = (): readonly Sample[] => [...forecast(), tornWholeRow(), resumed()]
