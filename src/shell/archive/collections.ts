import { tmpdir } from "node:os"
import { basename } from "node:path"
import { logNameOf } from "../../core/log/log-name.ts"
import { Pool } from "../dispatch/pool.ts"
import type { Discovery, FoundLog } from "./discover.ts"
import { byPath, sourceOf } from "./discover.ts"
import { mayHoldLogs } from "./first-byte.ts"

// a walk takes canonical names alone: a file of many logs is one that was named
const mayHoldMany = (log: FoundLog): boolean =>
  log.fault === null &&
  log.root === log.path &&
  log.name === null &&
  log.entry === null &&
  mayHoldLogs(log.file, log.descriptor)

/** The log of that name in an archive or a store. */
const entryIn = (file: FoundLog, entry: string): FoundLog => {
  const name = logNameOf(basename(entry))
  return { ...file, path: `${file.path}/${entry}`, entry, name }
}

/**
 * Puts the logs of archives and stores in the place of their files.
 *
 * shape   a file that holds none stays, and is reported by its own reading
 */
export const withEntries = async (
  discovery: Discovery,
  signal: AbortSignal,
): Promise<Discovery> => {
  if (!discovery.logs.some(mayHoldMany)) return discovery
  const pool = new Pool(1)
  try {
    const logs: FoundLog[] = []
    for (const log of discovery.logs)
      for (const entry of await logsIn(log, pool, signal)) logs.push(entry)
    return { ...discovery, logs: logs.sort(byPath) }
  } finally {
    await pool.close()
  }
}

const logsIn = async (
  log: FoundLog,
  pool: Pool,
  signal: AbortSignal,
): Promise<readonly FoundLog[]> => {
  if (!mayHoldMany(log)) return [log]
  const reply = await pool.run("entries-task", { source: sourceOf(log), folder: tmpdir() }, signal)
  if (reply.is === "fault") return [{ ...log, fault: reply.fault }]
  const isEmpty = reply.is === "one" || reply.names.length === 0
  return isEmpty ? [log] : reply.names.map((name) => entryIn(log, name))
}
