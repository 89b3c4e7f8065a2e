import { answer, workingBlocks } from "./answer.ts"
import { compact, compactByCommand } from "./compaction.ts"
import { textBlock } from "./content.ts"
import { forkSession, type Session } from "./fork.ts"
import { describeSubagent } from "./new-session.ts"
import { pruneToolResult, rewritePrompt, rewriteToolResult } from "./rewrite.ts"
import { finishSample, sampleSession, type Sample } from "./sample.ts"
import { beginStep, plainStep, plainTurn } from "./script.ts"
import { ask, closeTurn } from "./turn.ts"

const cwd = "/srv/code/atlas"

const lastOf = ({ agent }: Session, kind: string): number =>
  agent.log.surface.nodes.findLastIndex((node) => node.kind === kind && node.isRewritable)

// Still too long after one fold: the second begins at the checkpoint and ends among older nodes.
const foldTwice = ({ agent }: Session): void => {
  const message = ask(agent, "Go on with the limiter, then the docs.")
  for (let i = 0; i < 3; i++) plainStep(agent, i === 0 ? [message] : [])
  compact(agent, { retain: 9 })
  compact(agent, { retain: 4, sortsSources: true })
  closeTurn(agent)
}

// Later rounds fold the checkpoints of earlier ones, and rewrite what was rewritten before.
const foldInRounds = (session: Session): void => {
  const { agent } = session
  const { log } = agent
  const message = ask(agent, "The docs are fine now. What about the tests?")
  for (let round = 0; round < 3; round++) {
    plainStep(agent, round === 0 ? [message] : [])
    const position = lastOf(session, "tool")
    pruneToolResult(agent, position)
    rewriteToolResult(agent, position, [textBlock(`Shortened again, round ${round + 1}.`)])
    rewriteToolResult(agent, position, [])
  }
  compact(agent, { retain: 5, failure: "the summary came back empty" })
  compact(agent, {
    retain: 5,
    meanwhile: () => log.event("approval/policy", { policy: "never" }),
  })
  plainStep(agent, [])
  compact(agent, { retain: 3, from: 2, sortsSources: true })
  closeTurn(agent)
}

const parentAndFork = (): readonly Sample[] => {
  const parent = sampleSession(0, { id: "atlas-retry-budget", minute: 0, cwd })
  const { agent } = parent
  plainTurn(agent, 2, "The retry budget of the upload queue is never refilled. Please fix it.")
  plainTurn(agent, 3)
  foldTwice(parent)
  const fork = forkSession(parent, {
    id: "atlas-retry-budget-other-way",
    createdAt: agent.log.clock + 90_000,
    cwd,
    parentSession: "atlas-retry-budget",
    delegationDepth: 0,
  })
  foldInRounds(parent)
  plainTurn(agent, 2)
  const prompt = lastOf(parent, "user")
  rewritePrompt(agent, prompt, "Please add the metric as well (edited).")
  rewritePrompt(agent, prompt, "Please add the metric as well, in seconds (edited twice).")
  compactByCommand(agent, { retain: 1 })
  plainTurn(agent, 1)
  plainTurn(fork.agent, 2, "Do it the other way: refill the budget when a request succeeds.")
  compactByCommand(fork.agent, { retain: 4 })
  plainTurn(fork.agent, 1)
  return [
    finishSample(parent, "five rounds of compaction, nested; results and prompts rewritten again"),
    finishSample(fork, "fork of `atlas-retry-budget` (seedLength); folds what it inherited"),
  ]
}

const subagent = (): Sample => {
  const session = sampleSession(0, {
    id: "atlas-retry-budget-scout",
    minute: 3,
    cwd,
    parentSession: "atlas-retry-budget",
    origin: "subagent",
    delegationDepth: 1,
  })
  describeSubagent(session.agent, 2, "List the callers of drain")
  plainTurn(session.agent, 2, "List every caller of `drain` with file and line.")
  return finishSample(session, "subagent of `atlas-retry-budget`")
}

const tornInCharacter = (): Sample => {
  const session = sampleSession(0, { id: "atlas-torn-in-a-character", minute: 40, cwd })
  const { agent, sink } = session
  plainTurn(agent, 2)
  beginStep(agent, [ask(agent, "Weiter, bitte.")])
  answer(agent, workingBlocks(agent))
  const { nextSeq, clock } = agent.log
  const row = `{"type":"tool/call","seq":${nextSeq},"time":${clock},"data":{"turn":2,"name":"列`
  const bytes = Buffer.from(row)
  sink.tear(bytes.subarray(0, bytes.length - 1))
  return finishSample(session, "torn: the last line stops inside a UTF-8 sequence", true)
}

const missingSource = (): Sample => {
  const session = sampleSession(0, { id: "atlas-missing-source", minute: 55, cwd })
  const { agent } = session
  plainTurn(agent, 3)
  compactByCommand(agent, { retain: 2 })
  plainTurn(agent, 3)
  compactByCommand(agent, { retain: 2, forgetsSource: true })
  plainTurn(agent, 1)
  return finishSample(session, "refused: the second checkpoint does not cite a node it shadows")
}

/** The format 0 samples of the project `atlas`. */
export const atlasSamples = (): readonly Sample[] => [
  ...parentAndFork(),
  subagent(),
  tornInCharacter(),
  missingSource(),
]
