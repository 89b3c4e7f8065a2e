import { isDeepStrictEqual } from "node:util"
import type { LoadWatch } from "#shell/bench/foreign-load"
import type { Timing } from "#shell/bench/rounds"
import { timingOf } from "#shell/bench/rounds"
import type { CommandFigures, FoldCommand } from "../lib/commands.ts"
import { measuredProcess } from "../lib/measured-process.ts"
import type { BuiltCommit } from "./worktree.ts"

/** One command over the same logs, by two commits. */
export interface Compared {
  readonly command: string
  readonly wall: readonly [Timing, Timing]
  /** Greatest peak of all rounds. */
  readonly peakBytes: readonly [number, number]
}

/**
 * Runs one command by two commits in turns, each time in a process of its own; who is first changes
 * from round to round.
 *
 * errors  an Error where the two do not find the same
 */
export const alternate = async (
  commits: readonly [BuiltCommit, BuiltCommit],
  { name, args, figuresOf }: FoldCommand,
  path: string,
  rounds: number,
  load: LoadWatch,
): Promise<Compared> => {
  const wallMs: readonly [number[], number[]] = [[], []]
  const peaks: readonly [number[], number[]] = [[], []]
  let found: CommandFigures | null = null
  // the first round does not count: files and code are not yet in memory
  for (let round = 0; round <= rounds; round++)
    for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const usage = await measuredProcess([commits[side].main, ...args, path])
      const figures = figuresOf(usage.stdout)
      found ??= figures
      if (!isDeepStrictEqual(found, figures))
        throw new Error(`${name}: ${JSON.stringify(found)}, and ${JSON.stringify(figures)}`)
      load.check()
      if (round === 0) continue
      wallMs[side].push(usage.wallMs)
      peaks[side].push(usage.peakBytes)
    }
  const timing = (side: 0 | 1): Timing => timingOf(commits[side].name, wallMs[side])
  const peak = (side: 0 | 1): number => Math.max(...peaks[side])
  return { command: name, wall: [timing(0), timing(1)], peakBytes: [peak(0), peak(1)] }
}
