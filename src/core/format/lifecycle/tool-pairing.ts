import { isJsonObject } from "../../data/json.ts"
import { surfaceOp } from "../../log/event-facts.ts"
import type { Format } from "../format.ts"
import { arrayField, blockTag, objectField, textField } from "./fields.ts"
import type { Findings } from "./findings.ts"
import { forkResultRule } from "./fork-result.ts"
import type { Sha256 } from "./not-started.ts"
import { isForkRepair, isInterruptedRepair, toolResultOf } from "./not-started.ts"
import type { LifecycleRule, RuleEvent } from "./rule.ts"

interface OpenCall {
  /** Seq of the message that advertised it, or of the call where none did. */
  readonly seq: number
  readonly name: string | null
  readonly arguments: string | null
  isStarted: boolean
}

interface PairingDraft {
  readonly format: Format
  readonly knowsForks: boolean
  readonly open: Map<string, OpenCall>
}

const advertise = (draft: PairingDraft, { facts, data }: RuleEvent, findings: Findings): void => {
  const { seq } = facts
  const message = objectField(data, "message")
  for (const block of message === null ? [] : (arrayField(message, "content") ?? [])) {
    if (blockTag(block) !== "tool-call" || !isJsonObject(block)) continue
    const callId = textField(block, "id")
    if (callId === null) continue
    const open = draft.open.get(callId)
    if (open !== undefined)
      findings.report({ code: "tool-id-open", seq, callId, openSeq: open.seq })
    draft.open.set(callId, {
      seq,
      name: textField(block, "name"),
      arguments: textField(block, "arguments"),
      isStarted: false,
    })
  }
}

const call = (draft: PairingDraft, { facts, data }: RuleEvent, findings: Findings): void => {
  const { seq } = facts
  const callId = textField(data, "callId")
  const open = callId === null ? undefined : draft.open.get(callId)
  const asked = { name: textField(data, "name"), arguments: textField(data, "arguments") }
  if (callId === null || open === undefined) {
    findings.report({ code: "tool-call-unadvertised", seq, callId })
    // its result is no second fault
    if (callId !== null) draft.open.set(callId, { seq, ...asked, isStarted: true })
    return
  }
  if (open.isStarted) findings.report({ code: "tool-call-repeated", seq, callId })
  else if (open.name !== asked.name)
    findings.report({ code: "tool-call-changed", seq, callId, field: "name" })
  else if (open.arguments !== asked.arguments)
    findings.report({ code: "tool-call-changed", seq, callId, field: "arguments" })
  open.isStarted = true
}

const result = (
  draft: PairingDraft,
  { facts, data }: RuleEvent,
  sha256: Sha256,
  findings: Findings,
): void => {
  const { seq } = facts
  const settled = toolResultOf(draft.format, data)
  const { callId } = settled
  const open = callId === null ? undefined : draft.open.get(callId)
  if (callId === null || open === undefined)
    return findings.report({ code: "tool-result-unadvertised", seq, callId })
  draft.open.delete(callId)
  if (open.isStarted) return
  // what else a fork's repair must be is a rule of its own
  const isRepair =
    (draft.knowsForks && isForkRepair(settled)) ||
    (facts.sources === null && isInterruptedRepair(settled, sha256))
  if (!isRepair) findings.report({ code: "tool-result-unstarted", seq, callId })
}

const settleAll = (draft: PairingDraft, seq: number, findings: Findings): void => {
  const [callId] = draft.open.keys()
  if (callId === undefined) return
  findings.report({
    code: "tool-call-unresolved",
    seq,
    callId,
    unresolvedCount: draft.open.size,
  })
  draft.open.clear()
}

/**
 * A tool call is advertised by a message, started, and answered within its step; one that never
 * started is answered by an exact repair.
 *
 * shape   a message gives one finding for each of its ids that is open
 * source  rules R41, R43 and R47 to R50 of the format
 */
export const toolPairingRule = (sha256: Sha256): LifecycleRule<PairingDraft> => ({
  since: 0,
  reads: new Set([
    "turn/start",
    "turn/end",
    "step/end",
    "assistant/message",
    "tool/call",
    "tool/result",
  ]),
  begin: ({ format }) => ({
    format,
    knowsForks: format.version >= forkResultRule.since,
    open: new Map(),
  }),
  step: (draft, event, _before, findings) => {
    const { facts } = event
    switch (facts.type) {
      case "turn/start":
        return draft.open.clear()
      case "assistant/message":
        return advertise(draft, event, findings)
      case "tool/call":
        return call(draft, event, findings)
      case "tool/result":
        return facts.op === surfaceOp.append ? result(draft, event, sha256, findings) : undefined
      default:
        return settleAll(draft, facts.seq, findings)
    }
  },
})
