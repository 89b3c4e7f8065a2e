import type { Agent } from "./agent.ts"
import { countImages, textBlock, type Block } from "./content.ts"
import { runtimeContextSource } from "./dialect.ts"
import { drawLength } from "./log-normal.ts"
import { prompts, unicodeLines } from "./table-prose.ts"
import { fill, textOf } from "./text-source.ts"
import { messagePrice } from "./token-price.ts"

/** A message that waits for the next step. */
export type Incoming = {
  readonly content: readonly Block[]
  readonly source: object
  readonly role: "user"
  readonly id: string
}

/** A message as a person sends it. */
export const personMessage = (agent: Agent, content: readonly Block[]): Incoming => ({
  content,
  source: { kind: "user" },
  role: "user",
  id: agent.prng.uuid(),
})

/** A prompt as long as the profile asks for. */
export const promptText = ({ prng, profile }: Agent): string => {
  const table = prng.chance(profile.unicodeShare) ? unicodeLines : prompts
  const first = fill(prng, prng.pick(table))
  const rest = drawLength(prng, profile.prompt) - first.length
  return rest < 40 ? first : `${first}\n\n${textOf(prng, "prose", rest)}`
}

/** Puts a message on the surface. */
export const deliver = (agent: Agent, message: Incoming): number => {
  const isPerson = "kind" in message.source && message.source.kind === "user"
  const seq = agent.log.append("user/message", message, {
    kind: "user",
    tokens: messagePrice(message.content),
    isEmpty: false,
    imageCount: countImages(message.content),
    isRewritable: isPerson,
  })
  agent.countAppend()
  if (isPerson && !agent.titled) {
    agent.titled = true
    const text = message.content.find((block) => block.type === "text")?.text ?? "Picture"
    agent.log.event("session/title", {
      title: [...text.slice(0, 60)].slice(0, 40).join("").replace(/\s+/g, " ").trim(),
      messageSeqs: [seq],
      source: { kind: "fallback" },
    })
  }
  return seq
}

/** What the agent tells the model about its surroundings. */
export const runtimeContext = (agent: Agent, policy: string): Incoming => {
  const sections = [
    {
      name: "workspace",
      text: `Files below ${agent.log.header.cwd ?? "no directory"} may be read.`,
    },
    { name: "approval", text: `Approval policy: ${policy}.` },
  ]
  const text = ["Runtime context; earlier snapshots no longer hold."]
    .concat(sections.map((section) => section.text))
    .join("\n\n")
  return {
    content: [textBlock(text)],
    source: runtimeContextSource(agent.log.format, sections),
    role: "user",
    id: agent.prng.uuid(),
  }
}

/** Queues a message and opens the turn that takes it; the first step must deliver it. */
export const openTurn = (agent: Agent, message: Incoming): Incoming => {
  const { log } = agent
  // People take their time between turns.
  log.tick(600_000)
  log.event("agent/inbox/spliced", { target: "next-turn", start: 0, inserted: [message] })
  agent.turn++
  agent.step = 0
  agent.isTurnOpen = true
  log.event("turn/start", { turn: agent.turn })
  log.event("agent/inbox/spliced", {
    target: "next-turn",
    start: 0,
    removedCount: 1,
    inserted: [],
  })
  return message
}

/** Opens a turn with a message of those words. */
export const ask = (agent: Agent, text: string): Incoming =>
  openTurn(agent, personMessage(agent, [textBlock(text)]))

export const closeTurn = (agent: Agent, reason: object = { kind: "completed" }): void => {
  agent.log.event("turn/end", { turn: agent.turn, reason })
  agent.isTurnOpen = false
}

export const openStep = (agent: Agent): void => {
  agent.step++
  agent.isStepOpen = true
  agent.log.event("step/start", agent.at)
}

export const closeStep = (agent: Agent): void => {
  agent.log.event("step/end", agent.at)
  agent.isStepOpen = false
}
