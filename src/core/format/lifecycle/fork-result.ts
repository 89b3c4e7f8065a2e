import type { ToolRefusal } from "../../data/relation-refusal.ts"
import { surfaceOp } from "../../log/event-facts.ts"
import type { Format } from "../format.ts"
import { hasNotStartedError, idNumber, isForkRepair, toolResultOf } from "./not-started.ts"
import type { LifecycleRule, RuleEvent } from "./rule.ts"

interface ForkDraft {
  readonly format: Format
}

type Part = (ToolRefusal & { readonly code: "fork-result" })["part"]

/** The part of a fork's result that is not in its form; null for any other result. */
export const wrongForkPart = (format: Format, { facts, data }: RuleEvent): Part | null => {
  const result = toolResultOf(format, data)
  if (!isForkRepair(result)) return null
  const { seq, sources } = facts
  const written = idNumber(result.messageId, `forked-tool-result-${result.callId}-`)
  if (written === null) return "id"
  if (!hasNotStartedError(result) || !result.isError) return "error"
  if (result.onlyText === null) return "content"
  if (facts.op === surfaceOp.append) {
    if (written !== seq) return "id"
    return sources === null ? null : "sourceEventSeqs"
  }
  if (facts.op !== surfaceOp.replace) return "surfaceOp"
  if (written >= seq) return "id"
  return sources?.length === 1 && sources.runs[0] === written ? null : "sourceEventSeqs"
}

/**
 * What a fork writes for calls that were not started when it was made says so in one exact form.
 *
 * source  rule R31 of the format
 */
export const forkResultRule: LifecycleRule<ForkDraft> = {
  since: 4,
  reads: new Set(["tool/result"]),
  begin: ({ format }) => ({ format }),
  step: ({ format }, event, _before, findings) => {
    const part = wrongForkPart(format, event)
    if (part === null) return
    const { callId } = toolResultOf(format, event.data)
    findings.report({ code: "fork-result", seq: event.facts.seq, callId, part })
  },
}
