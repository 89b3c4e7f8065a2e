import { faultReport } from "../../core/fold/log-report.ts"
import type { Tolerance } from "../../core/format/tolerance.ts"
import type { HeaderFilter } from "../../core/log/header-filter.ts"
import { headerTest } from "../../core/log/header-filter.ts"
import type { PriceTable } from "../../core/tokens/price-table.ts"
import type { ReplayedLog, ReplayReply } from "../../workers/task-protocol.ts"
import type { TokenizerSource } from "../../workers/tokenizer/tokenizer-source.ts"
import type { FoundLog } from "../archive/discover.ts"
import { sourceOf } from "../archive/discover.ts"
import { lineSource } from "../archive/line-source.ts"
import type { ReplayCache } from "../store/replay-cache.ts"
import { replayCached } from "./cached-replay.ts"
import { foldRanges, rangeCount } from "./fold-ranges.ts"
import type { Pool } from "./pool.ts"
import type { BatchTask } from "./run-batches.ts"
import { runBatches } from "./run-batches.ts"

export interface ReplayLogsOptions {
  readonly tolerance: Tolerance
  readonly filter: HeaderFilter
  readonly withRequests: boolean
  readonly withDigest: boolean
  /** What the texts of the surfaces are counted by as well. */
  readonly tokenizer?: TokenizerSource | null
  /** What calls are priced by. */
  readonly prices?: PriceTable | null
  readonly signal: AbortSignal
  /** What is known from before; with requests nothing is. */
  readonly cache?: ReplayCache | null
  /** Whether all is read again, whatever is known. */
  readonly isVerified?: boolean
}

/** A log with what a worker said of it, or what was wrong with its path. */
export interface LogResult {
  readonly log: FoundLog
  readonly replayed: ReplayedLog
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
  const { signal, withDigest, tokenizer = null, prices = null } = options
  try {
    const folded = await foldRanges(
      pool,
      { source: sourceOf(log), lines },
      {
        throughSeq: Infinity,
        wants: headerTest(options.filter),
        withDigest,
        tokenizer,
        prices,
        withTranscript: false,
        isReportOnly: true,
        signal,
      },
    )
    return folded === null ? null : { report: folded.report, requests: [] }
  } finally {
    lines.close()
  }
}

const replayBatch = async (
  pool: Pool,
  logs: readonly FoundLog[],
  options: ReplayLogsOptions,
): Promise<ReplayReply> => {
  const { signal, cache = null, isVerified = false, ...rest } = options
  if (cache !== null && !rest.withRequests && rest.tolerance === "default")
    return await replayCached(
      cache,
      isVerified,
      logs,
      headerTest(rest.filter),
      (open, watermarks) =>
        pool.withScratch((scratch) => {
          const sources = open.map(sourceOf)
          const request = { ...rest, sources, scratch, watermarks, withWatermarks: true }
          return pool.run("replay-task", request, signal)
        }),
    )
  const [only] = logs
  const ranged =
    only !== undefined && logs.length === 1 ? await replayRanges(pool, only, options) : null
  return ranged !== null
    ? [ranged]
    : pool.withAnyScratch((scratch) =>
        pool.run("replay-task", { ...rest, sources: logs.map(sourceOf), scratch }, signal),
      )
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
  const task: BatchTask<ReplayedLog | null> = {
    run: (logs) => replayBatch(pool, logs, options),
    ofFault: (fault) => ({ report: faultReport(fault), requests: [] }),
  }
  for await (const { log, reply } of runBatches(pool, batches, task, options.signal))
    if (reply !== null) yield { log, replayed: reply }
}
