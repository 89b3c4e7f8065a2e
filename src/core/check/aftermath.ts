import type { JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { Finding } from "../data/relation-refusal.ts"

const shadowedSeqs = (data: JsonValue): readonly number[] => {
  const listed = isJsonObject(data) ? ownValue(data, "shadowedSeqs") : undefined
  return isJsonArray(listed) ? listed.filter((each) => typeof each === "number") : []
}

const namedSeqs = (finding: Finding, data: JsonValue): readonly (number | null)[] => {
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
    case "tool-result-changed":
      return [finding.shadowed]
    case "header-seq-not-header":
    case "tool-definition-missing":
      return [finding.headerSeq]
    case "projection-target":
    case "projection-image":
      return [finding.target]
    case "title-citation-other":
      return [finding.cited]
    default:
      return []
  }
}

/**
 * Whether a finding comes of another one: the event that it rests on is missing or was refused, and
 * that was said.
 *
 * @param data  the payload of the event that the finding is about
 */
export const isAftermath = (
  finding: Finding,
  data: JsonValue,
  isUnknown: (seq: number) => boolean,
): boolean => namedSeqs(finding, data).some((seq) => seq !== null && isUnknown(seq))
