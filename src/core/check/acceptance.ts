import type { AcceptanceFinding } from "../data/check-finding.ts"
import type { JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { Format } from "../format/format.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import { toolResultHolder } from "../log/tool-result-holder.ts"
import { contentOf, derivesMessage, eventMessage } from "../messages/event-message.ts"

/** What a provider looks at in one message beside its text. */
export interface NodeCalls {
  readonly seq: number
  readonly kind: SurfaceKind
  /** Ids of the tool calls that the message makes. */
  readonly callIds: readonly string[]
  /** The call that it answers, or null. */
  readonly resultOf: string | null
  /** Whether it says nothing. */
  readonly isEmpty: boolean
}

const textOf = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "")

/** What counts of the message of an event; null for one that no message comes of. */
export const nodeCalls = (
  format: Format,
  seq: number,
  kind: SurfaceKind,
  data: JsonValue,
): NodeCalls | null => {
  const message = eventMessage(kind, data)
  if (message === null || !derivesMessage(kind, message)) return null
  const content = contentOf(message)
  const callIds: string[] = []
  if (kind === surfaceKind.assistant)
    for (const block of content)
      if (isJsonObject(block) && block["type"] === "tool-call")
        callIds.push(textOf(ownValue(block, "id")))
  if (kind !== surfaceKind.toolResult)
    return { seq, kind, callIds, resultOf: null, isEmpty: content.length === 0 }
  const holder = toolResultHolder(format.rules.toolResultContent, message)
  const resultOf = holder === null ? "" : textOf(ownValue(holder, "toolCallId"))
  // a tool may have nothing to say, and providers know that
  return { seq, kind, callIds, resultOf, isEmpty: false }
}

/**
 * What a provider would refuse in messages that follow each other.
 *
 * @param isWhole  whether the first node is the first of the surface: else what comes before the
 *                 first assistant message is not judged
 * shape   calls of the last assistant message may be open still: they are answered later
 */
export const acceptanceFindings = (
  nodes: Iterable<NodeCalls>,
  isWhole: boolean,
  afterSeq: number | null,
): readonly AcceptanceFinding[] => {
  const found: AcceptanceFinding[] = []
  let asker = -1
  let open: Set<string> = new Set()
  let isParted = false
  let isKnown = isWhole
  for (const { seq, kind, callIds, resultOf, isEmpty } of nodes) {
    if (isEmpty) found.push({ code: "message-empty", seq, afterSeq })
    if (resultOf !== null) {
      if (!isKnown) continue
      if (!open.delete(resultOf))
        found.push({ code: "result-without-call", seq, callId: resultOf, afterSeq })
      else if (isParted)
        found.push({ code: "result-not-adjacent", seq, callId: resultOf, afterSeq })
      continue
    }
    if (kind !== surfaceKind.assistant) {
      isParted = true
      continue
    }
    for (const callId of open)
      found.push({ code: "call-without-result", seq: asker, callId, afterSeq })
    asker = seq
    open = new Set(callIds)
    isParted = false
    isKnown = true
  }
  // something came between the last calls and their results that never came
  if (isParted)
    for (const callId of open)
      found.push({ code: "call-without-result", seq: asker, callId, afterSeq })
  return found
}
