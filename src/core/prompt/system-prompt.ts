import type { JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { Message } from "../messages/event-message.ts"
import { contentOf, eventMessage } from "../messages/event-message.ts"
import type { SurfaceState } from "../surface/state.ts"

/** A system message that is on the surface. */
export interface SystemNode {
  readonly seq: number
  /** Empty for a dormant one; null where it is not one text, which equals no other. */
  readonly text: string | null
}

/** The text of a message that holds at most one block of text; null for any other. */
export const soleText = (message: Message): string | null => {
  const content = contentOf(message)
  const block = content[0]
  if (block === undefined) return ""
  if (content.length > 1 || !isJsonObject(block) || block["type"] !== "text") return null
  const text = ownValue(block, "text")
  return typeof text === "string" ? text : null
}

/** The system messages of a surface, in its order. */
export const systemNodesOf = (
  surface: SurfaceState,
  payloadOf: (seq: number) => JsonValue,
): readonly SystemNode[] => {
  const nodes: SystemNode[] = []
  for (let i = 0; i < surface.size; i++) {
    const node = surface.entries[i]
    if (node?.kind !== surfaceKind.system) continue
    const { seq } = node
    const message = surface.projected.get(seq) ?? eventMessage(node.kind, payloadOf(seq))
    if (message !== null) nodes.push({ seq, text: soleText(message) })
  }
  return nodes
}

/** The prompt that a model obeys: that of the latest system message that is not dormant. */
export const effectivePrompt = (nodes: readonly SystemNode[]): string | null =>
  (nodes.findLast(({ text }) => text !== "") ?? { text: "" }).text

/** One system message to log: behind all others, or in the place of one node. */
export interface SystemPromptCommit {
  readonly text: string
  /** Seq of the node that it replaces; null to append it. */
  readonly replaces: number | null
}

/**
 * What is to be logged so that the model obeys the prompt as it is rendered now.
 *
 * shape   a route that takes prompts in history has them appended while its series goes on; any
 *         other, a new series and an empty prompt leave no text but that of the first node. Tails
 *         are emptied in surface order, before the first node is rewritten
 * law     PM70, PM71 in properties/admission.prop.ts
 * source  dsh 0.1.7; rules of the note on prompts in history
 */
export const reconcileSystemPrompt = (
  nodes: readonly SystemNode[],
  rendered: string,
  route: { readonly isInHistory: boolean; readonly startsSeries: boolean },
): readonly SystemPromptCommit[] => {
  const [head, ...tails] = nodes
  if (head === undefined) return [{ text: rendered, replaces: null }]
  if (!route.isInHistory || route.startsSeries || rendered === "") {
    const emptied = tails.filter(({ text }) => text !== "")
    return [
      ...emptied.map(({ seq }) => ({ text: "", replaces: seq })),
      ...(head.text === rendered ? [] : [{ text: rendered, replaces: head.seq }]),
    ]
  }
  return effectivePrompt(nodes) === rendered ? [] : [{ text: rendered, replaces: null }]
}

/** A system message of the prompt; empty text has no block. */
export const systemPromptMessage = (id: string, text: string): Message => ({
  id,
  role: "system",
  source: { kind: "system-prompt" },
  content: text === "" ? [] : [{ type: "text", text }],
})
