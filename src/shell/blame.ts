import { emptyFold } from "../core/fold/folded-log.ts"
import type { LogReport } from "../core/fold/log-report.ts"
import type { BlameRow } from "../core/request/blame-row.ts"
import type { FoundLog } from "./archive/discover.ts"
import { discoverFile, sourceOf } from "./archive/discover.ts"
import { LogRefusedError } from "./log-refused-error.ts"
import { withReadable } from "./readable-log.ts"
import type { BlameReportRecord } from "./report/blame-record.ts"
import { blameReportRecord } from "./report/blame-record.ts"
import { foldRecord } from "./report/fold-record.ts"
import type { RequestOptions } from "./requests.ts"

/** The requests of a log, each compared with the one before, and how the log ends. */
export interface BlamedLog {
  readonly report: LogReport
  readonly native: LogReport | null
  readonly rows: readonly BlameRow[]
}

/** Compares all requests of a log; of a refused one those before the refusal. */
export const blameLog = async (log: FoundLog, options: RequestOptions): Promise<BlamedLog> =>
  await withReadable(log, options, async (readable) => {
    const { native } = readable
    if (readable.is === "unreadable") return { report: readable.report, native, rows: [] }
    const { pool, tolerance, signal, fix } = readable
    const { report, rows } = await pool.run(
      "blame-task",
      { source: sourceOf(readable.log), tolerance, toolUpdate: options.toolUpdate ?? null },
      signal,
    )
    return { report: fix(report), native, rows }
  })

/**
 * What broke the beginnings of the requests of a log: `refold.blame-report/1`.
 *
 * errors  rejects with a LogRefusedError for a log that is refused or cannot be read
 */
export const blame = async (
  path: string,
  options: RequestOptions = {},
): Promise<BlameReportRecord> => {
  const { report, rows } = await blameLog(discoverFile(path), options)
  const record = blameReportRecord(report, rows)
  if (record.refusalCode !== null) throw new LogRefusedError(path, foldRecord(emptyFold(report)))
  return record
}
