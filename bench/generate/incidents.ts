import { imageRef, type Agent } from "./agent.ts"
import { failedAttempt } from "./answer.ts"
import { textBlock, type Block } from "./content.ts"
import { dispatchTypes, reminderSource } from "./dialect.ts"
import type { Failure } from "./stream-chunks.ts"
import { prompts } from "./table-prose.ts"
import { fill, sentenceOf, textOf } from "./text-source.ts"
import { deliver, personMessage, type Incoming } from "./turn.ts"

const failures: readonly Failure[] = [
  { message: "upstream closed the connection", code: "NETWORK" },
  { message: "too many requests, slow down", code: "RATE_LIMITED", status: 429 },
  { message: "the model is overloaded", code: "OVERLOADED", status: 529 },
]

/** Failed attempts, each with its scheduled retry. */
export const retries = (agent: Agent, count: number): void => {
  const { log, prng, provider } = agent
  const retryId = prng.uuid()
  for (let retry = 1; retry <= count; retry++) {
    const failure = prng.pick(failures)
    failedAttempt(agent, failure)
    const delayMs = 500 * 2 ** retry
    log.event("llm/retry", {
      retryId,
      ...agent.at,
      provider,
      mode: "normal",
      policyKey: "transport",
      retry,
      maxRetries: 5,
      delayMs,
      failure,
    })
    log.clock += delayMs
    log.event("llm/retry-started", { retryId, ...agent.at, retry })
  }
}

/** A tool call that a person has to allow. */
export const approval = (agent: Agent): void => {
  const { log, prng } = agent
  const id = prng.uuid()
  const call = agent.pending[0]
  log.event("approval/asked", {
    id,
    toolName: call?.name ?? "bash",
    ...(call === undefined ? {} : { callId: call.callId }),
    reason: sentenceOf(prng),
  })
  log.tick(30_000)
  log.event("approval/decided", { id, outcome: prng.pick(["allowed-once", "rejected"]) })
}

/** A call that a running tool makes itself. */
export const dispatch = (agent: Agent, rootCallId: string): void => {
  const { log, prng } = agent
  const types = dispatchTypes(log.format)
  const call = {
    rootCallId,
    parentCallId: rootCallId,
    subCallId: `${rootCallId}:${prng.hex(1)}`,
    name: "grep",
    arguments: { pattern: fill(prng, "{verb}\\s+{ident}"), limit: prng.integer(1, 50) },
  }
  log.event(types.start, call)
  const content = [textBlock(textOf(prng, "shell", 120))]
  log.event(types.end, { ...call, isError: false, content })
}

/** A message that a person slips in while a turn runs. */
export const steer = (agent: Agent): void => {
  const { log, prng } = agent
  const message = personMessage(agent, [textBlock(sentenceOf(prng))])
  log.event("agent/inbox/spliced", { target: "next-step", start: 0, inserted: [message] })
  log.event("agent/inbox/spliced", {
    target: "next-step",
    start: 0,
    removedCount: 1,
    inserted: [],
  })
  deliver(agent, message)
}

/** A notice of the plugin that counts repeated calls. */
export const remind = (agent: Agent, toolName: string): void => {
  const summary = `${toolName} × 3`
  const notice: Incoming = {
    content: [textBlock(`The last three calls of ${toolName} were the same.`)],
    source: reminderSource(agent.log.format, summary),
    role: "user",
    id: agent.prng.uuid(),
  }
  deliver(agent, notice)
}

/** A message of a person with pictures in it. */
export const pictureMessage = (agent: Agent, count: number): Incoming => {
  const { prng } = agent
  const content: Block[] = [textBlock(fill(prng, prng.pick(prompts)))]
  for (let i = 0; i < count; i++) {
    content.push({ type: "image", attachment: imageRef(prng, `shot-${i + 1}.png`) })
  }
  return personMessage(agent, content)
}

// Old pictures of a long surface stay: looking for them again and again would cost too much.
const offloadReach = 200

/** Takes the oldest pictures of the newest nodes out of later requests (formats 3 and 4). */
export const offloadImages = (agent: Agent, done: Set<number>): void => {
  const newest = agent.log.surface.nodes.slice(-offloadReach)
  const node = newest.find(({ seq, imageCount }) => imageCount > 0 && !done.has(seq))
  if (node === undefined) return
  done.add(node.seq)
  const imageIndexes = Array.from({ length: node.imageCount }, (_, index) => index)
  agent.log.event("image/offload", { targets: [{ seq: node.seq, imageIndexes }] })
}

/** An event no reader knows, marked as one that may be passed over (format 4). */
export const unknownEvent = (agent: Agent, looksLikeSurface: boolean): void => {
  const { log, prng } = agent
  const data = { span: prng.hex(2), tags: ["cold", "résumé"], nested: { ratio: 0.25 } }
  // Its surface marks belong to nobody: such a row must not touch the surface.
  log.event("acme/trace-span", data, {
    ...(looksLikeSurface && log.nextSeq > 0 ? { op: "append", sources: [0] } : {}),
    ignorable: true,
  })
}
