import type { JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { Finding } from "../data/relation-refusal.ts"

/** What is not known of a log that is damaged. */
export interface Unknowns {
  /** Whether an event is missing, or was refused. */
  readonly isUnknown: (seq: number) => boolean
  /** Whether an event behind a seq may have changed the surface in a way that is not known. */
  readonly isShaken: (seq: number) => boolean
}

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
 * Whether a finding comes of another one: an event that it rests on is missing or was refused, and
 * that was said.
 *
 * @param data  the payload of the event that the finding is about
 */
export const isAftermath = (finding: Finding, data: JsonValue, unknowns: Unknowns): boolean => {
  const { isUnknown, isShaken } = unknowns
  const event = eventNamed(finding)
  if (event !== null) return isUnknown(event)
  return nodesNamed(finding, data).some((seq) => seq !== null && (isUnknown(seq) || isShaken(seq)))
}
