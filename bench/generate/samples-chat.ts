import type { Agent } from "./agent.ts"
import { answer } from "./answer.ts"
import { textBlock } from "./content.ts"
import { rewritePrompt } from "./rewrite.ts"
import { finishSample, sampleSession, type Sample } from "./sample.ts"
import { beginStep } from "./script.ts"
import { ask, closeStep, closeTurn } from "./turn.ts"

const chatTurn = (agent: Agent, question: string, reply: string): void => {
  beginStep(agent, [ask(agent, question)])
  answer(agent, [textBlock(reply)])
  closeStep(agent)
  closeTurn(agent)
}

// A tool that cuts by code units leaves half a character behind.
const halfCharacter = "👋".slice(0, 1)

const chat = (): Sample => {
  const session = sampleSession(0, { id: "chat-without-files", minute: 600 })
  const { agent } = session
  agent.tools = []
  agent.systemText = ""
  chatTurn(agent, 'What does "idempotent" mean?', "Doing it twice has the effect of doing it once.")
  chatTurn(agent, "用一句话解释“幂等”。", "同一个操作执行一次和执行多次,结果相同。👍🏽")
  chatTurn(
    agent,
    `Quote this back, cut at 12: Hello there ${halfCharacter}`,
    `"Hello there ${halfCharacter}", that is \\ud83d alone; then NUL \u0000, BEL \u0007, DEL \u007f, LS \u2028.`,
  )
  rewritePrompt(agent, 2, "Explain it in Chinese, in one sentence.")
  chatTurn(agent, "__proto__ or constructor?", 'Both are ordinary keys here: {"__proto__": 1}.')
  return finishSample(session, "no directory, no tools; a lone surrogate, control characters")
}

const headerOnly = (): Sample =>
  finishSample(sampleSession(0, { id: "nothing-said", minute: 601 }), "nothing but its header")

/** The samples without a working directory. */
export const chatSamples = (): readonly Sample[] => [chat(), headerOnly()]
