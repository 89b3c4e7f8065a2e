import type { CheckReport } from "../core/check/check-report.ts"
import { checkReport, faultCheck } from "../core/check/check-report.ts"
import type { FormatVersion } from "../core/format/format.ts"
import type { Tolerance } from "../core/format/tolerance.ts"
import { isRowDamage } from "../core/format/tolerance.ts"
import { checkLog } from "./check-log.ts"
import { DecodedLogs } from "./decoded.ts"
import type { OpenFault } from "./log-file.ts"
import { isFault, withOpenLog } from "./log-file.ts"
import { releaseBlock } from "./log-lines.ts"
import { withLog } from "./read-log.ts"
import type { CheckReply, CheckRequest, LogSource } from "./task-protocol.ts"

/** How reading ends where damage at the end of a log may be forgiven; all findings stay. */
const forgiven = (source: LogSource, report: CheckReport): CheckReport => {
  const reading = { tolerance: "recoverable", carrier: "rows", throughSeq: Infinity } as const
  const read = withLog(source, reading, ({ outcome: { status, tail, fold, refusal } }) => ({
    ...report,
    status,
    tail,
    acceptedEvents: fold?.counts().activity.eventCount ?? 0,
    refusal: refusal === null ? null : { ...refusal, finding: refusal.refusal },
  }))
  return isFault(read) ? faultCheck(read.fault) : read
}

const check = (source: LogSource, tolerance: Tolerance): CheckReport | OpenFault => {
  const read = withOpenLog(source, null, (log) => checkReport(checkLog(log), log.byteCount))
  releaseBlock()
  if (isFault(read) || tolerance === "default") return read
  const { refusal, header } = read
  // what is refused before any damage is not for the tolerance to forgive
  const isDamage =
    refusal !== null &&
    header !== null &&
    isRowDamage(refusal.finding, header.formatVersion as FormatVersion)
  return isDamage ? forgiven(source, read) : read
}

/** Checks logs one after the other: everything that is wrong with each of them. */
export default async ({ sources, tolerance, scratch }: CheckRequest): Promise<CheckReply> => {
  const logs = new DecodedLogs(scratch)
  const reports: CheckReport[] = []
  try {
    for (const source of sources) {
      const read = await logs.read(
        source,
        (plain) => check(plain, tolerance),
        (report, fix) => fix(report),
      )
      reports.push(isFault(read) ? faultCheck(read.fault) : read)
    }
    return reports
  } finally {
    logs.close()
  }
}
