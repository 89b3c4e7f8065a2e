import { performance } from "node:perf_hooks"

/** One measured way of doing something. */
export interface Case<A> {
  readonly name: string
  readonly run: () => A | Promise<A>
}

/** Milliseconds of a case over the rounds of one run. */
export interface Timing {
  readonly name: string
  readonly minMs: number
  readonly medianMs: number
  readonly maxMs: number
}

export interface RoundOptions<A> {
  readonly rounds: number
  /**
   * Least milliseconds of a sample: that of a quick case is the mean of several runs in a row, as
   * one alone measures the caches that the case before it left behind.
   */
  readonly sampleMs: number
  readonly onResult?: (name: string, result: A) => void
  /** Called after every round; what it throws ends the run. */
  readonly onRound?: () => void
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

/** Mean milliseconds of some runs in a row. */
export const timed = async <A>(
  { name, run }: Case<A>,
  runs: number,
  onResult?: RoundOptions<A>["onResult"],
): Promise<number> => {
  let total = 0
  for (let i = 0; i < runs; i++) {
    const start = performance.now()
    const result = await run()
    total += performance.now() - start
    onResult?.(name, result)
  }
  return total / runs
}

/**
 * Runs cases in turns, after one round that does not count, so that whatever else the machine is
 * doing meets all of them alike. Only ratios of one run mean anything.
 *
 * shape   in the order of the cases; each round begins with another one. Garbage is never
 *         collected by force: that throws compiled code away, too
 */
export const interleaved = async <A>(
  cases: readonly Case<A>[],
  { rounds, sampleMs, onResult, onRound }: RoundOptions<A>,
): Promise<readonly Timing[]> => {
  const runs: number[] = []
  for (const each of cases)
    runs.push(Math.max(1, Math.ceil(sampleMs / (await timed(each, 1, onResult)))))
  onRound?.()
  const samples = cases.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < cases.length; turn++) {
      const i = (round + turn) % cases.length
      const each = cases[i]
      if (each !== undefined) samples[i]?.push(await timed(each, runs[i] ?? 1, onResult))
    }
    onRound?.()
  }
  return cases.map(({ name }, i) => timingOf(name, samples[i] ?? []))
}
