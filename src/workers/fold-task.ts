import { emptyFold, FoldCollector } from "../core/fold/folded-log.ts"
import { faultReport } from "../core/fold/log-report.ts"
import type { RequestPoint } from "../core/request/request-points.ts"
import { allPoints } from "../core/request/request-points.ts"
import { pointAt } from "../core/request/address.ts"
import type { ReadLog } from "./read-log.ts"
import { isFault } from "./log-file.ts"
import { reportOf, withLog } from "./read-log.ts"
import type { FoldReply, FoldRequest } from "./task-protocol.ts"

// null for a prefix that was not reached: the log ended, or was refused, before it
const foldThrough = (request: FoldRequest, throughSeq: number): FoldReply | null => {
  const collector = new FoldCollector(request)
  const read = withLog(
    request.source,
    {
      tolerance: request.tolerance,
      carrier: request.withPrompts === true ? "rows" : "columns",
      throughSeq,
      onRestart: () => collector.restart(),
      ...collector.callbacks(),
    },
    (log: ReadLog): FoldReply | null => {
      const { fold } = log.outcome
      return throughSeq === Infinity || fold?.isDone === true
        ? collector.folded(reportOf(log, request.withDigest), fold?.surface ?? null)
        : null
    },
  )
  return isFault(read) ? emptyFold(faultReport(read.fault)) : read
}

const beyond = (log: ReadLog): FoldReply => {
  const report = reportOf(log, false)
  const points = log.outcome.fold === null ? [] : allPoints(log.outcome.fold.requestPoints())
  return {
    is: "beyond",
    report,
    lastSeq: (report.activity?.eventCount ?? 0) - 1,
    lastRequest: points.at(-1) ?? null,
  }
}

/** The whole log, for what is known of its requests. */
const readRequests = <A>(request: FoldRequest, use: (log: ReadLog) => A): A | FoldReply => {
  const { source, tolerance } = request
  const options = { tolerance, carrier: "columns", throughSeq: Infinity } as const
  const read = withLog(source, { ...options, onRequest: () => {} }, use)
  return isFault(read) ? emptyFold(faultReport(read.fault)) : read
}

const foldPrefix = (request: FoldRequest, throughSeq: number): FoldReply =>
  foldThrough(request, throughSeq) ?? readRequests(request, beyond)

/** Folds one log, or a prefix of it, and says where its live messages stand. */
export default (request: FoldRequest): FoldReply => {
  const { at } = request
  if (at === null) return foldPrefix(request, Infinity)
  if (at.is === "seq") return foldPrefix(request, at.seq)
  // which request an address means shows only in the whole log: it is read twice
  const point = readRequests(request, (log): RequestPoint | FoldReply => {
    const { fold } = log.outcome
    return (fold === null ? null : pointAt(allPoints(fold.requestPoints()), at)) ?? beyond(log)
  })
  return "is" in point ? point : foldPrefix(request, point.throughSeq)
}
