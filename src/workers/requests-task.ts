import { faultReport } from "../core/fold/log-report.ts"
import { RequestCollector } from "../core/request/request-collector.ts"
import { isFault } from "./log-file.ts"
import { reportOf, withLog } from "./read-log.ts"
import type { RequestsReply, RequestsRequest } from "./task-protocol.ts"

/** Folds one log, or a prefix of it, and tells of the requests that were asked for. */
export default (request: RequestsRequest): RequestsReply => {
  const { source, tolerance, throughSeq, pick } = request
  const collector = new RequestCollector(pick)
  const read = withLog(
    source,
    {
      tolerance,
      carrier: "columns",
      throughSeq,
      onRestart: () => collector.restart(),
      onRequest: (point, fold) => collector.take(point, fold),
    },
    (log): RequestsReply => {
      const { fold } = log.outcome
      return {
        report: reportOf(log, false),
        picked: fold === null ? null : collector.finish(fold),
      }
    },
  )
  return isFault(read) ? { report: faultReport(read.fault), picked: null } : read
}
