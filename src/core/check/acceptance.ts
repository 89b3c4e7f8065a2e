import type { AcceptanceFinding } from "../data/check-finding.ts"
import type { JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { Format } from "../format/format.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import { toolResultHolder } from "../log/tool-result-holder.ts"
import { contentOf, derivesMessage, eventMessage } from "../messages/event-message.ts"

/** What a provider looks at in one message beside its text. */
export interface MessageCalls {
  /** Ids of the tool calls that it makes; null for a message that is not the assistant's. */
  readonly callIds: readonly string[] | null
  /** The call that it answers, or null. */
  readonly resultOf: string | null
  /** Whether it says nothing. */
  readonly isEmpty: boolean
}

/** A node of the surface as the check of acceptance sees it. */
export interface JudgedNode {
  readonly seq: number
  /** Null for a node that no message comes of. */
  readonly message: MessageCalls | null
  /** Whether messages before it may be missing, so that nobody knows which calls are open. */
  readonly isAfterLoss: boolean
}

/** Which part of the messages is judged. */
export interface JudgedPart {
  /** Whether it begins with the first message: else results before its first call are not judged. */
  readonly isFromStart: boolean
  /** Whether it goes on to the last message: else calls that are open at its end are not judged. */
  readonly isToEnd: boolean
  /** The replacement that it is judged for, or null. */
  readonly afterSeq: number | null
}

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "")

/** What counts of the message of an event; null for one that no message comes of. */
export const messageCalls = (
  format: Format,
  kind: SurfaceKind,
  data: JsonValue,
): MessageCalls | null => {
  const message = eventMessage(kind, data)
  if (message === null || !derivesMessage(kind, message)) return null
  if (kind === surfaceKind.toolResult) {
    const holder = toolResultHolder(format.rules.toolResultContent, message)
    // a tool may have nothing to say, and providers know that
    const resultOf = holder === null ? "" : textOf(ownValue(holder, "toolCallId"))
    return { callIds: null, resultOf, isEmpty: false }
  }
  const content = contentOf(message)
  if (kind !== surfaceKind.assistant)
    return { callIds: null, resultOf: null, isEmpty: content.length === 0 }
  const callIds: string[] = []
  for (const block of content)
    if (isJsonObject(block) && block["type"] === "tool-call")
      callIds.push(textOf(ownValue(block, "id")))
  return { callIds, resultOf: null, isEmpty: false }
}

/**
 * What a provider would refuse in messages that follow each other.
 *
 * shape   calls of the last message that makes any may be open: they are answered later
 */
export const acceptanceFindings = (
  nodes: Iterable<JudgedNode>,
  { isFromStart, isToEnd, afterSeq }: JudgedPart,
): readonly AcceptanceFinding[] => {
  const found: AcceptanceFinding[] = []
  let asker = -1
  let open: Set<string> = new Set()
  let isParted = false
  let isKnown = isFromStart
  const unanswered = (): void => {
    for (const callId of open)
      found.push({ code: "call-without-result", seq: asker, callId, afterSeq })
  }
  for (const { seq, message, isAfterLoss } of nodes) {
    if (isAfterLoss) {
      open = new Set()
      isKnown = false
    }
    if (message === null) continue
    const { callIds, resultOf, isEmpty } = message
    if (isEmpty) found.push({ code: "message-empty", seq, afterSeq })
    if (callIds !== null) {
      unanswered()
      asker = seq
      open = new Set(callIds)
      isParted = false
      isKnown = true
    } else if (resultOf === null) isParted = true
    else if (isKnown)
      if (!open.delete(resultOf))
        found.push({ code: "result-without-call", seq, callId: resultOf, afterSeq })
      else if (isParted)
        found.push({ code: "result-not-adjacent", seq, callId: resultOf, afterSeq })
  }
  // something came between the last calls and their results that never came
  if (isToEnd && isParted) unanswered()
  return found
}
