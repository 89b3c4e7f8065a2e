import { containerName } from "../core/fold/container-report.ts"
import type { FoundLog } from "./archive/discover.ts"
import { discoverFile, sourceOf } from "./archive/discover.ts"
import { OutFiles, WriteError } from "./archive/out-files.ts"
import type { Packed } from "./archive/with-text.ts"
import { withText } from "./archive/with-text.ts"
import { ownSignal } from "./dispatch/own-signal.ts"
import { Pool } from "./dispatch/pool.ts"
import type { RecoverOptions } from "./recoverer.ts"
import { damagedLog, Recoverer } from "./recoverer.ts"
import type { RecoveryRecord } from "./report/recovery-record.ts"
import { faultRecovery, recoveryRecord } from "./report/recovery-record.ts"

export type { RecoverOptions } from "./recoverer.ts"

/** Recovers what a log was decoded to, under the names of the log. */
const recoverText = async (
  pool: Pool,
  files: OutFiles,
  log: FoundLog,
  { text, packed }: { readonly text: FoundLog; readonly packed: Packed | null },
  options: RecoverOptions & { readonly signal: AbortSignal },
): Promise<RecoveryRecord> => {
  const { signal } = options
  if (text.fault !== null) return faultRecovery(log, text.fault)
  const reply = await pool.run("survey-task", { source: sourceOf(text) }, signal)
  if (reply.is === "fault") return faultRecovery(log, reply.fault)
  if (reply.is === "no-log") {
    const damage = packed?.end.fault ?? null
    if (damage !== null) return faultRecovery(log, damage)
    const refusalDetail = { row: 0, byteOffset: 0 }
    const status = reply.isLog ? "refused" : "unreadable"
    return recoveryRecord(log, { status, refusalCode: reply.refusal.code, refusalDetail })
  }
  const recoverer = new Recoverer(pool, files, log, options, signal)
  return await recoverer.run(text, reply.header, damagedLog(reply.recovery, packed, text.byteCount))
}

/** As `recover`, for a log that was found before. */
export const recoverFound = async (
  log: FoundLog,
  options: RecoverOptions,
): Promise<RecoveryRecord> => {
  const signal = ownSignal(options.signal ?? new AbortController().signal)
  signal.throwIfAborted()
  const pool = new Pool(1)
  const files = new OutFiles(pool)
  try {
    return await withText(log, pool, signal, async (text, _fix, packed) => {
      const record = await recoverText(pool, files, log, { text, packed }, { ...options, signal })
      return packed === null ? record : { ...record, container: containerName(packed.container) }
    })
  } catch (cause) {
    signal.throwIfAborted()
    if (!(cause instanceof WriteError)) throw cause
    const { file, errno } = cause
    const refusalDetail = { file, errno }
    return recoveryRecord(log, { status: "unwritten", refusalCode: "write-failed", refusalDetail })
  } finally {
    await pool.close()
    files.discard()
  }
}

/**
 * Saves what can be saved of a damaged log, in files of its own.
 *
 * shape   the log up to a torn tail and without lines that are none; both branches of a log that two
 *         writers went on with; rows behind missing events apart. The source is never changed, and
 *         no file is written over
 * errors  a log that cannot be read is a record with its fault; the reason of the signal after an
 *         abort
 */
export const recover = async (path: string, options: RecoverOptions): Promise<RecoveryRecord> =>
  recoverFound(discoverFile(path), options)
