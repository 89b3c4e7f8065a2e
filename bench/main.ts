import { setMaxListeners } from "node:events"
import { rmSync } from "node:fs"
import { availableParallelism } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { BenchPools } from "#shell/bench/cases"
import { LoadWatch, procLoad } from "#shell/bench/foreign-load"
import type { MeasureOptions } from "#shell/bench/measure"
import { machine, measureLogs } from "#shell/bench/measure"
import { publicPackages } from "#shell/bench/public-packages"
import type { MeasuredCase } from "#shell/bench/ratios"
import { MachineBusyError } from "#shell/border"
import { casesText, foreignText, packagesText } from "#shell/report/bench-text"
import { assembly } from "./assembly.ts"
import { baselineGoals, writeBaseline } from "./baseline.ts"
import type { CheckFigures } from "./check.ts"
import { checkFigures, zstdFigure } from "./check.ts"
import type { BenchFlags } from "./flags.ts"
import { benchFlags, benchUsage, BenchUsageError } from "./flags.ts"
import { shapeNames } from "./generate/shapes.ts"
import type { Results } from "./goals.ts"
import { goalsOf, goalsText, verdictOf } from "./goals.ts"
import { growthOf } from "./growth.ts"
import type { FoldCommand } from "./lib/commands.ts"
import { archiveCommands, foldNoDigest, logCommands } from "./lib/commands.ts"
import type { BenchLogs } from "./lib/logs.ts"
import { archiveLogs, shapeLog } from "./lib/logs.ts"
import type { ProcessUsage } from "./lib/measured-process.ts"
import { temporaryDirectory } from "./lib/temporary.ts"
import { ownProcesses, processesText } from "./own-process.ts"
import { replayCache } from "./replay-cache.ts"
import { requestFigure } from "./request.ts"
import { surfaceFold } from "./surface-fold.ts"
import { tokenFold } from "./token-fold.ts"

const rounds = 5
const quietMs = 1000
const fiveGigabytes = 5e9

const exitStatus = { ok: 0, missed: 1, busy: 2, failure: 3 } as const

const show = (text: string): void => void process.stdout.write(`${text}\n`)

interface Run {
  readonly flags: BenchFlags
  readonly directory: string
  readonly options: MeasureOptions
}

interface Part {
  readonly cases: readonly MeasuredCase[]
  readonly usages: ReadonlyMap<string, ProcessUsage>
}

const measurePart = async (
  { options }: Run,
  title: string,
  logs: BenchLogs,
  commands: readonly FoldCommand[],
): Promise<Part> => {
  const { expected } = logs
  show(`\n${title}: ${expected.byteCount} bytes, ${expected.eventCount} events`)
  options.load.skip()
  const { cases } = await measureLogs(logs.logs, { ...options, expected })
  show(casesText(cases))
  const usages = await ownProcesses(logs, options.packages, commands, options.load)
  show(processesText(usages))
  return { cases, usages }
}

const measureAll = async (run: Run): Promise<Results> => {
  const { flags, directory, options } = run
  const { size, parts, with5Gb } = flags
  const shapes = new Map<string, readonly MeasuredCase[]>()
  const peakBytes = new Map<string, number>()
  let archive: readonly MeasuredCase[] | null = null
  let growth: number | null = null
  let peakBytesOf5Gb: number | null = null
  const peakOf = (usages: Part["usages"]): number =>
    usages.get(`refold ${foldNoDigest.name}`)?.peakBytes ?? 0
  if (parts.has("surface-fold")) await surfaceFold(options.load)
  if (parts.has("assembly")) await assembly(options.load)
  if (parts.has("token-fold")) await tokenFold(options.load)
  for (const shape of shapeNames) {
    if (!parts.has(shape)) continue
    const logs = shapeLog(directory, shape, size)
    const { cases, usages } = await measurePart(run, shape, logs, logCommands)
    shapes.set(shape, cases)
    peakBytes.set(shape, peakOf(usages))
    rmSync(logs.path)
  }
  if (parts.has("archive")) {
    const logs = archiveLogs(directory, size)
    archive = (await measurePart(run, "archive", logs, archiveCommands)).cases
    rmSync(logs.path, { recursive: true })
  }
  if (parts.has("growth")) {
    const short = shapeLog(directory, "mixed", Math.ceil(size / 10))
    const long = shapeLog(directory, "mixed", size)
    options.load.skip()
    growth = await growthOf(short, long, options)
    for (const { path } of [short, long]) rmSync(path)
  }
  const checks = new Map<string, CheckFigures>()
  if (parts.has("check")) {
    const fat = shapeLog(directory, "fat", Math.ceil(size / 5))
    const many = archiveLogs(directory, size)
    options.load.skip()
    checks.set("fat", await checkFigures(fat, options))
    checks.set("archive", await checkFigures(many, options))
    for (const { path } of [fat, many]) rmSync(path, { recursive: true })
  }
  if (parts.has("cache")) {
    const logs = archiveLogs(directory, size)
    options.load.skip()
    await replayCache(directory, logs, options.load)
    rmSync(logs.path, { recursive: true })
  }
  let request: number | null = null
  if (parts.has("request")) {
    const logs = shapeLog(directory, "mixed", Math.ceil(size / 10))
    request = await requestFigure(logs, options.load)
    rmSync(logs.path)
  }
  let zstd: number | null = null
  if (parts.has("zstd")) {
    const logs = archiveLogs(directory, size)
    zstd = await zstdFigure(directory, logs, options)
    rmSync(logs.path, { recursive: true })
  }
  if (with5Gb) {
    const logs = shapeLog(directory, "mixed", fiveGigabytes)
    show(`\n5 GB: ${logs.expected.eventCount} events`)
    options.load.skip()
    const usages = await ownProcesses(logs, null, [foldNoDigest], options.load)
    show(processesText(usages))
    peakBytesOf5Gb = peakOf(usages)
  }
  return { shapes, archive, peakBytes, growth, checks, request, zstd, peakBytesOf5Gb }
}

const measuresPublic = ({ shapes, archive }: Results): boolean =>
  [...shapes.values(), archive ?? []].some((cases) =>
    cases.some((measured) => measured.case === "public-packages"),
  )

const bench = async (flags: BenchFlags): Promise<number> => {
  const packages = await publicPackages()
  const { signal } = new AbortController()
  setMaxListeners(0, signal)
  const pools = new BenchPools(availableParallelism(), packages !== null)
  try {
    const load = new LoadWatch(procLoad)
    await sleep(quietMs)
    load.check()
    const { cores, processor, node } = machine()
    show(`Node ${node}, ${cores} cores: ${processor}`)
    const options = { rounds, packages, pools, load, signal }
    const results = await measureAll({ flags, directory: temporaryDirectory(), options })
    const goals = goalsOf(results)
    const versions = {
      surface: packages?.surface.version ?? null,
      price: packages?.price?.version ?? null,
    }
    show(`\n${goalsText(goals, baselineGoals())}`)
    show(packagesText(versions, measuresPublic(results)))
    show(foreignText(load.end()))
    if (flags.writesBaseline) writeBaseline(flags.size, goals, results)
    const isMissed = goals.some((goal) => verdictOf(goal) === "missed")
    return isMissed ? exitStatus.missed : exitStatus.ok
  } finally {
    await pools.close()
  }
}

try {
  process.exitCode = await bench(benchFlags(process.argv.slice(2)))
} catch (error) {
  const isExpected = error instanceof BenchUsageError || error instanceof MachineBusyError
  process.stderr.write(`bench: ${isExpected ? error.message : String((error as Error).stack)}\n`)
  if (error instanceof BenchUsageError) process.stderr.write(`\n${benchUsage}`)
  process.exitCode = error instanceof MachineBusyError ? exitStatus.busy : exitStatus.failure
}
