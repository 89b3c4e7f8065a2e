import { randomBytes } from "node:crypto"
import { mkdirSync, rmSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { newestVersion } from "../core/format/catalog.ts"
import type { FormatVersion } from "../core/format/format.ts"
import type { ContainerFault } from "../core/fold/container-fault.ts"
import { errnoOf, faultOfErrno } from "../core/fold/source-fault.ts"
import type { MigrateReply } from "../workers/task-protocol.ts"
import { withEntries } from "./archive/collections.ts"
import type { Discovery, FoundLog } from "./archive/discover.ts"
import { discover, sourceOf } from "./archive/discover.ts"
import { outPath } from "./archive/out-path.ts"
import { childrenOf } from "./dispatch/children.ts"
import { ownSignal } from "./dispatch/own-signal.ts"
import { Pool, workersFor } from "./dispatch/pool.ts"
import { runBatches } from "./dispatch/run-batches.ts"
import type { MigrationRecord } from "./report/migration-record.ts"
import { migrationRecord } from "./report/migration-record.ts"

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
  const temporaries: Set<string> = new Set()
  try {
    const children = await childrenOf(pool, logs, to, signal)
    const one = async (log: FoundLog): Promise<Migrated> => {
      const file = options.out === undefined ? null : outPath(options.out, log, to)
      const target = file === null ? null : unpublished(file)
      if (target !== null && "code" in target)
        return { file, reply: { is: "fault", fault: target } }
      if (target !== null) temporaries.add(target.temporary)
      const request = { source: sourceOf(log), to, children: children(log), target }
      const reply = await pool.run("migrate-task", request, signal)
      if (target !== null) discard(target.temporary, temporaries)
      return { file, reply }
    }
    const task = {
      run: (batch: readonly FoundLog[]): Promise<readonly Migrated[]> =>
        Promise.all(batch.map(one)),
      ofFault: (fault: ContainerFault): Migrated => ({ file: null, reply: { is: "fault", fault } }),
    }
    for await (const { log, reply } of runBatches(pool, batches, task, signal)) {
      signal.throwIfAborted()
      yield migrationRecord(log, to, reply.file, reply.reply)
    }
  } finally {
    await pool.close()
    for (const temporary of temporaries) rmSync(temporary, { force: true })
  }
}

interface Migrated {
  readonly file: string | null
  readonly reply: MigrateReply
}

const discard = (temporary: string, all: Set<string>): void => {
  rmSync(temporary, { force: true })
  all.delete(temporary)
}

const unpublished = (
  file: string,
): { readonly file: string; readonly temporary: string } | ContainerFault => {
  const path = resolve(file)
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  } catch (cause) {
    const errno = errnoOf(cause)
    if (errno === null) throw cause
    return faultOfErrno(errno)
  }
  return { file: path, temporary: `${path}.${randomBytes(6).toString("hex")}.tmp` }
}
