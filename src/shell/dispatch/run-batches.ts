import type { ContainerFault } from "../../core/fold/container-fault.ts"
import type { FoundLog } from "../archive/discover.ts"
import { UsageError } from "../border.ts"
import { ordered } from "./ordered.ts"
import type { Pool } from "./pool.ts"

/** What is done with a list of logs, and what is said of those that it is not done with. */
export interface BatchTask<Reply> {
  /** One reply a log, in the order given. */
  readonly run: (logs: readonly FoundLog[]) => Promise<readonly Reply[]>
  /** The reply for a log that could not be read, or that brought its worker down. */
  readonly ofFault: (fault: ContainerFault) => Reply
}

export interface LogReply<Reply> {
  readonly log: FoundLog
  readonly reply: Reply
}

// for each worker one task to work on and one to go on with at once
const underWayPerWorker = 2

/**
 * Runs a task over batches of logs and yields its replies in the order of the logs.
 *
 * errors  a bad log is a reply like any other, also one that brings its worker down: it is named
 *         alone. Only an abort ends the run
 */
export async function* runBatches<Reply>(
  pool: Pool,
  batches: readonly (readonly FoundLog[])[],
  task: BatchTask<Reply>,
  signal: AbortSignal,
): AsyncGenerator<LogReply<Reply>> {
  const attempt = async (logs: readonly FoundLog[]): Promise<readonly Reply[]> => {
    try {
      return await task.run(logs)
    } catch (cause) {
      signal.throwIfAborted()
      // what holds for every log is said once
      if (pool.isClosed || cause instanceof UsageError) throw cause
      if (logs.length === 1) return [task.ofFault({ code: "internal-failure", errno: null })]
      const replies: Reply[] = []
      for (const log of logs) for (const reply of await attempt([log])) replies.push(reply)
      return replies
    }
  }
  const run = async (batch: readonly FoundLog[]): Promise<readonly LogReply<Reply>[]> => {
    const readable = batch.filter((log) => log.fault === null)
    const replies = readable.length === 0 ? [] : await attempt(readable)
    const byLog = new Map(readable.map((log, i) => [log, replies[i] as Reply] as const))
    return batch.map((log) => ({
      log,
      reply: log.fault === null ? (byLog.get(log) as Reply) : task.ofFault(log.fault),
    }))
  }
  for await (const results of ordered(batches, pool.workers * underWayPerWorker, run))
    yield* results
}
