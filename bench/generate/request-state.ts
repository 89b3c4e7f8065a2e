import type { Agent } from "./agent.ts"
import { textBlock } from "./content.ts"
import { hasSystemNodes, systemSource } from "./dialect.ts"
import type { NodeFacts } from "./surface-model.ts"
import { textOf } from "./text-source.ts"
import { modelMessagePrice, systemPrice } from "./token-price.ts"
import { toolSchema } from "./tool-kit.ts"

const contextWindow = 131_072

/** The text the agent puts before every request. */
export const systemPrompt = (agent: Agent, units: number): string =>
  `You are a coding agent working in ${agent.log.header.cwd ?? "a chat without files"}.\n\n` +
  `Verify what you change. Keep answers short.\n\n${textOf(agent.prng, "prose", units)}`

const systemNode = (text: string): NodeFacts => ({
  kind: "system",
  tokens: systemPrice(text),
  isEmpty: text === "",
  imageCount: 0,
  isRewritable: false,
})

const systemData = (agent: Agent, text: string): object => ({
  ...agent.at,
  message: {
    id: agent.prng.uuid(),
    role: "system",
    source: systemSource(agent.log.format),
    content: text === "" ? [] : [textBlock(text)],
  },
})

/** Appends a system message: the head on an empty surface, an update in history later. */
export const appendSystem = (agent: Agent, text: string): void => {
  agent.log.append("system/message", systemData(agent, text), systemNode(text))
  agent.countAppend()
}

/** Replaces one system message by another text, or clears it. */
export const replaceSystem = (agent: Agent, position: number, text: string): void => {
  agent.log.replace("system/message", systemData(agent, text), systemNode(text), [
    position,
    position,
  ])
}

type HeaderChange = {
  readonly reason: "initial" | "resume" | "change" | "series"
  readonly startsSeries?: true
  readonly systemPromptUpdate?: "in-history"
}

/** Writes the request header with the tools and prompt of now, and the context it runs in. */
export const writeHeader = (agent: Agent, change: HeaderChange): void => {
  const { log, provider, model, tools, systemText } = agent
  const { systemPromptUpdate, ...header } = change
  const inHeader = !hasSystemNodes(log.format) && systemText !== ""
  agent.headerSeq = log.event("request/header", {
    header: {
      config: { provider, model, maxTokens: 8192 },
      adapterDefaults: { maxTokens: true },
      ...(inHeader ? { system: systemText } : {}),
      ...(tools.length === 0 ? {} : { tools: tools.map(toolSchema) }),
    },
    ...header,
  })
  log.event("request/context", {
    provider,
    model,
    contextWindow,
    ...(systemPromptUpdate === undefined ? {} : { systemPromptUpdate }),
  })
}

/** Gives the session another prompt: in the header, or in the head of the surface. */
export const changePrompt = (agent: Agent, text: string): void => {
  agent.systemText = text
  if (agent.log.hasHead) replaceSystem(agent, 0, text)
  writeHeader(agent, { reason: "change" })
}

/** Adds and removes tools; format 4 also tells the model so in a developer message. */
export const changeTools = (
  agent: Agent,
  added: readonly string[],
  removed: readonly string[],
): void => {
  agent.tools = [...agent.tools.filter((name) => !removed.includes(name)), ...added]
  writeHeader(agent, { reason: "change" })
  if (agent.log.format < 4) return
  const content = [
    ...added.map((toolName) => ({ type: "tool-addition", toolName }) as const),
    ...removed.map((toolName) => ({ type: "tool-removal", toolName }) as const),
  ]
  const message = {
    id: agent.prng.uuid(),
    role: "developer",
    source: { kind: "tools" },
    content,
  }
  const headerSeq = added.length === 0 ? {} : { headerSeq: agent.headerSeq }
  agent.log.append(
    "developer/message",
    { ...agent.at, ...headerSeq, message },
    {
      kind: "developer",
      tokens: modelMessagePrice(content),
      isEmpty: content.length === 0,
      imageCount: 0,
      isRewritable: false,
    },
  )
  agent.countAppend()
}
