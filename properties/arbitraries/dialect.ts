import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"

export const versions: readonly FormatVersion[] = [0, 1, 2, 3, 4]

const words = ["list the files", "ä€𝄞", "", "a\nb", "x".repeat(50), "done"]

const text = (n: number): JsonObject => ({
  type: n % 7 === 6 ? "reasoning" : "text",
  text: words[n % words.length] ?? "",
})

export const image = (n: number): JsonObject => ({
  type: "image",
  attachment: {
    attachmentId: `image-${n}`,
    mediaType: "image/png",
    bytes: 10 + n,
    width: 4,
    height: 3,
  },
  ...(n % 7 === 6 ? { offloaded: true } : {}),
})

/** Content blocks by number, from none to several, with images in two of five. */
export const blocks = (n: number): JsonArray => {
  switch (n % 5) {
    case 0:
      return []
    case 1:
      return [text(n)]
    case 2:
      return [text(n), { type: "opaque-block", value: n }]
    case 3:
      return [text(n), image(n)]
    default:
      return [image(n), text(n), image(n + 1)]
  }
}

/** Content of system messages, whose blocks are checked to the last field. */
export const systemText = (n: number): JsonArray =>
  n % 3 === 0 ? [] : [{ type: "text", text: words[n % words.length] ?? "" }]

export const userData = (id: string, content: JsonArray): JsonObject => ({
  id,
  role: "user",
  content,
  source: { kind: "user" },
})

/** Where an event stands in the course of its session. */
export interface Place {
  readonly turn: number
  readonly step: number
}

export const assistantData = (
  version: FormatVersion,
  place: Place,
  id: string,
  content: JsonArray,
  usage?: JsonObject,
): JsonObject => ({
  ...place,
  message: {
    id,
    role: "assistant",
    content,
    source: { kind: "model", provider: "p", model: "m" },
  },
  ...(version >= 2 ? { stream: [] } : {}),
  ...(usage === undefined ? {} : { usage }),
})

export const toolResultData = (
  version: FormatVersion,
  place: Place,
  callId: string,
  content: JsonArray,
): JsonObject => ({
  ...place,
  message:
    version === 4
      ? {
          id: `r-${callId}`,
          role: "tool",
          source: { kind: "tool", callId },
          toolCallId: callId,
          content,
          isError: false,
        }
      : {
          id: `r-${callId}`,
          role: "user",
          source: { kind: "tool", callId },
          content: [{ type: "tool-result", toolCallId: callId, content, isError: false }],
        },
})

/** The same tool result with other content. */
export const withContent = (
  version: FormatVersion,
  data: JsonObject,
  content: JsonArray,
): JsonObject => {
  const message = data["message"] as JsonObject
  if (version === 4) return { ...data, message: { ...message, content } }
  const [block] = message["content"] as readonly JsonObject[]
  return { ...data, message: { ...message, content: [{ ...block, content }] } }
}

export const systemData = (
  version: FormatVersion,
  place: Place,
  id: string,
  content: JsonArray,
): JsonObject => ({
  ...place,
  message: {
    id,
    role: "system",
    source: version === 3 ? { kind: "plugin", plugin: "prompt" } : { kind: "system-prompt" },
    content,
  },
})

export const developerData = (
  place: Place,
  id: string,
  content: JsonArray,
  headerSeq?: JsonValue,
): JsonObject => ({
  ...place,
  message: { id, role: "developer", source: { kind: "tools" }, content },
  ...(headerSeq === undefined ? {} : { headerSeq }),
})

export const addition = (toolName: string): JsonObject => ({ type: "tool-addition", toolName })
export const removal = (toolName: string): JsonObject => ({ type: "tool-removal", toolName })

export const tool = (name: string): JsonObject => ({
  name,
  description: `does ${name}`,
  parameters: { type: "object" },
})

export const toolNames: readonly string[] = ["ls", "grep", "edit"]

export const headerData = (
  version: FormatVersion,
  tools: readonly JsonObject[],
  n: number,
): JsonObject => ({
  header: {
    config: { provider: "p", model: `m${n % 3}` },
    ...(version < 3 ? { system: words[n % words.length] ?? "" } : {}),
    ...(tools.length > 0 || version < 3 ? { tools } : {}),
  },
  reason: "change",
})

/** The marker of a replacement, with the endpoint keys of the format. */
export const replaceMarker = (version: FormatVersion, start: number, end: number): JsonObject =>
  version < 3 ? { op: "replace", start, end } : { op: "replace", startSeq: start, endSeq: end }

/** A session header; `cut` is the number of inherited events, or null for a session of its own. */
export const sessionHeader = (version: FormatVersion, cut: number | null): JsonObject => ({
  type: "session",
  version,
  id: "session-1",
  createdAt: 1_000,
  delegationDepth: 0,
  ...(cut === null ? {} : { parentSession: "session-0" }),
  ...(version >= 2 ? { isSeeded: cut !== null } : cut === null ? {} : { seedLength: cut }),
})

/** The storage form of a strictly growing list: runs of three or more become pairs. */
export const withPairs = (seqs: readonly number[], shortest = 3): JsonArray => {
  const items: JsonValue[] = []
  let first = 0
  for (let i = 1; i <= seqs.length; i++) {
    if (i < seqs.length && seqs[i] === (seqs[i - 1] ?? 0) + 1) continue
    const run = seqs.slice(first, i)
    if (run.length >= shortest) items.push([run[0] ?? 0, run[run.length - 1] ?? 0])
    else for (const seq of run) items.push(seq)
    first = i
  }
  return items
}
