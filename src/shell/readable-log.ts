import type { FormatVersion } from "../core/format/format.ts"
import type { LogReport } from "../core/fold/log-report.ts"
import { faultReport } from "../core/fold/log-report.ts"
import type { Tolerance } from "../core/format/tolerance.ts"
import type { Address } from "../core/request/address.ts"
import { addressOf, addressText } from "../core/request/address.ts"
import type { RequestPoint } from "../core/request/request-points.ts"
import type { FoundLog } from "./archive/discover.ts"
import { sourceOf } from "./archive/discover.ts"
import type { LineSource } from "./archive/line-source.ts"
import { lineSource } from "./archive/line-source.ts"
import type { FixReport } from "./archive/with-text.ts"
import { withText } from "./archive/with-text.ts"
import { withUpgrade } from "./archive/with-upgrade.ts"
import { UsageError } from "./border.ts"
import { rangeCount } from "./dispatch/fold-ranges.ts"
import { ownSignal } from "./dispatch/own-signal.ts"
import { Pool, workersFor } from "./dispatch/pool.ts"

export interface ReadableOptions {
  readonly tolerance?: Tolerance | undefined
  /** Reads the log as the reader of this format would, after the upgrade path. */
  readonly as?: FormatVersion | undefined
  readonly signal?: AbortSignal | undefined
}

/** One log whose text can be read, and who reads it. */
export interface ReadableLog {
  readonly is: "readable"
  readonly pool: Pool
  readonly log: FoundLog
  /** Opened before anything is folded: what is read again must be what was folded. */
  readonly lines: LineSource
  readonly tolerance: Tolerance
  readonly signal: AbortSignal
  /** Puts a report into terms of what the log came in, and of its upgrade. */
  readonly fix: FixReport
  /** How the log ends by its own format, where it is read as one of a later format. */
  readonly native: LogReport | null
}

/** A log that cannot be read, and why. */
export interface UnreadableLog {
  readonly is: "unreadable"
  readonly report: LogReport
  readonly native: LogReport | null
}

/** How a log ends by its own format. */
const nativeReport = async (
  pool: Pool,
  log: FoundLog,
  tolerance: Tolerance,
  signal: AbortSignal,
): Promise<LogReport> => {
  if (log.fault !== null) return faultReport(log.fault)
  const request = { source: sourceOf(log), tolerance, at: null }
  const flags = { withDigest: false, withTranscript: false }
  return (await pool.run("fold-task", { ...request, ...flags }, signal)).report
}

/** Opens one log, whatever it is in, and hands it to `use` while its lines can be read. */
export const withReadable = async <A>(
  log: FoundLog,
  options: ReadableOptions,
  use: (log: ReadableLog | UnreadableLog) => Promise<A>,
): Promise<A> => {
  const { as, tolerance = "default" } = options
  const signal = ownSignal(options.signal ?? new AbortController().signal)
  const pool = new Pool(workersFor(rangeCount(log.byteCount)))
  try {
    return await withText(log, pool, signal, async (text, fixText) => {
      const native = as === undefined ? null : await nativeReport(pool, text, tolerance, signal)
      return await withUpgrade(pool, text, as, signal, async (read, refused) => {
        const fix: FixReport = (report) => refused ?? fixText(report)
        const lines = read.fault ?? lineSource(read.file, read.descriptor)
        if ("code" in lines)
          return await use({ is: "unreadable", report: fix(faultReport(lines)), native })
        try {
          const shared = { pool, lines, tolerance, signal, fix, native }
          return await use({ is: "readable", log: read, ...shared })
        } finally {
          lines.close()
        }
      })
    })
  } finally {
    await pool.close()
  }
}

/** The address that was asked for; null where none was. */
export const addressIn = (at: string | undefined): Address | null => {
  const address = at === undefined ? null : addressOf(at)
  if (address === null && at !== undefined)
    throw new UsageError(
      `"${at}" is no address; write a seq (42), a step (2.1) or an attempt (2.1.3)`,
    )
  return address
}

/** What to say of an address that lies past the end of a log. */
export const beyondEnd = (
  at: string,
  lastSeq: number,
  lastRequest: RequestPoint | null,
): UsageError => {
  const last = lastSeq < 0 ? "the log has no events" : `the last event is ${lastSeq}`
  const request = lastRequest === null ? "" : `, the last request ${addressText(lastRequest)}`
  return new UsageError(`${at} is past the end: ${last}${lastSeq < 0 ? "" : request}`)
}
