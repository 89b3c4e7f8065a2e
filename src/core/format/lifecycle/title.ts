import { isCount } from "../../data/count.ts"
import type { TitleRefusal } from "../../data/relation-refusal.ts"
import { AscendingSeqs } from "./ascending-seqs.ts"
import { arrayField, sourceKind } from "./fields.ts"
import type { LifecycleRule, RuleEvent } from "./rule.ts"

interface TitleDraft {
  /** Seqs of all messages of the user's own. */
  readonly userSeqs: AscendingSeqs
}

const citationFinding = (draft: TitleDraft, { facts, data }: RuleEvent): TitleRefusal | null => {
  const { seq } = facts
  const seen = new Set<number>()
  for (const cited of arrayField(data, "messageSeqs") ?? []) {
    if (!isCount(cited)) return { code: "title-citation-later", seq, cited: null }
    if (cited >= seq) return { code: "title-citation-later", seq, cited }
    if (seen.has(cited)) return { code: "title-citation-repeated", seq, cited }
    if (!draft.userSeqs.has(cited)) return { code: "title-citation-other", seq, cited }
    seen.add(cited)
  }
  return null
}

const numberFinding = ({ facts, data }: RuleEvent): TitleRefusal | null => {
  const { seq } = facts
  const cites = (arrayField(data, "messageSeqs")?.length ?? 0) > 0
  // only a title that the user gave rests on no message
  const isUsers = facts.type === "session/title" && sourceKind(data) === "user"
  if (cites && isUsers) return { code: "title-citations-unexpected", seq }
  return cites || isUsers ? null : { code: "title-citations-missing", seq }
}

/**
 * A title cites the user's messages that it was made of, each once, unless the user gave it.
 *
 * cost    keeps the seqs of the user's messages
 * source  rules R57, R58 and the citations of R59 of the format
 */
export const titleRule: LifecycleRule<TitleDraft> = {
  since: 0,
  reads: new Set(["user/message", "session/title", "session/title-llm-request"]),
  begin: () => ({ userSeqs: new AscendingSeqs() }),
  step: (draft, event, _before, findings) => {
    if (event.facts.type === "user/message") {
      if (sourceKind(event.data) === "user") draft.userSeqs.add(event.facts.seq)
      return
    }
    const finding = numberFinding(event) ?? citationFinding(draft, event)
    if (finding !== null) findings.report(finding)
  },
}
