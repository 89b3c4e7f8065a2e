import { join } from "node:path"
import { closeSync, fsyncSync, openSync } from "node:fs"
import type { FoundLog } from "#shell/archive/discover"
import { discover } from "#shell/archive/discover"
import type { PassFigures } from "#workers/task-protocol"
import { writeArchive } from "../generate/archive.ts"
import { writeBigLog } from "../generate/big-log.ts"
import type { SessionSummary } from "../generate/session-summary.ts"
import type { ShapeName } from "../generate/shapes.ts"

/** Logs to measure, and what the generator says is in them. */
export interface BenchLogs {
  readonly path: string
  readonly logs: readonly FoundLog[]
  readonly expected: PassFigures
}

const seed = 1
// the public packages read no other
const format = 0
const logsOfArchive = 5000

// or the system would write it out while something is measured
const settle = (path: string): void => {
  const descriptor = openSync(path, "r")
  fsyncSync(descriptor)
  closeSync(descriptor)
}

const expectedOf = (bytes: number, summary: SessionSummary): PassFigures => ({
  byteCount: bytes,
  lineCount: null,
  eventCount: summary.eventCount,
  nodeCount: summary.nodes.length,
  messageTokens: summary.surfaceTokens,
})

/** Writes the log of a shape into a directory. */
export const shapeLog = (directory: string, shape: ShapeName, bytes: number): BenchLogs => {
  const path = join(directory, `${shape}-${bytes}.jsonl`)
  const written = writeBigLog(path, { shape, format, seed, bytes })
  settle(path)
  return {
    path,
    logs: discover([path]).logs,
    expected: expectedOf(written.bytes, written.summary),
  }
}

/** Writes an archive of 5,000 mixed logs that are so long together. */
export const archiveLogs = (directory: string, bytes: number): BenchLogs => {
  const path = join(directory, `archive-${bytes}`)
  const request = {
    shape: "mixed",
    format,
    seed,
    count: logsOfArchive,
    bytes: Math.max(1, Math.round(bytes / logsOfArchive)),
  } as const
  let sum = { byteCount: 0, eventCount: 0, nodeCount: 0, messageTokens: 0 }
  for (const log of writeArchive(path, request)) {
    settle(join(path, log.path))
    sum = {
      byteCount: sum.byteCount + log.bytes,
      eventCount: sum.eventCount + log.summary.eventCount,
      nodeCount: sum.nodeCount + log.summary.nodes.length,
      messageTokens: sum.messageTokens + log.summary.surfaceTokens,
    }
  }
  return { path, logs: discover([path]).logs, expected: { ...sum, lineCount: null } }
}
