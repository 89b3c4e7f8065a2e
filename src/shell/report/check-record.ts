import type { CheckReport } from "../../core/check/check-report.ts"
import type { Found } from "../../core/check/finding-list.ts"
import { findingSeq } from "../../core/check/finding-list.ts"
import type { JsonObject, JsonValue } from "../../core/data/json.ts"
import type { Finding } from "../../core/data/relation-refusal.ts"
import type { Layer } from "../../core/fold/code-layer.ts"
import { layerOf } from "../../core/fold/code-layer.ts"
import type { FoundLog } from "../archive/discover.ts"
import { faultText } from "./fault-text.ts"
import { findingSentence } from "./refusal-text.ts"
import type { Status, TailFields } from "./session-record.ts"
import { faultDetail } from "./session-record.ts"

/** One thing that is wrong with a log: `refold.finding/1`. */
export interface FindingRecord {
  readonly schema: "refold.finding/1"
  readonly path: string
  readonly root: string
  readonly session: string | null
  readonly layer: Layer
  readonly code: string
  readonly seq: number | null
  readonly row: number | null
  readonly byteOffset: number | null
  /** The finding in a sentence, for people; it may change its words. */
  readonly detail: string
  /** The numbers and names of the finding. */
  readonly witness: JsonObject
}

/** What a check comes to for one log: `refold.verdict/1`. */
export interface VerdictRecord {
  readonly schema: "refold.verdict/1"
  readonly path: string
  readonly root: string
  readonly session: string | null
  readonly project: string | null
  readonly formatVersion: number | null
  readonly container: string | null
  readonly byteCount: number | null
  readonly eventCount: number
  /** Events before the first one for which a reader refuses the log. */
  readonly acceptedEvents: number
  readonly status: Status
  readonly refusalCode: string | null
  readonly refusalSeq: number | null
  readonly refusalDetail: JsonObject | null
  readonly findingCount: number
  /** How often each code was found. */
  readonly findingCounts: Readonly<Record<string, number>>
  readonly tail: TailFields | null
}

const witnessOf = (finding: Finding): JsonObject => {
  const witness: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(finding) as readonly (readonly [string, JsonValue])[])
    if (key !== "code" && key !== "seq") witness[key] = value
  return witness
}

/** The findings of one log, in its order. */
export const findingRecords = (log: FoundLog, report: CheckReport): readonly FindingRecord[] => {
  const common = {
    schema: "refold.finding/1",
    path: log.path,
    root: log.root,
    session: report.header?.id ?? null,
  } as const
  const { fault } = report
  const records = report.found.map(({ finding, row, byteOffset }): FindingRecord => ({
    ...common,
    layer: layerOf(finding.code),
    code: finding.code,
    seq: findingSeq(finding),
    row,
    byteOffset,
    detail: findingSentence(finding),
    witness: witnessOf(finding),
  }))
  if (fault === null) return records
  const broken: FindingRecord = {
    ...common,
    layer: layerOf(fault.code),
    code: fault.code,
    seq: null,
    row: null,
    byteOffset: null,
    detail: faultText(fault),
    witness: faultDetail(fault),
  }
  return [broken, ...records]
}

const refusalOf = (
  found: Found | null,
): Pick<VerdictRecord, "refusalCode" | "refusalSeq" | "refusalDetail"> =>
  found === null
    ? { refusalCode: null, refusalSeq: null, refusalDetail: null }
    : {
        refusalCode: found.finding.code,
        refusalSeq: findingSeq(found.finding),
        refusalDetail: {
          row: found.row,
          byteOffset: found.byteOffset,
          ...witnessOf(found.finding),
        },
      }

/** The verdict on one log. */
export const verdictRecord = (log: FoundLog, report: CheckReport): VerdictRecord => {
  const { header, fault, status } = report
  const isRefused = status === "refused" || status === "unreadable"
  const refusal =
    fault === null
      ? refusalOf(isRefused ? report.refusal : null)
      : {
          refusalCode: fault.code,
          refusalSeq: null,
          refusalDetail: faultDetail(fault),
        }
  const counts = report.counts.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    schema: "refold.verdict/1",
    path: log.path,
    root: log.root,
    session: header?.id ?? null,
    project: log.project,
    formatVersion: header?.formatVersion ?? null,
    container: report.container ?? log.container,
    byteCount: report.byteCount,
    eventCount: report.eventCount,
    acceptedEvents: report.acceptedEvents,
    status,
    ...refusal,
    findingCount: counts.reduce((sum, [, count]) => sum + count, fault === null ? 0 : 1),
    findingCounts: Object.fromEntries(fault === null ? counts : [[fault.code, 1], ...counts]),
    tail: report.tail === null ? null : { ...report.tail, cause: "unterminated" },
  }
}
