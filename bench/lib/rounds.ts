import { cpus } from "node:os"
import { performance } from "node:perf_hooks"

/** One measured way of doing something. */
export interface Case {
  readonly name: string
  readonly run: () => void
}

/** Milliseconds of a case over the rounds of one run. */
export interface Timing {
  readonly name: string
  readonly minMs: number
  readonly medianMs: number
  readonly maxMs: number
}

// a sample of a quick case is the mean of several runs: one alone measures the caches that the
// case before it left behind
const sampleMs = 1000

/** Mean milliseconds of some runs in a row. */
export const timed = (run: () => void, runs: number): number => {
  const start = performance.now()
  for (let i = 0; i < runs; i++) run()
  return (performance.now() - start) / runs
}

/** What samples of one case say. */
export const timingOf = (name: string, samples: readonly number[]): Timing => {
  const sorted = samples.toSorted((a, b) => a - b)
  return {
    name,
    minMs: sorted[0] ?? 0,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? 0,
    maxMs: sorted.at(-1) ?? 0,
  }
}

/**
 * Runs cases in turns, after one round that does not count, so that whatever else the machine is
 * doing meets all of them alike. Only ratios of one run mean anything.
 */
export const interleaved = (cases: readonly Case[], rounds: number): readonly Timing[] => {
  const runs = cases.map(({ run }) => Math.ceil(sampleMs / timed(run, 1)))
  const samples = cases.map((): number[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [i, each] of cases.entries()) samples[i]?.push(timed(each.run, runs[i] ?? 1))
  return cases.map(({ name }, i) => timingOf(name, samples[i] ?? []))
}

interface Busy {
  readonly machineMs: number
  readonly ownMs: number
  readonly atMs: number
}

const busyNow = (): Busy => {
  const machineMs = cpus().reduce((sum, { times }) => sum + times.user + times.sys + times.nice, 0)
  const { user, system } = process.cpuUsage()
  return { machineMs, ownMs: (user + system) / 1000, atMs: performance.now() }
}

/** Starts watching what other processes take; the answer is their share, in cores. */
export const watchForeignLoad = (): (() => number) => {
  const before = busyNow()
  return () => {
    const after = busyNow()
    const foreignMs = after.machineMs - before.machineMs - (after.ownMs - before.ownMs)
    return Math.max(0, foreignMs / (after.atMs - before.atMs))
  }
}
