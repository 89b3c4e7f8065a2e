import { faultReport } from "../core/fold/log-report.ts"
import type { LogFoldView } from "../core/fold/log-fold-options.ts"
import { Blame } from "../core/request/blame.ts"
import type { RequestPoint } from "../core/request/request-points.ts"
import { openPoint } from "../core/request/request-points.ts"
import { isFault } from "./log-file.ts"
import { reportOf, withLog } from "./read-log.ts"
import type { BlameReply, BlameRequest } from "./task-protocol.ts"

/** Folds one log, and compares each of its requests with the one before. */
export default ({ source, tolerance, toolUpdate }: BlameRequest): BlameReply => {
  let blame: Blame | null = null
  const take = (point: RequestPoint, fold: LogFoldView): void => {
    blame ??= new Blame(toolUpdate)
    blame.request(point, fold)
  }
  const read = withLog(
    source,
    {
      tolerance,
      carrier: "columns",
      throughSeq: Infinity,
      onRestart: () => {
        blame = null
      },
      onReplacement: (replacement, kind, line) => blame?.replaced(replacement, kind, line),
      onProjection: (projection) => blame?.projected(projection),
      onUsage: (_seq, usage) => blame?.reported(usage),
      onRequest: take,
    },
    (log): BlameReply => {
      const { fold } = log.outcome
      const open = fold === null ? null : openPoint(fold.requestPoints())
      if (fold !== null && open !== null) take(open, fold)
      return { report: reportOf(log, false), rows: blame?.rows ?? [] }
    },
  )
  return isFault(read) ? { report: faultReport(read.fault), rows: [] } : read
}
