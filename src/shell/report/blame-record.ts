import type { LogReport } from "../../core/fold/log-report.ts"
import type { BlameCause, BlameRow, RequestPart } from "../../core/request/blame-row.ts"
import type { Usage } from "../../core/tokens/usage.ts"
import type { RequestPlace } from "./request-record.ts"
import { requestPlace } from "./request-record.ts"
import type { RefusalFields, Status } from "./session-record.ts"
import { refusalFields } from "./session-record.ts"

/** One request, compared with the one before: `refold.blame/1`. */
export interface BlameRecord extends RequestPlace {
  readonly schema: "refold.blame/1"
  readonly session: string | null
  readonly messageCount: number
  readonly tokens: number
  readonly sharedMessages: number
  readonly sharedBytes: number
  readonly sharedTokens: number
  /** The part in which the request parts from the one before; null where it begins with all of it. */
  readonly part: RequestPart | null
  readonly messageIndex: number | null
  readonly cause: BlameCause | null
  readonly causeSeq: number | null
  readonly resentTokens: number
  readonly usage: Usage | null
  readonly expectedCacheReadTokens: number | null
  readonly isCacheDisagreeing: boolean | null
}

/** What the requests of a log add up to. */
export interface BlameTotals {
  readonly requestCount: number
  readonly brokenCount: number
  readonly resentTokens: number
  readonly causes: readonly {
    readonly cause: BlameCause
    readonly requests: number
    readonly resentTokens: number
  }[]
  /** Requests of which cache reads can be compared, and those where they disagree. */
  readonly comparedCount: number
  readonly disagreeingCount: number
}

/** All requests of a log: `refold.blame-report/1`. */
export interface BlameReportRecord extends RefusalFields {
  readonly schema: "refold.blame-report/1"
  readonly session: string | null
  readonly formatVersion: number | null
  readonly requests: readonly BlameRecord[]
  readonly totals: BlameTotals
  readonly status: Status
}

const blameRecord = (row: BlameRow, session: string | null): BlameRecord => ({
  schema: "refold.blame/1",
  session,
  ...requestPlace({ point: row.point, throughSeq: row.point.throughSeq }),
  messageCount: row.messageCount,
  tokens: row.tokens,
  sharedMessages: row.shared.messages,
  sharedBytes: row.shared.bytes,
  sharedTokens: row.shared.tokens,
  part: row.break?.part ?? null,
  messageIndex: row.break?.messageIndex ?? null,
  cause: row.break?.cause ?? null,
  causeSeq: row.break?.seq ?? null,
  resentTokens: row.resentTokens,
  usage: row.usage,
  expectedCacheReadTokens: row.cache?.expectedTokens ?? null,
  isCacheDisagreeing: row.cache?.disagrees ?? null,
})

const causesOf = (rows: readonly BlameRow[]): BlameTotals["causes"] => {
  const causes = new Map<BlameCause, { requests: number; resentTokens: number }>()
  for (const { break: parted, resentTokens } of rows) {
    if (parted === null) continue
    const known = causes.get(parted.cause) ?? { requests: 0, resentTokens: 0 }
    causes.set(parted.cause, {
      requests: known.requests + 1,
      resentTokens: known.resentTokens + resentTokens,
    })
  }
  return [...causes]
    .map(([cause, figures]) => ({ cause, ...figures }))
    .sort((a, b) => b.resentTokens - a.resentTokens || (a.cause < b.cause ? -1 : 1))
}

const blameTotals = (rows: readonly BlameRow[]): BlameTotals => ({
  requestCount: rows.length,
  brokenCount: rows.filter((row) => row.break !== null).length,
  resentTokens: rows.reduce((sum, row) => sum + row.resentTokens, 0),
  causes: causesOf(rows),
  comparedCount: rows.filter((row) => row.cache !== null).length,
  disagreeingCount: rows.filter((row) => row.cache?.disagrees === true).length,
})

export const blameReportRecord = (
  report: LogReport,
  rows: readonly BlameRow[],
): BlameReportRecord => {
  const session = report.header?.id ?? null
  return {
    schema: "refold.blame-report/1",
    session,
    formatVersion: report.header?.formatVersion ?? null,
    requests: rows.map((row) => blameRecord(row, session)),
    totals: blameTotals(rows),
    status: report.status,
    ...refusalFields(report),
  }
}
