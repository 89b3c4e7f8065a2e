import { newestVersion } from "../core/format/catalog.ts"
import type { FormatVersion } from "../core/format/format.ts"
import type { ContainerFault } from "../core/fold/container-fault.ts"
import type { MigrateReply } from "../workers/task-protocol.ts"
import { withEntries } from "./archive/collections.ts"
import type { Discovery, FoundLog } from "./archive/discover.ts"
import { discover, sourceOf } from "./archive/discover.ts"
import { OutFiles, WriteError } from "./archive/out-files.ts"
import { outPath } from "./archive/out-path.ts"
import { childrenOf } from "./dispatch/children.ts"
import { ownSignal } from "./dispatch/own-signal.ts"
import { Pool, workersFor } from "./dispatch/pool.ts"
import { runBatches } from "./dispatch/run-batches.ts"
import { tryMigration } from "./dispatch/try-migration.ts"
import type { Migrated, MigrationRecord } from "./report/migration-record.ts"
import { migrationRecord, triedOnly } from "./report/migration-record.ts"

export interface MigrateOptions {
  /** The format to write; the newest unless given. */
  readonly to?: FormatVersion | undefined
  /** The folder that new logs go to; without it nothing is written, only tried. */
  readonly out?: string | undefined
  /** Worker threads; the cores at hand unless given. Never changes a result. */
  readonly workers?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Writes logs as ones of a later format, and yields how each went, by path.
 *
 * shape   a new log is written elsewhere, whole or not at all, and never over another file; no
 *         source is changed. It is published only where its check finds nothing that a reader
 *         refuses, and both logs come to the same messages
 * errors  a log that cannot be carried on is a record with all causes; the reason of the signal
 *         after an abort
 */
export async function* migrate(
  paths: string | readonly string[],
  options: MigrateOptions = {},
): AsyncGenerator<MigrationRecord> {
  yield* migrateFound(discover(typeof paths === "string" ? [paths] : paths), options)
}

/** As `migrate`, for logs that were found before. */
export async function* migrateFound(
  named: Discovery,
  options: MigrateOptions,
): AsyncGenerator<MigrationRecord> {
  const signal = ownSignal(options.signal ?? new AbortController().signal)
  signal.throwIfAborted()
  const to = options.to ?? (newestVersion as FormatVersion)
  const { logs } = await withEntries(named, signal)
  // one log a task: a name must not wait for the log before it
  const batches = logs.map((log) => [log])
  const pool = new Pool(workersFor(batches.length, options.workers))
  const files = new OutFiles(pool)
  const turns = new Turns()
  try {
    const children = await childrenOf(pool, logs, to, signal)
    const one = async (log: FoundLog): Promise<Migrated> => {
      const request = { source: sourceOf(log), to, children: children(log) }
      if (options.out === undefined)
        return triedOnly(await tryMigration(pool, log, to, request.children, signal))
      const run = (descriptor: number): Promise<MigrateReply> =>
        pool.withScratch((scratch) =>
          pool.run("migrate-task", { ...request, descriptor, scratch }, signal),
        )
      const file = outPath(options.out, log, to)
      return await turns.run(file, () => intoFile(files, file, run))
    }
    const task = {
      run: (batch: readonly FoundLog[]): Promise<readonly Migrated[]> =>
        Promise.all(batch.map(one)),
      ofFault: (fault: ContainerFault): Migrated => triedOnly({ is: "fault", fault }),
    }
    for await (const { log, reply } of runBatches(pool, batches, task, signal)) {
      signal.throwIfAborted()
      yield migrationRecord(log, to, reply)
    }
  } finally {
    await pool.close()
    files.discard()
  }
}

/** Runs what has one name after the other: who comes first must not depend on who is done first. */
class Turns {
  private readonly last: Map<string, Promise<unknown>> = new Map()

  async run<A>(name: string, act: () => Promise<A>): Promise<A> {
    const before = this.last.get(name)
    const result = before === undefined ? act() : before.then(act, act)
    this.last.set(name, result)
    return await result
  }
}

/** Runs a migration into a file, which gets its name only where the new log is right. */
const intoFile = async (
  files: OutFiles,
  file: string,
  run: (descriptor: number) => Promise<MigrateReply>,
): Promise<Migrated> => {
  try {
    const open = files.open(file)
    const reply = await run(open.descriptor)
    const isWhole = reply.is === "migrated" && reply.report.isSound
    if (!isWhole) open.discard()
    const end = isWhole ? open.publish() : null
    return { file, end: end ?? "not-made", reply }
  } catch (cause) {
    if (!(cause instanceof WriteError)) throw cause
    return { file, end: "not-written", errno: cause.errno }
  }
}
