import { imageRef, type Agent, type PendingCall } from "./agent.ts"
import { countImages, textBlock, type Block } from "./content.ts"
import { toolResultData, wrapsToolResults, type ToolResultFacts } from "./dialect.ts"
import { drawLength } from "./log-normal.ts"
import { textOf, type TextKind } from "./text-source.ts"
import { toolResultPrice } from "./token-price.ts"

const outputKinds: Readonly<Record<string, TextKind>> = {
  read: "code",
  edit: "code",
  todo_write: "prose",
  web_fetch: "unicode",
}

const hook = (agent: Agent, point: string, matcher: string): void => {
  const { log, prng, turn } = agent
  const handlerId = `claude-code:${point}:1`
  log.event("hook/invoked", { turn, point, dialect: "claude-code", handlerId, matcher })
  log.event("hook/result", {
    turn,
    point,
    handlerId,
    decision: "pass",
    exitCode: 0,
    durationMs: prng.integer(1000, 90_000) / 1000,
  })
}

/** Starts a pending call: its hooks, then `tool/call`. */
export const startCall = (agent: Agent, call: PendingCall): PendingCall => {
  const { log, profile } = agent
  const { callId, name, arguments: text } = call
  for (let i = 0; i < profile.hookPairs; i += 2) hook(agent, "PreToolUse", name)
  const callSeq = log.event("tool/call", { ...agent.at, callId, name, arguments: text })
  const started = { ...call, callSeq }
  agent.pending = agent.pending.map((other) => (other === call ? started : other))
  return started
}

/** What a tool gave back. */
export type Outcome = {
  readonly content: readonly Block[]
  readonly error?: { readonly name: string; readonly code: string }
  readonly meta?: object
}

/** An outcome as long as the profile asks for; now and then an error or a picture. */
const typicalOutcome = (agent: Agent, call: PendingCall): Outcome => {
  const { prng, profile } = agent
  if (prng.chance(0.04)) {
    const code = prng.pick(["FS_NOT_FOUND", "EDIT_AMBIGUOUS", "INVALID_ARGUMENTS"])
    return { content: [textBlock(textOf(prng, "shell", 60))], error: { name: "ToolError", code } }
  }
  const kind = outputKinds[call.name] ?? "shell"
  const text = textOf(
    prng,
    prng.chance(profile.unicodeShare) ? "unicode" : kind,
    drawLength(prng, profile.toolResult),
  )
  const content = [textBlock(text)]
  if (call.name === "read" && prng.chance(profile.incidentShare)) {
    content.push({ type: "image", attachment: imageRef(prng, "screenshot.png") })
  }
  const meta = { exitCode: 0, durationMs: prng.integer(1, 30_000) / 8, truncated: false }
  return prng.chance(0.15) ? { content, meta } : { content }
}

/** Records the result of a call and takes it off the pending ones. */
export const finishCall = (
  agent: Agent,
  call: PendingCall,
  { content, error, meta }: Outcome,
  fixed?: { readonly id: string; readonly time: number },
): number => {
  const { log } = agent
  const id = fixed?.id ?? agent.prng.uuid()
  const facts: ToolResultFacts = {
    ...agent.at,
    id,
    callId: call.callId,
    isError: error !== undefined,
    ...(error === undefined ? {} : { error }),
    ...(meta === undefined ? {} : { meta }),
  }
  const seq = log.append(
    "tool/result",
    toolResultData(log.format, facts, content),
    {
      kind: "tool",
      tokens: toolResultPrice(content, wrapsToolResults(log.format)),
      isEmpty: false,
      imageCount: countImages(content),
      isRewritable: true,
      tool: facts,
    },
    {
      ...(call.callSeq === null ? {} : { sources: [call.callSeq] }),
      ...(fixed === undefined ? {} : { time: fixed.time }),
    },
  )
  agent.countAppend()
  agent.toolResultCount++
  agent.pending = agent.pending.filter((other) => other.callId !== call.callId)
  if (fixed !== undefined) return seq
  for (let i = 1; i < agent.profile.hookPairs; i += 2) hook(agent, "PostToolUse", call.name)
  return seq
}

/** How pending calls are run. */
export type CallOptions = {
  readonly outcome?: (agent: Agent, call: PendingCall) => Outcome
  /** Called while a call runs, between its start and its result. */
  readonly during?: (call: PendingCall) => void
}

/** Runs every pending call: all start that have not, then all end. */
export const runCalls = (agent: Agent, options: CallOptions = {}): void => {
  const started = agent.pending.map((call) =>
    call.callSeq === null ? startCall(agent, call) : call,
  )
  // Parallel calls end in any order.
  if (started.length > 1 && agent.prng.chance(0.3)) started.reverse()
  for (const call of started) {
    options.during?.(call)
    finishCall(agent, call, (options.outcome ?? typicalOutcome)(agent, call))
  }
}
