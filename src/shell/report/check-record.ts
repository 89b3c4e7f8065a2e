import type { CheckReport } from "../../core/check/check-report.ts"
import type { Found } from "../../core/check/finding-list.ts"
import { findingSeq } from "../../core/check/finding-list.ts"
import type { JsonObject, JsonValue } from "../../core/data/json.ts"
import type { Finding } from "../../core/data/relation-refusal.ts"
import type { Layer } from "../../core/fold/code-layer.ts"
import { layerOf } from "../../core/fold/code-layer.ts"
import type { FoundLog } from "../archive/discover.ts"
import type { MigrateReply } from "../../workers/task-protocol.ts"
import { causeText } from "./cause-text.ts"
import { causeWitness, messagesDiffer } from "./migration-record.ts"
import { faultText } from "./fault-text.ts"
import { findingSentence } from "./refusal-text.ts"
import type { Status, TailFields } from "./session-record.ts"
import { faultDetail, tailFields } from "./session-record.ts"

/** One thing that is wrong with a log: `refold.finding/1`. */
export interface FindingRecord {
  readonly schema: "refold.finding/1"
  readonly path: string
  readonly root: string
  readonly session: string | null
  /** The format as which the log is read: its own, or the later one that was asked for. */
  readonly as: number | null
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
  /** How the log would come to the later format that was asked for; null where none was. */
  readonly upgrade: UpgradeFields | null
}

/** What stands in the way to a later format. */
interface UpgradeFields {
  readonly to: number
  /** `current` has the format already, `newer` a later one. */
  readonly status: "accepted" | "refused" | "current" | "newer" | "unreadable"
  readonly causeCount: number
  readonly proof: "equal" | "different" | "not-possible" | null
}

/** A log, and what came of trying its way to a later format. */
export interface Checked {
  readonly check: CheckReport
  readonly upgrade: MigrateReply | null
}

const witnessOf = (finding: Finding): JsonObject => {
  const witness: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(finding) as readonly (readonly [string, JsonValue])[])
    if (key !== "code" && key !== "seq") witness[key] = value
  return witness
}

/** The findings of one log, in its order. */
export const findingRecords = (
  log: FoundLog,
  { check: report, upgrade }: Checked,
  as: number | null,
): readonly FindingRecord[] => {
  const common = {
    schema: "refold.finding/1",
    path: log.path,
    root: log.root,
    session: report.header?.id ?? null,
    as: report.header?.formatVersion ?? null,
  } as const
  const { fault } = report
  const recordOf =
    (version: number | null) =>
    ({ finding, row, byteOffset }: Found): FindingRecord => ({
      ...common,
      as: version,
      layer: layerOf(finding.code),
      code: finding.code,
      seq: findingSeq(finding),
      row,
      byteOffset,
      detail: findingSentence(finding),
      witness: witnessOf(finding),
    })
  const records = report.found.map(recordOf(common.as))
  if (upgrade?.is === "migrated") {
    for (const cause of upgrade.report.causes)
      records.push({
        ...common,
        as,
        layer: "migration",
        code: cause.code,
        seq: cause.seq,
        row: null,
        byteOffset: null,
        detail: causeText(cause),
        witness: { class: cause.class, from: cause.from, to: cause.to, ...causeWitness(cause) },
      })
    for (const found of upgrade.report.check?.found ?? []) records.push(recordOf(as)(found))
    const { proof } = upgrade.report
    if (proof?.is === "different")
      records.push({
        ...common,
        as,
        layer: "migration",
        code: messagesDiffer,
        seq: null,
        row: null,
        byteOffset: null,
        detail: `message ${proof.message} is not the one that the log comes to by itself`,
        witness: { message: proof.message },
      })
  }
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

const upgradeFields = (upgrade: MigrateReply, to: number): UpgradeFields => {
  if (upgrade.is === "no-way") {
    const status = upgrade.from === to ? "current" : "newer"
    return { to, status, causeCount: 0, proof: null }
  }
  if (upgrade.is === "no-log" && upgrade.isLog)
    return { to, status: "refused", causeCount: 1, proof: null }
  if (upgrade.is !== "migrated") return { to, status: "unreadable", causeCount: 0, proof: null }
  const { isSound, causeCount, check, proof } = upgrade.report
  return {
    to,
    status: isSound ? "accepted" : "refused",
    // what the reader of the later format refuses stands in the way as well
    causeCount: causeCount + (check === null || isSound ? 0 : check.found.length),
    proof: proof?.is ?? null,
  }
}

/** The verdict on one log. */
export const verdictRecord = (
  log: FoundLog,
  { check: report, upgrade }: Checked,
  as: number | null,
): VerdictRecord => {
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
    tail: tailFields(report.tail),
    upgrade: as === null || upgrade === null ? null : upgradeFields(upgrade, as),
  }
}
