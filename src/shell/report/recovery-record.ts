import type { CheckReport } from "../../core/check/check-report.ts"
import type { JsonObject } from "../../core/data/json.ts"
import type { LineRange } from "../../core/log/line-range.ts"
import type { ContainerFault } from "../../core/fold/container-fault.ts"
import type { FoundLog } from "../archive/discover.ts"
import type { Status } from "./session-record.ts"
import { faultDetail } from "./session-record.ts"

/** One file that was made of parts of a log. */
export interface OutputRecord {
  /**
   * `log` is the log without its damage, `branch` one of several that writers went on with, `part`
   * rows behind events that are missing, `removed` the rows that an open turn was cut back by.
   */
  readonly kind: "log" | "branch" | "part" | "removed"
  /** Where it is; null where it was only tried, or nothing was written. */
  readonly file: string | null
  readonly eventCount: number
  readonly byteCount: number
  /** Seq from which on a branch is its own. */
  readonly forkedAt: number | null
  /** How a reader ends it; null for rows that are no log by themselves. */
  readonly status: Status | null
  readonly findingCounts: Readonly<Record<string, number>> | null
  /** The turn that it ended in, and what was done about it. */
  readonly openTurn: {
    readonly turn: number
    readonly done: string
    readonly events: number
    readonly byteCount: number
  } | null
}

/** What was saved of a log: `refold.recovery/1`. */
export interface RecoveryRecord {
  readonly schema: "refold.recovery/1"
  readonly path: string
  readonly root: string
  readonly session: string | null
  readonly project: string | null
  readonly container: string | null
  readonly formatVersion: number | null
  /** `whole` has nothing to be recovered from, and nothing was written. */
  readonly status: "recovered" | "whole" | "refused" | "exists" | "unreadable" | "unwritten"
  readonly outputs: readonly OutputRecord[]
  /** Lines that are no rows, and are in no output. */
  readonly dropped: readonly LineRange[]
  /** Bytes after the last newline, which are in no output. */
  readonly tail: LineRange | null
  /** What is wrong with the container of the log; behind it nothing was decoded. */
  readonly containerDamage: { readonly code: string; readonly detail: JsonObject } | null
  readonly refusalCode: string | null
  readonly refusalDetail: JsonObject | null
}

/** What a check says of an output. */
export const checkedFields = (
  check: CheckReport,
): Pick<OutputRecord, "eventCount" | "status" | "findingCounts"> => ({
  eventCount: check.eventCount,
  status: check.status,
  findingCounts: Object.fromEntries(check.counts),
})

/** The record of a log; unreadable without more to say. */
export const recoveryRecord = (log: FoundLog, more: Partial<RecoveryRecord>): RecoveryRecord => ({
  schema: "refold.recovery/1",
  path: log.path,
  root: log.root,
  session: null,
  project: log.project,
  container: log.container,
  formatVersion: null,
  status: "unreadable",
  outputs: [],
  dropped: [],
  tail: null,
  containerDamage: null,
  refusalCode: null,
  refusalDetail: null,
  ...more,
})

/** The record of a log that cannot be read. */
export const faultRecovery = (log: FoundLog, fault: ContainerFault): RecoveryRecord =>
  recoveryRecord(log, { refusalCode: fault.code, refusalDetail: faultDetail(fault) })
