import { basename, dirname, resolve } from "node:path"
import type { ChildEvidence } from "../../core/format/edges/child-evidence.ts"
import type { FormatVersion } from "../../core/format/format.ts"
import type { SessionEvidence } from "../../workers/task-protocol.ts"
import type { FoundLog } from "../archive/discover.ts"
import { discover, sourceOf } from "../archive/discover.ts"
import { batchesOf } from "./batches.ts"
import type { Pool } from "./pool.ts"
import { runBatches } from "./run-batches.ts"

/** What is known of the sessions that a log started. */
export type ChildrenOf = (log: FoundLog) => readonly ChildEvidence[]

// the first format that lists the children of a session in its log
const listedSince = 4

const projectFolder = /^(?:--.*--|_no-cwd)$/

/** Folders of sessions that named logs stand in, where they stand as the agent puts them. */
const sessionRoots = (logs: readonly FoundLog[]): readonly string[] => {
  const roots = new Set<string>()
  for (const { file, name, root, path } of logs) {
    const project = dirname(dirname(resolve(file)))
    const isNamed = name !== null && root === path
    if (isNamed && projectFolder.test(basename(project))) roots.add(dirname(project))
  }
  return [...roots]
}

const keyOf = (log: FoundLog): string => `${resolve(log.file)}/${log.entry ?? ""}`

/**
 * Looks for the sessions that logs started: among all logs that were given, and among those beside
 * a log that stands where the agent puts it.
 */
export const childrenOf = async (
  pool: Pool,
  logs: readonly FoundLog[],
  to: FormatVersion,
  signal: AbortSignal,
): Promise<ChildrenOf> => {
  if (to < listedSince) return () => []
  const beside = discover(sessionRoots(logs)).logs
  const all = new Map([...beside, ...logs].map((log) => [keyOf(log), log] as const))
  const task = {
    run: (batch: readonly FoundLog[]): Promise<readonly SessionEvidence[]> =>
      pool.withAnyScratch((scratch) =>
        pool.run("evidence-task", { sources: batch.map(sourceOf), scratch }, signal),
      ),
    ofFault: (): SessionEvidence => ({ sessionId: null, child: null }),
  }
  const ids = new Map<string, string>()
  const children = new Map<string, ChildEvidence[]>()
  for await (const { log, reply } of runBatches(pool, batchesOf([...all.values()]), task, signal)) {
    if (reply.sessionId !== null) ids.set(keyOf(log), reply.sessionId)
    if (reply.child === null) continue
    const { parentId, evidence } = reply.child
    const known = children.get(parentId)
    if (known === undefined) children.set(parentId, [evidence])
    else if (!known.some(({ childId }) => childId === evidence.childId)) known.push(evidence)
  }
  return (log) => children.get(ids.get(keyOf(log)) ?? "") ?? []
}
