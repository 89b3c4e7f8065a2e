import { closeSync, existsSync, fstatSync, openSync, readFileSync } from "node:fs"
import { performance } from "node:perf_hooks"
import type { LogContainer } from "#workers/container/decode-container"
import { decodeContainer } from "#workers/container/decode-container"

/** What decoding one file took, in a process that does nothing else. */
export interface Measured {
  readonly decodedBytes: number
  readonly frames: number
  readonly fault: string | null
  readonly ms: number
  /** Peak of the process before and after, in bytes. */
  readonly rssBefore: number
  readonly rssAfter: number
}

const status = "/proc/self/status"

// maxRSS of a process begins with that of the one that started it; Linux knows the peak of its own
const peakRss = (): number => {
  const own = existsSync(status) ? /VmHWM:\s+(\d+) kB/.exec(readFileSync(status, "utf8")) : null
  return Number(own?.[1] ?? process.resourceUsage().maxRSS) * 1024
}

const [path = "", container = "zstd"] = process.argv.slice(2)
const descriptor = openSync(path, "r")
const rssBefore = peakRss()
const start = performance.now()
let newlines = 0
const end = await decodeContainer(
  { descriptor, byteCount: fstatSync(descriptor).size },
  container as LogContainer,
  (chunk) => {
    newlines += chunk.at(-1) === 10 ? 1 : 0
    return true
  },
)
const ms = performance.now() - start
closeSync(descriptor)
const measured: Measured = {
  decodedBytes: end.decodedBytes,
  frames: end.frames,
  fault: end.fault?.code ?? null,
  ms,
  rssBefore,
  rssAfter: peakRss(),
}
console.log(JSON.stringify(measured))
