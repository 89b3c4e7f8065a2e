import { join } from "node:path"
import { writeFileSync, mkdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { zstdCompressed } from "./lib/zstd-compressed.ts"
import type { FoundLog } from "#shell/archive/discover"
import { discover, sourceOf } from "#shell/archive/discover"
import type { MeasureOptions } from "#shell/bench/measure"
import type { Case, Timing } from "#shell/bench/rounds"
import { interleaved } from "#shell/bench/rounds"
import { batchesOf } from "#shell/dispatch/batches"
import type { Pool } from "#shell/dispatch/pool"
import { replayLogs } from "#shell/dispatch/replay-logs"
import { runBatches } from "#shell/dispatch/run-batches"
import { faultCheck } from "#core/check/check-report"
import type { BenchLogs } from "./lib/logs.ts"

const sampleMs = 500

const everything = { session: null, sinceMs: null, untilMs: null } as const

const checkCase = (
  name: string,
  pool: Pool,
  logs: readonly FoundLog[],
  signal: AbortSignal,
): Case<number> => ({
  name,
  run: async () => {
    const task = {
      run: (batch: readonly FoundLog[]) =>
        pool.withScratch((scratch) =>
          pool.run(
            "check-task",
            { sources: batch.map(sourceOf), tolerance: "default", scratch },
            signal,
          ),
        ),
      ofFault: faultCheck,
    }
    let events = 0
    for await (const { log, reply } of runBatches(pool, batchesOf(logs), task, signal)) {
      // some of the logs end in a torn line
      if (reply.status !== "ok" && reply.status !== "torn")
        throw new Error(`${log.path}: ${reply.status}`)
      events += reply.eventCount
    }
    return events
  },
})

const parseCase = (pool: Pool, logs: readonly FoundLog[], signal: AbortSignal): Case<number> => ({
  name: "parse",
  run: async () => {
    const sources = logs.map(sourceOf)
    const { lineCount } = await pool.run("floor-task", { pass: "parse", sources }, signal)
    return lineCount ?? 0
  },
})

const medianOf = (timings: readonly Timing[], name: string): number =>
  timings.find((timing) => timing.name === name)?.medianMs ?? NaN

/** What a check costs. */
export interface CheckFigures {
  /** Times as fast as `JSON.parse` of the same lines, both on one thread. */
  readonly timesJsonParse: number
  /** Times as fast on all workers as on one. */
  readonly speedUp: number
}

/** Measures the check of some logs against parsing them, and against itself on one thread. */
export const checkFigures = async (
  { logs }: BenchLogs,
  { pools, signal, rounds, load }: MeasureOptions,
): Promise<CheckFigures> => {
  const cases = [
    parseCase(pools.one, logs, signal),
    checkCase("one", pools.one, logs, signal),
    checkCase("all", pools.all, logs, signal),
  ]
  const timings = await interleaved(cases, { rounds, sampleMs, onRound: () => load.check() })
  const one = medianOf(timings, "one")
  return {
    timesJsonParse: medianOf(timings, "parse") / one,
    speedUp: one / medianOf(timings, "all"),
  }
}

const compressedLogs = async (
  directory: string,
  { path, logs }: BenchLogs,
): Promise<readonly FoundLog[]> => {
  const root = join(directory, "compressed")
  for (const log of logs) {
    const to = join(root, `${log.file.slice(path.length)}.zstd`)
    mkdirSync(dirname(to), { recursive: true })
    writeFileSync(to, await zstdCompressed(readFileSync(log.file)))
  }
  return discover([root]).logs
}

/** How fast logs in Zstandard frames are folded, against only decoding them; on all workers. */
export const zstdFigure = async (
  directory: string,
  plain: BenchLogs,
  { pools, signal, rounds, load }: MeasureOptions,
): Promise<number> => {
  const logs = await compressedLogs(directory, plain)
  load.skip()
  const pool = pools.all
  const decode: Case<number> = {
    name: "decode",
    run: async () => {
      const task = {
        run: async (batch: readonly FoundLog[]) => {
          const sources = batch.map(sourceOf)
          const { byteCount } = await pool.run("decode-task", { sources }, signal)
          return batch.map((_, i) => (i === 0 ? byteCount : 0))
        },
        ofFault: () => 0,
      }
      let bytes = 0
      for await (const { reply } of runBatches(pool, batchesOf(logs), task, signal)) bytes += reply
      return bytes
    },
  }
  const fold: Case<number> = {
    name: "fold",
    run: async () => {
      let bytes = 0
      const replayed = replayLogs(pool, batchesOf(logs), {
        tolerance: "default",
        filter: everything,
        withRequests: false,
        withDigest: false,
        signal,
      })
      for await (const { log, replayed: each } of replayed) {
        if (each.report.status !== "ok") throw new Error(`${log.path}: ${each.report.status}`)
        bytes += each.report.byteCount ?? 0
      }
      return bytes
    },
  }
  const found = new Set<number>()
  const timings = await interleaved([decode, fold], {
    rounds,
    sampleMs,
    onRound: () => load.check(),
    onResult: (_, bytes) => found.add(bytes),
  })
  if (found.size !== 1) throw new Error(`decoded and folded differ: ${[...found].join(", ")}`)
  return medianOf(timings, "decode") / medianOf(timings, "fold")
}
