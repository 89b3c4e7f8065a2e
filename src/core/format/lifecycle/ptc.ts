import type { JsonValue } from "../../data/json.ts"
import { jsonEqual, ownValue } from "../../data/json.ts"
import { textField } from "./fields.ts"
import type { Findings } from "./findings.ts"
import type { LifecycleRule, RuleEvent } from "./rule.ts"

interface Dispatch {
  readonly parentCallId: string
  readonly name: string | null
  readonly arguments: JsonValue | undefined
}

interface PtcDraft {
  /** The root of every sub-call of the log. */
  readonly roots: Map<string, string>
  /** Sub-calls that are started and not settled. */
  readonly open: Map<string, Dispatch>
}

interface Ids {
  readonly subCallId: string
  readonly rootCallId: string
  readonly parentCallId: string
}

const idsOf = ({ facts, data }: RuleEvent, findings: Findings): Ids | null => {
  const [subCallId, rootCallId, parentCallId] = [
    textField(data, "subCallId") ?? "",
    textField(data, "rootCallId") ?? "",
    textField(data, "parentCallId") ?? "",
  ]
  const field =
    subCallId === ""
      ? "subCallId"
      : rootCallId === ""
        ? "rootCallId"
        : parentCallId === ""
          ? "parentCallId"
          : null
  if (field === null) return { subCallId, rootCallId, parentCallId }
  findings.report({ code: "ptc-id-empty", seq: facts.seq, field })
  return null
}

const start = (
  draft: PtcDraft,
  { facts, data }: RuleEvent,
  ids: Ids,
  isRepeated: boolean,
  findings: Findings,
): void => {
  const { seq } = facts
  const { subCallId, rootCallId, parentCallId } = ids
  if (isRepeated) findings.report({ code: "ptc-start-repeated", seq, subCallId })
  else if (parentCallId !== rootCallId && draft.roots.get(parentCallId) !== rootCallId)
    findings.report({ code: "ptc-parent-unknown", seq, subCallId, parentCallId })
  draft.roots.set(subCallId, rootCallId)
  draft.open.set(subCallId, {
    parentCallId,
    name: textField(data, "name"),
    arguments: ownValue(data, "arguments"),
  })
}

const settle = (
  draft: PtcDraft,
  { facts, data }: RuleEvent,
  ids: Ids,
  isKnown: boolean,
  findings: Findings,
): void => {
  const { seq } = facts
  const { subCallId, rootCallId, parentCallId } = ids
  const started = draft.open.get(subCallId)
  draft.roots.set(subCallId, rootCallId)
  draft.open.delete(subCallId)
  if (started === undefined) {
    const code = isKnown ? "ptc-settle-repeated" : "ptc-settle-unstarted"
    return findings.report({ code, seq, subCallId })
  }
  const field =
    started.parentCallId !== parentCallId
      ? "parentCallId"
      : started.name !== textField(data, "name")
        ? "name"
        : jsonEqual(started.arguments, ownValue(data, "arguments"))
          ? null
          : "arguments"
  if (field !== null) findings.report({ code: "ptc-settle-changed", seq, subCallId, field })
  return undefined
}

/**
 * A call made by a running tool is started once and settled once, under one root and below a call
 * that is known.
 *
 * cost    keeps the ids of all sub-calls of the log, and the arguments of open ones
 * source  rules R51 to R53 of the format
 */
export const ptcRule: LifecycleRule<PtcDraft> = {
  since: 4,
  reads: new Set(["tool/ptc-dispatch-start", "tool/ptc-dispatch"]),
  begin: () => ({ roots: new Map(), open: new Map() }),
  step: (draft, event, _before, findings) => {
    const ids = idsOf(event, findings)
    if (ids === null) return
    const { subCallId, rootCallId } = ids
    const expected = draft.roots.get(subCallId)
    if (expected !== undefined && expected !== rootCallId) {
      const { seq } = event.facts
      return findings.report({ code: "ptc-root-changed", seq, subCallId, rootCallId, expected })
    }
    const isKnown = expected !== undefined
    if (event.facts.type === "tool/ptc-dispatch") settle(draft, event, ids, isKnown, findings)
    else start(draft, event, ids, isKnown, findings)
  },
}
