import { rmSync } from "node:fs"
import { join } from "node:path"
import type { LoadWatch } from "#shell/bench/foreign-load"
import type { BenchLogs } from "./lib/logs.ts"
import type { ProcessUsage } from "./lib/measured-process.ts"
import { measuredProcess } from "./lib/measured-process.ts"
import { processesText, refoldMain } from "./own-process.ts"

const rounds = 3
const mostBytesRead = 0.01

interface Replay {
  readonly usage: ProcessUsage
  /** What it says of the sessions, as text. */
  readonly sessions: string
  readonly readBytes: number | null
}

const replay = async (path: string, more: readonly string[]): Promise<Replay> => {
  const usage = await measuredProcess([refoldMain, "replay", "--json", ...more, path])
  const { sessions, totals } = JSON.parse(usage.stdout) as {
    readonly sessions: readonly object[]
    readonly totals: { readonly readByteCount?: number }
  }
  return { usage, sessions: JSON.stringify(sessions), readBytes: totals.readByteCount ?? null }
}

const medianOf = (replays: readonly Replay[]): Replay => {
  const sorted = replays.toSorted((a, b) => a.usage.wallMs - b.usage.wallMs)
  const median = sorted[Math.floor(sorted.length / 2)]
  if (median === undefined) throw new Error("nothing was replayed")
  return median
}

/**
 * A replay of an archive without a cache, with one that is empty, and with one that knows all of it, in
 * turns, each in a process of its own.
 */
export const replayCache = async (
  directory: string,
  { path, expected }: BenchLogs,
  load: LoadWatch,
): Promise<void> => {
  const cache = join(directory, "cache")
  const ways = {
    "replay, no cache": [],
    "replay --cache, cold": ["--cache", cache],
    "replay --cache, warm": ["--cache", cache],
  }
  const replays = new Map<string, Replay[]>()
  const outputs = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    for (const [name, more] of Object.entries(ways)) {
      const each = await replay(path, more)
      outputs.add(each.sessions)
      replays.set(name, [...(replays.get(name) ?? []), each])
      load.check()
    }
    rmSync(cache, { recursive: true })
  }
  if (outputs.size !== 1) throw new Error("replays with and without a cache differ")
  const [plain, cold, warm] = [...replays.values()].map(medianOf)
  if (plain === undefined || cold === undefined || warm === undefined)
    throw new Error("nothing was replayed")
  console.log(`\nreplay with a cache: ${expected.byteCount} bytes, equal output`)
  const usages = [...replays].map(([name, each]) => [name, medianOf(each).usage] as const)
  console.log(processesText(new Map(usages)))
  const times = (one: Replay, other: Replay): string =>
    `${(one.usage.wallMs / other.usage.wallMs).toFixed(2)}x`
  const share = (warm.readBytes ?? Infinity) / (expected.byteCount ?? 0)
  console.log(
    `warm: ${warm.readBytes} bytes read, ${(share * 100).toFixed(2)} % (at most ${mostBytesRead * 100}); ` +
      `as fast as cold ${times(cold, warm)}, as no cache ${times(plain, warm)}; cold takes ${times(cold, plain)} of no cache`,
  )
  if (share > mostBytesRead) throw new Error("a warm replay reads too much")
}
