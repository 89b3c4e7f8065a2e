import { fileURLToPath } from "node:url"
import { Agreement } from "#shell/bench/agreement"
import type { LoadWatch } from "#shell/bench/foreign-load"
import type { PublicPackages } from "#shell/bench/public-packages"
import { tableText } from "#shell/report/table"
import type { PassFigures } from "#workers/task-protocol"
import type { FoldCommand } from "./lib/commands.ts"
import type { BenchLogs } from "./lib/logs.ts"
import type { ProcessUsage } from "./lib/measured-process.ts"
import { measuredProcess } from "./lib/measured-process.ts"

const dist = new URL("../dist/", import.meta.url)
/** The built command. */
export const refoldMain: string = fileURLToPath(new URL("shell/main.js", dist))
const runTask = fileURLToPath(new URL("lib/run-task.mjs", import.meta.url))

/** A program that goes over logs once. */
interface Program {
  readonly name: string
  readonly args: readonly string[]
  readonly input: string
  readonly figuresOf: (stdout: string) => PassFigures
}

const taskProgram = (name: string, task: string, request: object): Program => ({
  name,
  args: [
    // the public packages hold a whole log as objects
    "--max-old-space-size=8192",
    runTask,
    new URL(`workers/${task}.js`, dist).href,
  ],
  input: JSON.stringify(request),
  figuresOf: (stdout) => JSON.parse(stdout) as PassFigures,
})

const commandProgram = ({ name, args, figuresOf }: FoldCommand, path: string): Program => ({
  name: `refold ${name}`,
  args: [refoldMain, ...args, path],
  input: "",
  figuresOf: (stdout) => ({ byteCount: null, lineCount: null, ...figuresOf(stdout) }),
})

const programsOf = (
  { path, logs }: BenchLogs,
  packages: PublicPackages | null,
  commands: readonly FoldCommand[],
): readonly Program[] => {
  const sources = logs.map(({ file }) => ({ path: file, descriptor: null, namedVersion: null }))
  return [
    taskProgram("read", "floor-task", { pass: "read", sources }),
    taskProgram("newline scan", "floor-task", { pass: "newlines", sources }),
    taskProgram("JSON.parse per line", "floor-task", { pass: "parse", sources }),
    ...(packages === null
      ? []
      : [
          taskProgram("public packages", "public-task", {
            sources,
            surfaceModule: packages.surface.url,
            priceModule: packages.price?.url ?? null,
          }),
        ]),
    ...commands.map((command) => commandProgram(command, path)),
  ]
}

/** What each way of going over logs took in a process of its own, by the name of the way. */
export const ownProcesses = async (
  logs: BenchLogs,
  packages: PublicPackages | null,
  commands: readonly FoldCommand[],
  load: LoadWatch,
): Promise<ReadonlyMap<string, ProcessUsage>> => {
  const agreement = new Agreement()
  agreement.take("the generator", logs.expected)
  const usages = new Map<string, ProcessUsage>()
  for (const { name, args, input, figuresOf } of programsOf(logs, packages, commands)) {
    const usage = await measuredProcess(args, input)
    agreement.take(name, figuresOf(usage.stdout))
    usages.set(name, usage)
    load.check()
  }
  return usages
}

const megabyte = 1e6

/** Programs, a line each. */
export const processesText = (usages: ReadonlyMap<string, ProcessUsage>): string =>
  tableText(
    [
      { title: "in a process of its own", align: "left" },
      { title: "wall ms", align: "right" },
      { title: "processor ms", align: "right" },
      { title: "peak RSS, MB", align: "right" },
    ],
    [...usages].map(([name, usage]) => [
      name,
      usage.wallMs.toFixed(0),
      usage.processorMs.toFixed(0),
      (usage.peakBytes / megabyte).toFixed(0),
    ]),
  )
