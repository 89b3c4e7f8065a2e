import type { JsonObject } from "../data/json.ts"
import { ownValue } from "../data/json.ts"
import type { Message } from "../messages/event-message.ts"
import type { SurfaceNode } from "../surface/node.ts"
import { headerSystemTokens, toolsTokens } from "../tokens/estimate.ts"
import { activeTools, headerConfig } from "./logged-request.ts"
import type { RequestHeaderAt } from "./logged-request.ts"
import type { RequestPoint } from "./request-points.ts"
import type { ToolUpdateOption } from "./tool-update.ts"

/** A message of a request: the node that it comes of, and its size. */
export interface SentMessage {
  readonly node: SurfaceNode
  /** What a projection made of it. */
  readonly projected: Message | undefined
  /** Bytes of its canonical JSON. */
  readonly bytes: number
}

/** What a request begins with, before any message. */
export interface SentHead {
  readonly logged: RequestHeaderAt
  readonly model: string
  readonly tools: readonly JsonObject[]
  /** Prompt in the header, up to format 2. */
  readonly system: string
  readonly tokens: number
}

/** A request as it is compared with the next one. */
export interface SentRequest {
  readonly point: RequestPoint
  readonly head: SentHead
  /** Shared by requests that only grow; the first `count` are those of this one. */
  readonly messages: readonly SentMessage[]
  readonly count: number
  readonly bytes: number
  readonly messageTokens: number
  readonly contentGeneration: number
  /** Last node of the surface, with a message or without; −1 for an empty one. */
  readonly lastNode: number
}

const textIn = (object: JsonObject | null, key: string): string => {
  const value = object === null ? undefined : ownValue(object, key)
  return typeof value === "string" ? value : ""
}

// tools as they stand before the messages; what is told later within them breaks nothing
const leadingTools = (
  { header, toolHistory }: RequestHeaderAt,
  option: ToolUpdateOption | null,
): readonly JsonObject[] => {
  const active = activeTools(header)
  if (option === "none") return active
  if (option !== "addition-only") return toolHistory.tools
  const names = new Set(active.map(({ name }) => name))
  return toolHistory.tools.filter(({ name }) => names.has(name))
}

/** What a request begins with, by what the log says of its header. */
export const sentHead = (logged: RequestHeaderAt, option: ToolUpdateOption | null): SentHead => {
  const { header } = logged
  const config = headerConfig(header)
  const tools = leadingTools(logged, option)
  const system = textIn(header, "system")
  return {
    logged,
    // a NUL stands in no name
    model: `${textIn(config, "provider")}\0${textIn(config, "model")}`,
    tools,
    system,
    tokens: toolsTokens(tools) + headerSystemTokens(system),
  }
}
