import type { FoundLog } from "../archive/discover.ts"
import { rangeCount } from "./fold-ranges.ts"

// one small file a task wastes a third of the time; this many bytes are enough
const bytesPerTask = 5_000_000
const logsPerTask = 256

/** Cuts a list of logs into lists that are worth a task each, in the same order. */
export const batchesOf = (logs: readonly FoundLog[]): readonly (readonly FoundLog[])[] => {
  const batches: FoundLog[][] = []
  let batch: FoundLog[] = []
  let bytes = 0
  for (const log of logs) {
    const isFull = bytes + log.byteCount > bytesPerTask || batch.length === logsPerTask
    if (batch.length > 0 && isFull) {
      batches.push(batch)
      batch = []
      bytes = 0
    }
    batch.push(log)
    bytes += log.byteCount
  }
  if (batch.length > 0) batches.push(batch)
  return batches
}

/** How many tasks a list of batches comes to: a big log is cut into ranges. */
export const taskCount = (batches: readonly (readonly FoundLog[])[]): number => {
  let tasks = 0
  for (const batch of batches)
    tasks += batch.length === 1 ? rangeCount(batch[0]?.byteCount ?? 0) : 1
  return tasks
}
