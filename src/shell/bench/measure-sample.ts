import { setMaxListeners } from "node:events"
import { fsyncSync, fstatSync } from "node:fs"
import { availableParallelism } from "node:os"
import { setImmediate as nextRound, setTimeout as sleep } from "node:timers/promises"
import type { FoundLog } from "../archive/discover.ts"
import { spool } from "../archive/spool.ts"
import type { BenchRecord } from "../report/bench-record.ts"
import { version } from "../version.ts"
import { BenchPools } from "./cases.ts"
import type { LoadSource } from "./foreign-load.ts"
import { LoadWatch } from "./foreign-load.ts"
import { machine, measureLogs } from "./measure.ts"
import { publicPackages } from "./public-packages.ts"
import { sampleLog } from "./sample-log.ts"

export interface SampleOptions {
  /** Bytes of the log, at least. */
  readonly byteCount: number
  readonly loadSource: LoadSource
  readonly signal: AbortSignal
}

const rounds = 5
const quietMs = 1000

async function* chunksOf(byteCount: number): AsyncGenerator<Buffer> {
  for (const chunk of sampleLog(byteCount)) {
    yield chunk
    // without a pause Ctrl-C would be heard at the end
    await nextRound()
  }
}

const logOf = (descriptor: number): FoundLog => ({
  path: "sample",
  root: "sample",
  file: "sample",
  descriptor,
  entry: null,
  isDecoded: true,
  project: null,
  name: null,
  container: "jsonl",
  byteCount: fstatSync(descriptor).size,
  fault: null,
})

/**
 * Measures this machine over a log that is made up for it and has no name on disk.
 *
 * errors  as `measureLogs`
 */
export const measureSample = async ({
  byteCount,
  loadSource,
  signal,
}: SampleOptions): Promise<BenchRecord> => {
  // every task under way listens to it
  const own = AbortSignal.any([signal])
  setMaxListeners(0, own)
  const packages = await publicPackages()
  const spooled = await spool(chunksOf(byteCount), own)
  const workers = availableParallelism()
  const pools = new BenchPools(workers, packages !== null)
  try {
    // or the system would write it out while something is measured
    fsyncSync(spooled.descriptor)
    const load = new LoadWatch(loadSource)
    await sleep(quietMs, undefined, { signal: own })
    load.check()
    const log = logOf(spooled.descriptor)
    const { figures, cases } = await measureLogs([log], {
      rounds,
      packages,
      pools,
      load,
      signal: own,
    })
    return {
      schema: "refold.bench/1",
      version: version(),
      machine: machine(),
      workers,
      rounds,
      foreignCores: load.end(),
      log: figures,
      publicPackages: {
        surface: packages?.surface.version ?? null,
        price: packages?.price?.version ?? null,
      },
      cases,
    }
  } finally {
    await pools.close()
    spooled.close()
  }
}
