import type { JsonObject } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import { headerTools, isSameTools } from "../request/header.ts"
import type { SystemPromptNode } from "./prompt-node.ts"

/** What a request is made with, as readers show it. */
export interface RequestPrompt {
  readonly config: JsonObject
  /** The prompt that holds, empty for none; null where the window does not tell. */
  readonly system: string | null
  readonly tools: readonly JsonObject[]
}

/** What differs from the prompt before, and the event that is to be shown for it. */
export interface RequestPromptChange {
  readonly seq: number
  /** Epoch milliseconds. */
  readonly time: number
  readonly kind: "initial" | "system" | "tools" | "system-and-tools"
  /** Null where it is the first one. */
  readonly previous: RequestPrompt | null
}

/** A logged request header. */
export interface LoggedHeader {
  readonly seq: number
  /** Epoch milliseconds. */
  readonly time: number
  readonly header: JsonObject
  /** Why it was logged; older logs do not say. */
  readonly reason: string | null
}

/** A request header as a prompt, and what it changes. */
export interface InspectedRequest {
  readonly prompt: RequestPrompt
  readonly change: RequestPromptChange | null
}

const changeKind = (system: boolean, tools: boolean): "system" | "tools" | "system-and-tools" =>
  system && tools ? "system-and-tools" : system ? "system" : "tools"

/**
 * What a request header changes in the eyes of a reader.
 *
 * shape   `system` is the prompt that holds, `text` what is known of it. A header whose prompt is an
 *         update in history tells no change of it: the update told it. Without a header before, only
 *         an initial one is a change; what is not known has not changed
 * source  rule Q-18 of the note on prompts in history
 */
export const inspectRequestPrompt = (
  previous: RequestPrompt | null,
  { seq, time, header, reason }: LoggedHeader,
  system: SystemPromptNode | null,
  text: string | null,
): InspectedRequest => {
  const config = ownValue(header, "config")
  const prompt: RequestPrompt = {
    config: isJsonObject(config) ? config : {},
    system: text,
    tools: headerTools(header),
  }
  if (previous === null) {
    if (reason !== "initial") return { prompt, change: null }
    const from = system ?? { seq, time }
    return { prompt, change: { seq: from.seq, time: from.time, kind: "initial", previous } }
  }
  const isSystem =
    system?.update !== true && previous.system !== null && text !== null && previous.system !== text
  const isTools = !isSameTools(previous.tools, prompt.tools)
  if (!isSystem && !isTools) return { prompt, change: null }
  const from = isSystem && system !== null ? system : { seq, time }
  const kind = changeKind(isSystem, isTools)
  return { prompt, change: { seq: from.seq, time: from.time, kind, previous } }
}
