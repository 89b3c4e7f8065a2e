import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { LoadWatch, procLoad } from "#shell/bench/foreign-load"
import type { Timing } from "#shell/bench/rounds"
import { MachineBusyError } from "#shell/border"
import { foreignText } from "#shell/report/bench-text"
import { tableText } from "#shell/report/table"
import { benchUsage, BenchUsageError, countIn } from "../flags.ts"
import { shapeNames } from "../generate/shapes.ts"
import type { FoldCommand } from "../lib/commands.ts"
import { archiveCommands, logCommands } from "../lib/commands.ts"
import type { BenchLogs } from "../lib/logs.ts"
import { archiveLogs, shapeLog } from "../lib/logs.ts"
import { temporaryDirectory } from "../lib/temporary.ts"
import type { Compared } from "./alternate.ts"
import { alternate } from "./alternate.ts"
import { buildCommit, commitOf, pruneWorktrees } from "./worktree.ts"

const quietMs = 1000
const megabyte = 1e6
const exitStatus = { busy: 2, failure: 3 } as const

interface CompareFlags {
  readonly names: readonly [string, string]
  readonly size: number
  readonly rounds: number
}

const options = {
  size: { type: "string", default: "200e6" },
  rounds: { type: "string", default: "5" },
} as const

const flagsIn = (args: readonly string[]): CompareFlags => {
  let parsed
  try {
    parsed = parseArgs({ args: [...args], options, strict: true, allowPositionals: true })
  } catch (error) {
    throw new BenchUsageError(error instanceof Error ? error.message : String(error))
  }
  const { positionals, values } = parsed
  const [first, second] = positionals
  if (first === undefined || second === undefined || positionals.length > 2)
    throw new BenchUsageError("give two commits")
  for (const name of [first, second]) commitOf(name)
  return {
    names: [first, second],
    size: countIn("size", values.size),
    rounds: countIn("rounds", values.rounds),
  }
}

const timingText = ({ minMs, medianMs, maxMs }: Timing): string =>
  `${medianMs.toFixed(0)} (${minMs.toFixed(0)}–${maxMs.toFixed(0)})`

const rowOf = (logs: string, { command, wall, peakBytes }: Compared): readonly string[] => [
  logs,
  command,
  ...wall.map(timingText),
  (wall[0].medianMs / wall[1].medianMs).toFixed(2),
  peakBytes.map((bytes) => (bytes / megabyte).toFixed(0)).join(" → "),
]

const compare = async ({ names, size, rounds }: CompareFlags): Promise<void> => {
  const directory = temporaryDirectory(pruneWorktrees)
  const commits = [
    buildCommit(directory, names[0], "a"),
    buildCommit(directory, names[1], "b"),
  ] as const
  const inputs: readonly (readonly [string, BenchLogs, readonly FoldCommand[]])[] = [
    ...shapeNames.map((shape) => [shape, shapeLog(directory, shape, size), logCommands] as const),
    ["archive", archiveLogs(directory, size), archiveCommands],
  ]
  const load = new LoadWatch(procLoad)
  await sleep(quietMs)
  load.check()
  const rows: (readonly string[])[] = []
  for (const [name, { path }, commands] of inputs)
    for (const command of commands)
      rows.push(rowOf(name, await alternate(commits, command, path, rounds, load)))
  const table = tableText(
    [
      { title: "logs", align: "left" },
      { title: "refold", align: "left" },
      { title: `${names[0]}, ms`, align: "right" },
      { title: `${names[1]}, ms`, align: "right" },
      { title: "times faster", align: "right" },
      { title: "peak RSS, MB", align: "right" },
    ],
    rows,
  )
  process.stdout.write(`${table}\n${foreignText(load.end())}\n`)
}

try {
  await compare(flagsIn(process.argv.slice(2)))
} catch (error) {
  const isExpected = error instanceof BenchUsageError || error instanceof MachineBusyError
  process.stderr.write(`compare: ${isExpected ? error.message : String((error as Error).stack)}\n`)
  if (error instanceof BenchUsageError) process.stderr.write(`\n${benchUsage}`)
  process.exitCode = error instanceof MachineBusyError ? exitStatus.busy : exitStatus.failure
}
