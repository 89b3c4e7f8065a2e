import type { RequestFigures } from "../core/fold/log-fold.ts"
import { faultReport } from "../core/fold/log-report.ts"
import { headerTest } from "../core/log/header-filter.ts"
import { isFault } from "./log-file.ts"
import { reportOf, withLog } from "./read-log.ts"
import type { ReplayedLog, ReplayReply, ReplayRequest } from "./task-protocol.ts"

/** Folds whole logs, one after the other. */
export default (request: ReplayRequest): ReplayReply => {
  const isWanted = headerTest(request.filter)
  return request.sources.map((source): ReplayedLog | null => {
    const requests: RequestFigures[] = []
    const read = withLog(
      source,
      {
        tolerance: request.tolerance,
        carrier: request.withRequests ? "rows" : "columns",
        throughSeq: Infinity,
        wants: isWanted,
        ...(request.withRequests && {
          onRequest: (figures: RequestFigures) => {
            requests.push(figures)
          },
        }),
      },
      (log) => ({ report: log.isUnwanted ? null : reportOf(log, request.withDigest) }),
    )
    if (isFault(read)) return { report: faultReport(read.fault), requests: [] }
    return read.report === null ? null : { report: read.report, requests }
  })
}
