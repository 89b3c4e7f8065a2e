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
  switch (finding.code) {
    case "endpoint-not-on-surface":
      return [finding.endpoint]
    case "range-reversed":
    case "compaction-range":
      return [finding.start, finding.end]
    case "compaction-span":
      return shadowedSeqs(data)
    case "source-missing":
    case "tool-result-range":
      return [finding.shadowed]
    default:
      return []
  }
}

const eventNamed = (finding: Finding): number | null => {
  switch (finding.code) {
    case "tool-result-changed":
      return finding.shadowed
    case "header-seq-not-header":
    case "tool-definition-missing":
      return finding.headerSeq
    case "projection-target":
    case "projection-image":
      return finding.target
    case "title-citation-other":
      return finding.cited
    default:
      return null
  }
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
