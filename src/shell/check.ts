import type { CheckReport } from "../core/check/check-report.ts"
import { faultCheck } from "../core/check/check-report.ts"
import type { Tolerance } from "../core/format/tolerance.ts"
import type { ContainerFault } from "../core/fold/container-fault.ts"
import type { FormatVersion } from "../core/format/format.ts"
import type { MigrateReply } from "../workers/task-protocol.ts"
import type { Discovery, FoundLog } from "./archive/discover.ts"
import { discover, sourceOf } from "./archive/discover.ts"
import { withEntries } from "./archive/collections.ts"
import { batchesOf } from "./dispatch/batches.ts"
import { childrenOf } from "./dispatch/children.ts"
import { ownSignal } from "./dispatch/own-signal.ts"
import { Pool, workersFor } from "./dispatch/pool.ts"
import { runBatches } from "./dispatch/run-batches.ts"
import { tryMigration } from "./dispatch/try-migration.ts"
import type { Checked, FindingRecord, VerdictRecord } from "./report/check-record.ts"
import { findingRecords, verdictRecord } from "./report/check-record.ts"

export interface CheckOptions {
  /** Worker threads; the cores at hand unless given. Never changes a result. */
  readonly workers?: number | undefined
  readonly tolerance?: Tolerance | undefined
  /** Tries the way to this format as well, and tells what stands against it. */
  readonly as?: FormatVersion | undefined
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
    const children =
      options.as === undefined ? null : await childrenOf(pool, logs, options.as, signal)
    const upgrade = async (log: FoundLog, check: CheckReport): Promise<MigrateReply | null> => {
      const { as: to } = options
      if (children === null || to === undefined || check.fault !== null) return null
      return await tryMigration(pool, log, to, children(log), signal)
    }
    const run = async (batch: readonly FoundLog[]): Promise<readonly Checked[]> => {
      const reports = await pool.withAnyScratch((scratch) =>
        pool.run("check-task", { sources: batch.map(sourceOf), tolerance, scratch }, signal),
      )
      const checked: Checked[] = []
      for (const [i, log] of batch.entries()) {
        const check = reports[i] ?? faultCheck({ code: "internal-failure", errno: null })
        checked.push({ check, upgrade: await upgrade(log, check) })
      }
      return checked
    }
    const task = {
      run,
      ofFault: (fault: ContainerFault): Checked => ({ check: faultCheck(fault), upgrade: null }),
    }
    for await (const { log, reply } of runBatches(pool, batches, task, signal)) {
      signal.throwIfAborted()
      yield* findingRecords(log, reply, options.as ?? null)
      yield verdictRecord(log, reply, options.as ?? null)
    }
  } finally {
    await pool.close()
  }
}
