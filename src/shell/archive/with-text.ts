import type { Container, DecodedEnd } from "../../core/fold/container-report.ts"
import { reportOfContainer } from "../../core/fold/container-report.ts"
import type { LogReport } from "../../core/fold/log-report.ts"
import type { Pool } from "../dispatch/pool.ts"
import type { FoundLog } from "./discover.ts"
import { sourceOf } from "./discover.ts"
import { beginsAsText } from "./first-byte.ts"

/** What the text of a log was decoded from, and how that ended. */
export interface Packed {
  readonly container: Container
  readonly end: DecodedEnd
}

/** Puts what is said of the text of a log into terms of what it came in. */
export type FixReport = (report: LogReport) => LogReport

const asItIs: FixReport = (report) => report

/**
 * Hands a log to `use` as plain text: one in a container is decoded into a file without a name, and
 * how that ended is told.
 *
 * errors  a log that cannot be decoded is handed on with its fault
 */
export const withText = async <A>(
  log: FoundLog,
  pool: Pool,
  signal: AbortSignal,
  use: (log: FoundLog, fix: FixReport, packed: Packed | null) => Promise<A>,
): Promise<A> => {
  const isText = log.entry === null && beginsAsText(log.file, log.descriptor)
  if (log.fault !== null || isText) return await use(log, asItIs, null)
  return await pool.withScratch(async (scratch) => {
    const reply = await pool.run("spool-task", { source: sourceOf(log), scratch }, signal)
    if (reply.is === "plain") return await use(log, asItIs, null)
    if (reply.is === "fault") return await use({ ...log, fault: reply.fault }, asItIs, null)
    const { byteCount, container, end } = reply
    const { descriptor } = scratch
    const text = { ...log, descriptor, byteCount, entry: null, isDecoded: true }
    return await use(text, (report) => reportOfContainer(report, container, end), {
      container,
      end,
    })
  })
}
