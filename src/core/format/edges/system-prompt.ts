import type { JsonObject } from "../../data/json.ts"
import { promptPlugin } from "./source-kinds.ts"

/** The event that a system message is made for: its seq and type in the log of format 2. */
export interface PromptAnchor {
  readonly seq: number
  readonly type: "step/start" | "request/header"
}

/** How the ids of all made system messages begin. */
export const promptIdPrefix = "v2-to-v3-system-"

/** The system message of format 3 for a prompt that stood in a request header; it may be empty. */
export const promptMessage = (
  sessionId: string,
  anchor: PromptAnchor,
  prompt: string,
  sha256: (text: string) => string,
): JsonObject => {
  const name = JSON.stringify(["session-format-v2-to-v3", sessionId, anchor.seq, anchor.type])
  return {
    id: `${promptIdPrefix}${sha256(name)}`,
    role: "system",
    source: { kind: "plugin", plugin: promptPlugin },
    content: prompt === "" ? [] : [{ type: "text", text: prompt }],
  }
}
