import type { JsonObject, JsonValue } from "../../data/json.ts"
import { ownValue } from "../../data/json.ts"
import type { CompactionRefusal } from "../../data/relation-refusal.ts"
import { endSeedType } from "../../log/inherited-marker.ts"
import { surfaceOp } from "../../log/event-facts.ts"
import { numberField, objectField, sourceKind, textField } from "./fields.ts"
import type { Findings } from "./findings.ts"
import type { LifecycleRule, RuleEvent, Standing } from "./rule.ts"
import { shadowedRefusal } from "./shadowed-span.ts"

interface OpenCompaction {
  readonly seq: number
  readonly compactionId: string | null
  readonly commandId: JsonValue | undefined
  readonly turn: number | null
  hasSummary: boolean
  /** Whether its turn was found wrong already. */
  isAstray: boolean
  /** Whether a turn started or ended within it. */
  isCrossed: boolean
}

interface CompactionDraft {
  open: OpenCompaction | null
}

const belongsTo = (open: OpenCompaction | null, named: JsonObject): open is OpenCompaction =>
  open !== null &&
  open.compactionId === textField(named, "compactionId") &&
  open.commandId === ownValue(named, "sourceCommandId")

const unmatched = (
  code: "compaction-unmatched" | "compaction-checkpoint",
  seq: number,
  named: JsonObject,
  open: OpenCompaction | null,
): CompactionRefusal => ({
  code,
  seq,
  compactionId: textField(named, "compactionId"),
  openSeq: open?.seq ?? null,
})

const start = (
  draft: CompactionDraft,
  { facts, data }: RuleEvent,
  { position }: Standing,
): CompactionRefusal | null => {
  const { seq } = facts
  const { open } = draft
  const compactionId = textField(data, "compactionId")
  const turn = numberField(data, "turn")
  const isAstray = ownValue(data, "turn") !== position.turn
  draft.open = {
    seq,
    compactionId,
    commandId: ownValue(data, "sourceCommandId"),
    turn,
    hasSummary: false,
    isAstray,
    isCrossed: false,
  }
  if (open !== null) return { code: "compaction-start-open", seq, openSeq: open.seq }
  if (isAstray) return { code: "compaction-turn", seq, turn, openTurn: position.turn }
  return compactionId === null || compactionId === "" ? { code: "compaction-id-empty", seq } : null
}

const ownerRefusal = (
  open: OpenCompaction,
  seq: number,
  { position }: Standing,
): CompactionRefusal | null => {
  if (open.isAstray || open.turn === position.turn) return null
  open.isAstray = true
  return { code: "compaction-turn", seq, turn: open.turn, openTurn: position.turn }
}

const summary = (
  { open }: CompactionDraft,
  { facts, data }: RuleEvent,
  before: Standing,
): CompactionRefusal | null => {
  const { seq } = facts
  const isRepeated = open?.hasSummary === true
  // one of another compaction is taken for the summary of this one
  if (open !== null) open.hasSummary = true
  if (!belongsTo(open, data)) return unmatched("compaction-unmatched", seq, data, open)
  return (
    ownerRefusal(open, seq, before) ??
    (isRepeated
      ? { code: "compaction-summary-repeated", seq, openSeq: open.seq }
      : shadowedRefusal(seq, data, before.surface))
  )
}

const end = (
  draft: CompactionDraft,
  { facts, data }: RuleEvent,
  before: Standing,
): CompactionRefusal | null => {
  const { seq } = facts
  const { open } = draft
  // whatever it names, nothing is open behind it
  draft.open = null
  if (!belongsTo(open, data)) return unmatched("compaction-unmatched", seq, data, open)
  // one that outlived its turn was found where the turn ended
  const owner = open.isCrossed ? null : ownerRefusal(open, seq, before)
  if (owner !== null) return owner
  const turn = numberField(data, "turn")
  if (ownValue(data, "turn") !== open.turn)
    return { code: "compaction-end-turn", seq, turn, expected: open.turn }
  return open.hasSummary || Object.hasOwn(data, "error")
    ? null
    : { code: "compaction-summary-missing", seq, openSeq: open.seq }
}

const checkpoint = (
  { open }: CompactionDraft,
  { facts, data }: RuleEvent,
): CompactionRefusal | null => {
  if (facts.op !== surfaceOp.replace || sourceKind(data) !== "compact-checkpoint") return null
  const source = objectField(data, "source") ?? {}
  return belongsTo(open, source)
    ? null
    : unmatched("compaction-checkpoint", facts.seq, source, open)
}

// whether a start was given up shows only later: at its end, at the next end-seed, or never
const crossTurn = ({ open }: CompactionDraft, { facts }: RuleEvent, findings: Findings): void => {
  if (open === null || open.isCrossed) return
  open.isCrossed = true
  findings.hold({ code: "compaction-turn-boundary", seq: facts.seq, openSeq: open.seq })
}

const refusalOf = (
  draft: CompactionDraft,
  event: RuleEvent,
  before: Standing,
): CompactionRefusal | null => {
  switch (event.facts.type) {
    case "compaction/start":
      return start(draft, event, before)
    case "compaction/summary":
      return summary(draft, event, before)
    case "compaction/end":
      return end(draft, event, before)
    case "compaction/prune":
      return shadowedRefusal(event.facts.seq, event.data, before.surface)
    default:
      return checkpoint(draft, event)
  }
}

/**
 * A compaction is started, summed up and ended within one turn, one at a time, and names exactly
 * the nodes that it shadows. One that was given up at an end-seed may have outlived its turn.
 *
 * cost    a summary or prune costs the nodes between its ends
 * source  rules R44 and R62 to R66 of the format
 */
export const compactionRule: LifecycleRule<CompactionDraft> = {
  since: 4,
  reads: new Set([
    "turn/start",
    "turn/end",
    "compaction/start",
    "compaction/summary",
    "compaction/end",
    "compaction/prune",
    "user/message",
    endSeedType,
  ]),
  begin: () => ({ open: null }),
  step: (draft, event, before, findings) => {
    switch (event.facts.type) {
      case "turn/start":
      case "turn/end":
        return crossTurn(draft, event, findings)
      case endSeedType:
        draft.open = null
        return findings.drop()
      default: {
        const refusal = refusalOf(draft, event, before)
        if (event.facts.type === "compaction/end") findings.release()
        if (refusal !== null) findings.report(refusal)
        return undefined
      }
    }
  },
}
