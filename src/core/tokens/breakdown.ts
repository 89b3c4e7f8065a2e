import type { JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { ObjectShape } from "../log/shape.ts"
import { count, exactly } from "../log/shape.ts"
import { toolsTokens } from "./estimate.ts"

/** What the context is made of. An estimate of parts: it is not what a provider counts. */
export interface Breakdown {
  /** The prompt in effect: the last system node that is not empty. */
  readonly systemTokens: number
  /** The tool schemas of the request header in effect. */
  readonly toolsTokens: number
  /** All other nodes, superseded prompts among them. */
  readonly messageTokens: number
}

export const noBreakdown: Breakdown = { systemTokens: 0, toolsTokens: 0, messageTokens: 0 }

export const breakdownShape: ObjectShape = exactly({
  systemTokens: count,
  toolsTokens: count,
  messageTokens: count,
})

/** The breakdown with other figures: the same object while they are the same. */
export const revisedBreakdown = (
  before: Breakdown,
  systemTokens: number,
  tools: number,
  messageTokens: number,
): Breakdown =>
  before.systemTokens === systemTokens &&
  before.toolsTokens === tools &&
  before.messageTokens === messageTokens
    ? before
    : { systemTokens, toolsTokens: tools, messageTokens }

/** Price of the tools in the payload of a request header. */
export const headerToolsTokens = (data: JsonValue): number => {
  const header = isJsonObject(data) ? ownValue(data, "header") : undefined
  return isJsonObject(header) ? toolsTokens(ownValue(header, "tools")) : 0
}
