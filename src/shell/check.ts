import type { CheckReport } from "../core/check/check-report.ts"
import { faultCheck } from "../core/check/check-report.ts"
import type { Tolerance } from "../core/format/tolerance.ts"
import type { Discovery } from "./archive/discover.ts"
import { discover, sourceOf } from "./archive/discover.ts"
import { withEntries } from "./archive/collections.ts"
import { batchesOf } from "./dispatch/batches.ts"
import { ownSignal } from "./dispatch/own-signal.ts"
import { Pool, workersFor } from "./dispatch/pool.ts"
import { runBatches } from "./dispatch/run-batches.ts"
import type { FindingRecord, VerdictRecord } from "./report/check-record.ts"
import { findingRecords, verdictRecord } from "./report/check-record.ts"

export interface CheckOptions {
  /** Worker threads; the cores at hand unless given. Never changes a result. */
  readonly workers?: number | undefined
  readonly tolerance?: Tolerance | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Checks logs and yields everything that is wrong with each of them, by path.
 *
 * shape   the `refold.finding/1` of a log in its order, then its `refold.verdict/1`
 * errors  a log that cannot be read has a verdict like any other; the reason of the signal after an
 *         abort
 */
export async function* check(
  paths: string | readonly string[],
  options: CheckOptions = {},
): AsyncGenerator<FindingRecord | VerdictRecord> {
  yield* checkFound(discover(typeof paths === "string" ? [paths] : paths), options)
}

/** As `check`, for logs that were found before. */
export async function* checkFound(
  named: Discovery,
  options: CheckOptions,
): AsyncGenerator<FindingRecord | VerdictRecord> {
  const signal = ownSignal(options.signal ?? new AbortController().signal)
  signal.throwIfAborted()
  const { logs } = await withEntries(named, signal)
  const batches = batchesOf(logs)
  const pool = new Pool(workersFor(batches.length, options.workers))
  const tolerance = options.tolerance ?? "default"
  try {
    const task = {
      run: (batch: typeof logs): Promise<readonly CheckReport[]> =>
        pool.run("check-task", { sources: batch.map(sourceOf), tolerance }, signal),
      ofFault: faultCheck,
    }
    for await (const { log, reply } of runBatches(pool, batches, task, signal)) {
      signal.throwIfAborted()
      yield* findingRecords(log, reply)
      yield verdictRecord(log, reply)
    }
  } finally {
    await pool.close()
  }
}
