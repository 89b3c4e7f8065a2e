import { faultReport } from "../../core/fold/log-report.ts"
import type { Tolerance } from "../../core/format/tolerance.ts"
import type { HeaderFilter } from "../../core/log/header-filter.ts"
import { headerTest } from "../../core/log/header-filter.ts"
import type { ReplayedLog, ReplayReply } from "../../workers/task-protocol.ts"
import type { FoundLog } from "../archive/discover.ts"
import { sourceOf } from "../archive/discover.ts"
import { lineSource } from "../archive/line-source.ts"
import { foldRanges, rangeCount } from "./fold-ranges.ts"
import { ordered } from "./ordered.ts"
import type { Pool } from "./pool.ts"

export interface ReplayLogsOptions {
  readonly tolerance: Tolerance
  readonly filter: HeaderFilter
  readonly withRequests: boolean
  readonly withDigest: boolean
  readonly signal: AbortSignal
}

/** A log with what a worker said of it, or what was wrong with its path. */
export interface LogResult {
  readonly log: FoundLog
  readonly replayed: ReplayedLog
}

// for each worker one task to work on and one to go on with at once
const underWayPerWorker = 2

const failed: ReplayedLog = {
  report: faultReport({ code: "internal-failure", errno: null }),
  requests: [],
}

/** A big log by its ranges; null where its rows must be read one by one. */
const replayRanges = async (
  pool: Pool,
  log: FoundLog,
  options: ReplayLogsOptions,
): Promise<ReplayedLog | null> => {
  const isWanted = options.tolerance === "default" && !options.withRequests && pool.workers > 1
  if (!isWanted || rangeCount(log.byteCount) < 2) return null
  const lines = lineSource(log.file, log.descriptor)
  if ("code" in lines) return null
  const { signal, withDigest } = options
  try {
    const folded = await foldRanges(
      pool,
      { source: sourceOf(log), lines },
      {
        throughSeq: Infinity,
        wants: headerTest(options.filter),
        withDigest,
        withTranscript: false,
        signal,
      },
    )
    return folded === null ? null : { report: folded.report, requests: [] }
  } finally {
    lines.close()
  }
}

/** Asks a worker for a list of logs; a log that brings its worker down is named alone. */
const replayBatch = async (
  pool: Pool,
  logs: readonly FoundLog[],
  options: ReplayLogsOptions,
): Promise<ReplayReply> => {
  const { signal, ...rest } = options
  const [only] = logs
  try {
    const ranged =
      only !== undefined && logs.length === 1 ? await replayRanges(pool, only, options) : null
    if (ranged !== null) return [ranged]
    return await pool.run("replay-task", { ...rest, sources: logs.map(sourceOf) }, signal)
  } catch (cause) {
    signal.throwIfAborted()
    if (pool.isClosed) throw cause
    if (logs.length === 1) return [failed]
    const replies: (ReplayedLog | null)[] = []
    for (const log of logs) replies.push((await replayBatch(pool, [log], options))[0] ?? null)
    return replies
  }
}

/**
 * Folds batches of logs in workers and yields their results in the order given, without those that
 * the filter leaves out.
 *
 * errors  a bad log is a result like any other; only an abort ends the replay
 */
export async function* replayLogs(
  pool: Pool,
  batches: readonly (readonly FoundLog[])[],
  options: ReplayLogsOptions,
): AsyncGenerator<LogResult> {
  const run = async (batch: readonly FoundLog[]): Promise<readonly (LogResult | null)[]> => {
    const readable = batch.filter((log) => log.fault === null)
    const replies = readable.length === 0 ? [] : await replayBatch(pool, readable, options)
    const byLog = new Map(readable.map((log, i) => [log, replies[i] ?? null] as const))
    return batch.map((log) => {
      const replayed =
        log.fault === null
          ? (byLog.get(log) ?? null)
          : { report: faultReport(log.fault), requests: [] }
      return replayed === null ? null : { log, replayed }
    })
  }
  for await (const results of ordered(batches, pool.workers * underWayPerWorker, run))
    for (const result of results) if (result !== null) yield result
}
