import type { JsonValue } from "../data/json.ts"
import type { SurfaceNode } from "../surface/node.ts"
import type { SurfaceState } from "../surface/state.ts"
import { deriveEventMessage } from "./derive.ts"
import type { Message } from "./event-message.ts"

/** Derived messages with what is needed to extend them instead of deriving them anew. */
export interface DerivedHistory {
  /** Shared by histories that grew from one another; only the longest may push to it. */
  readonly messages: readonly Message[]
  readonly messageCount: number
  /** Surface nodes that were looked at, and the last of them. */
  readonly nodeCount: number
  readonly lastNode: SurfaceNode | null
  /** That of the surface: what was derived holds while it is the same. */
  readonly contentMark: object | null
}

export const noHistory: DerivedHistory = {
  messages: [],
  messageCount: 0,
  nodeCount: 0,
  lastNode: null,
  contentMark: null,
}

/**
 * The history of a surface, from that of an earlier one; any other is of no use, and does no harm.
 *
 * shape   the messages are those of the log; the cache is extended while only nodes were appended,
 *         and rebuilt once `contentGeneration` has moved
 * law     M7, M8 in properties/history.prop.ts
 */
export const deriveHistory = (
  history: DerivedHistory,
  surface: SurfaceState,
  payloadOf: (seq: number) => JsonValue,
): DerivedHistory => {
  // states that grow by appending share their nodes: the same last node, the same prefix
  const isExtended =
    history.contentMark === surface.contentMark &&
    history.nodeCount <= surface.size &&
    (history.nodeCount === 0 || surface.entries[history.nodeCount - 1] === history.lastNode)
  if (isExtended && history.nodeCount === surface.size) return history
  // only the longest of the histories that share an array may push to it
  const isOwner = isExtended && history.messages.length === history.messageCount
  const messages = isOwner
    ? (history.messages as Message[])
    : isExtended
      ? history.messages.slice(0, history.messageCount)
      : []
  for (let i = isExtended ? history.nodeCount : 0; i < surface.size; i++) {
    const node = surface.entries[i]
    if (node === undefined) continue
    const projected = surface.projected.get(node.seq)
    const message = deriveEventMessage(node.kind, payloadOf(node.seq), projected)
    if (message !== null) messages.push(message)
  }
  return {
    messages,
    messageCount: messages.length,
    nodeCount: surface.size,
    lastNode: surface.entries[surface.size - 1] ?? null,
    contentMark: surface.contentMark,
  }
}

/** The messages of a history: a fresh array each time, of shared messages. */
export const messagesOf = (history: DerivedHistory): Message[] =>
  history.messages.slice(0, history.messageCount)
