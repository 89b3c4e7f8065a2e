import type { RequestFigures } from "../core/fold/log-fold.ts"
import { faultReport } from "../core/fold/log-report.ts"
import type { LogHeader } from "../core/log/header.ts"
import { reportOf, withLog } from "./read-log.ts"
import type { HeaderFilter, ReplayedLog, ReplayReply, ReplayRequest } from "./task-protocol.ts"

const wants = (filter: HeaderFilter): ((header: LogHeader) => boolean) => {
  const session = filter.session === null ? null : new RegExp(filter.session)
  return ({ id, createdAtMs }) =>
    (session === null || session.test(id)) &&
    (filter.sinceMs === null || createdAtMs >= filter.sinceMs) &&
    (filter.untilMs === null || createdAtMs < filter.untilMs)
}

/** Folds whole logs, one after the other. */
export default (request: ReplayRequest): ReplayReply => {
  const isWanted = wants(request.filter)
  return request.sources.map((source): ReplayedLog | null => {
    const requests: RequestFigures[] = []
    const read = withLog(
      source,
      {
        tolerance: request.tolerance,
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
    if ("code" in read) return { report: faultReport(read), requests: [] }
    return read.report === null ? null : { report: read.report, requests }
  })
}
