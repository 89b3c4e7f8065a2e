import type { ChildEvidence } from "../../core/format/edges/child-evidence.ts"
import type { FormatVersion } from "../../core/format/format.ts"
import type { MigrateReply } from "../../workers/task-protocol.ts"
import type { FoundLog } from "../archive/discover.ts"
import { sourceOf } from "../archive/discover.ts"
import type { Pool } from "./pool.ts"

/** Migrates a log into a file that nobody sees, to learn what would come of it. */
export const tryMigration = async (
  pool: Pool,
  log: FoundLog,
  to: FormatVersion,
  children: readonly ChildEvidence[],
  signal: AbortSignal,
): Promise<MigrateReply> =>
  pool.withScratch((target) =>
    pool.withScratch((scratch) => {
      const { descriptor } = target
      const request = { source: sourceOf(log), to, children, descriptor, scratch }
      return pool.run("migrate-task", request, signal)
    }),
  )
