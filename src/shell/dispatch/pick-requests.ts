import type { LogReport } from "../../core/fold/log-report.ts"
import { faultReport, outcomeReport } from "../../core/fold/log-report.ts"
import type { PickedRequests, RequestPick } from "../../core/request/request-collector.ts"
import { RequestCollector } from "../../core/request/request-collector.ts"
import type { RequestsReply } from "../../workers/task-protocol.ts"
import { sourceOf } from "../archive/discover.ts"
import type { ReadableLog } from "../readable-log.ts"
import { readRanges } from "./fold-ranges.ts"

/** Requests of a log, and how the log ends; null for a log of which nothing was folded. */
export interface PickReply {
  readonly report: LogReport
  readonly picked: PickedRequests | null
}

// null where one worker has to read the log
const pickInRanges = async (
  { pool, log, lines, tolerance, signal }: ReadableLog,
  pick: RequestPick,
  throughSeq: number,
): Promise<RequestsReply | null> => {
  if (tolerance !== "default" || pool.workers === 1) return null
  const collector = new RequestCollector(pick)
  const outcome = await readRanges(
    pool,
    { source: sourceOf(log), lines },
    { throughSeq, signal },
    { onRequest: (point, fold) => collector.take(point, fold) },
  )
  if (outcome === null) return null
  if ("code" in outcome) return { report: faultReport(outcome), picked: null }
  if (lines.isChanged())
    return { report: faultReport({ code: "changed-while-reading", errno: null }), picked: null }
  const { fold } = outcome
  return {
    report: outcomeReport(outcome, lines.identity.size, null),
    picked: fold === null ? null : collector.finish(fold),
  }
}

/** Folds a log, or a prefix of it, for the requests that are asked for. */
export const pickRequests = async (
  log: ReadableLog,
  pick: RequestPick,
  throughSeq: number,
): Promise<PickReply> => {
  const { pool, tolerance, signal } = log
  const source = sourceOf(log.log)
  const reply =
    (await pickInRanges(log, pick, throughSeq)) ??
    (await pool.run("requests-task", { source, tolerance, throughSeq, pick }, signal))
  return { ...reply, report: log.fix(reply.report) }
}
