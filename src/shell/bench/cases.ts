import { getHeapStatistics } from "node:v8"
import type { FloorPass, PassFigures } from "../../workers/task-protocol.ts"
import type { FoundLog } from "../archive/discover.ts"
import { sourceOf } from "../archive/discover.ts"
import { batchesOf } from "../dispatch/batches.ts"
import { ordered } from "../dispatch/ordered.ts"
import { Pool } from "../dispatch/pool.ts"
import { replayLogs } from "../dispatch/replay-logs.ts"
import { sumOf } from "./agreement.ts"
import type { PublicPackages } from "./public-packages.ts"
import type { Case } from "./rounds.ts"

/** What a case does with the logs. */
export type Way =
  "read" | "newline-scan" | "json-parse" | "public-packages" | "fold" | "fold-digest"

/** A way of going over logs, in a number of worker threads. */
export interface LogCase extends Case<PassFigures> {
  readonly way: Way
  readonly workers: number
}

/** Logs that all cases go over, and what they go over them with. */
export interface Bench {
  readonly logs: readonly FoundLog[]
  readonly packages: PublicPackages | null
  readonly pools: BenchPools
  readonly signal: AbortSignal
}

/** Warm worker threads: those of the public packages keep their garbage to themselves. */
export class BenchPools {
  readonly one: Pool = new Pool(1)
  readonly all: Pool
  readonly publicOne: Pool
  readonly publicAll: Pool

  /** @param workers  threads of `all` and `publicAll` */
  constructor(workers: number, hasPackages: boolean) {
    this.all = workers === 1 ? this.one : new Pool(workers)
    this.publicOne = hasPackages ? new Pool(1) : this.one
    this.publicAll = hasPackages && workers > 1 ? new Pool(workers) : this.publicOne
  }

  async close(): Promise<void> {
    const pools = new Set([this.one, this.all, this.publicOne, this.publicAll])
    await Promise.all([...pools].map((pool) => pool.close()))
  }
}

/** The name of a case, for people. */
const nameOf = (way: Way, workers: number): string =>
  workers === 1 ? way : `${way}, ${workers} workers`

const caseOf = (way: Way, pool: Pool, run: () => Promise<PassFigures>): LogCase => ({
  name: nameOf(way, pool.workers),
  way,
  workers: pool.workers,
  run,
})

const floorCase = ({ logs, pools, signal }: Bench, way: Way, pass: FloorPass): LogCase =>
  caseOf(way, pools.one, async () =>
    pools.one.run("floor-task", { pass, sources: logs.map(sourceOf) }, signal),
  )

const tasksPerWorker = 2

const publicCase = ({ logs, signal }: Bench, packages: PublicPackages, pool: Pool): LogCase =>
  caseOf("public-packages", pool, async () => {
    const modules = {
      surfaceModule: packages.surface.url,
      priceModule: packages.price?.url ?? null,
    }
    const run = (batch: readonly FoundLog[]): Promise<PassFigures> =>
      pool.run("public-task", { ...modules, sources: batch.map(sourceOf) }, signal)
    const replies: PassFigures[] = []
    for await (const reply of ordered(batchesOf(logs), pool.workers * tasksPerWorker, run))
      replies.push(reply)
    return sumOf(replies)
  })

const foldCase = ({ logs, signal }: Bench, pool: Pool, withDigest: boolean): LogCase =>
  caseOf(withDigest ? "fold-digest" : "fold", pool, async () => {
    const results = replayLogs(pool, batchesOf(logs), {
      tolerance: "default",
      filter: { session: null, sinceMs: null, untilMs: null },
      withRequests: false,
      withDigest,
      signal,
    })
    const found: PassFigures[] = []
    for await (const { log, replayed } of results) {
      const { status, byteCount, activity, nodeCount, tokens } = replayed.report
      if (status !== "ok" && status !== "torn") throw new Error(`${log.path}: ${status}`)
      found.push({
        byteCount,
        lineCount: null,
        eventCount: activity?.eventCount ?? 0,
        nodeCount,
        messageTokens: tokens.messages,
      })
    }
    return sumOf(found)
  })

// They hold a log as objects, which take three times its size, and read it in one go, which Node
// does up to 2 GiB.
const longestPublicLog = (): number =>
  Math.min(2 ** 31 - 1, getHeapStatistics().heap_size_limit / 3)

/**
 * Every way of going over logs, on one thread and on all; without the public packages where a log
 * is too long for them.
 */
export const casesOf = (bench: Bench): readonly LogCase[] => {
  const { logs, packages, pools } = bench
  const { one, all, publicOne, publicAll } = pools
  const cases = [
    floorCase(bench, "read", "read"),
    floorCase(bench, "newline-scan", "newlines"),
    floorCase(bench, "json-parse", "parse"),
  ]
  const longest = logs.reduce((most, log) => Math.max(most, log.byteCount), 0)
  if (packages !== null && longest <= longestPublicLog()) {
    cases.push(publicCase(bench, packages, publicOne))
    // one log is one task of theirs
    if (logs.length > 1 && publicAll !== publicOne)
      cases.push(publicCase(bench, packages, publicAll))
  }
  for (const pool of new Set([one, all]))
    for (const withDigest of [false, true]) cases.push(foldCase(bench, pool, withDigest))
  return cases
}
