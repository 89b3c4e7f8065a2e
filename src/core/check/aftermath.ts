import type { JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { Finding, RelationRefusal } from "../data/relation-refusal.ts"
import { layerOf } from "../fold/code-layer.ts"
import type { EventFacts } from "../log/event-facts.ts"
import { SeqRanges } from "./seq-ranges.ts"

const shadowedSeqs = (data: JsonValue): readonly number[] => {
  const listed = isJsonObject(data) ? ownValue(data, "shadowedSeqs") : undefined
  return isJsonArray(listed) ? listed.filter((each) => typeof each === "number") : []
}

const nodesNamed = (finding: Finding, data: JsonValue): readonly (number | null)[] => {
  const { code } = finding
  if (code === "endpoint-not-on-surface") return [finding.endpoint]
  if (code === "source-missing" || code === "tool-result-range") return [finding.shadowed]
  if (code === "range-reversed" || code === "compaction-range") return [finding.start, finding.end]
  return code === "compaction-span" ? shadowedSeqs(data) : []
}

const eventNamed = (finding: Finding): number | null => {
  const { code } = finding
  if (code === "tool-result-changed") return finding.shadowed
  if (code === "projection-target" || code === "projection-image") return finding.target
  if (code === "header-seq-not-header" || code === "tool-definition-missing")
    return finding.headerSeq
  return code === "title-citation-other" ? finding.cited : null
}

/**
 * What comes of faults that were found: findings that rest on an event which is missing or was
 * refused are no faults of their own.
 *
 * cost    ranges of the events that were refused, and of those in turns that miss others
 */
export class Aftermath {
  private readonly missing: SeqRanges
  private readonly refused: SeqRanges = new SeqRanges()
  // replacements whose place on the surface is not known
  private readonly unplaced: SeqRanges = new SeqRanges()
  // events of a turn in which others are missing
  private readonly astray: SeqRanges = new SeqRanges()
  private isAstray = false

  /** `missing` are the events that are passed over, as they become known. */
  constructor(missing: SeqRanges) {
    this.missing = missing
  }

  get isEmpty(): boolean {
    return this.missing.isEmpty && this.refused.isEmpty
  }

  /** Goes past events that are missing. */
  lose(): void {
    this.isAstray = true
  }

  /** Takes a row of the log, refused or not. */
  take({ type, seq, count }: EventFacts): void {
    if (this.isAstray) this.astray.add(seq, count)
    if (type === "turn/start") this.isAstray = false
  }

  /** Takes a row that was refused; `isPlaced` where the surface is what it says all the same. */
  refuse({ seq, count }: EventFacts, isPlaced: boolean): void {
    this.refused.add(seq, count)
    if (!isPlaced) this.unplaced.add(seq, count)
  }

  /** Whether a finding about an event with a payload comes of an earlier one. */
  explains(finding: Finding, data: JsonValue): boolean {
    const event = eventNamed(finding)
    if (event !== null) return this.isUnknown(event)
    return nodesNamed(finding, data).some(
      (seq) => seq !== null && (this.isUnknown(seq) || this.isShaken(seq)),
    )
  }

  /** Whether a rule between events is not asked about the event of a finding. */
  silences({ code, seq }: RelationRefusal): boolean {
    return this.refused.has(seq) || (layerOf(code) === "relationship" && this.astray.has(seq))
  }

  private isUnknown(seq: number): boolean {
    return this.missing.has(seq) || this.refused.has(seq)
  }

  // whether an event behind a seq may have changed the surface in a way that is not known
  private isShaken(seq: number): boolean {
    return this.missing.hasAfter(seq) || this.unplaced.hasAfter(seq)
  }
}
