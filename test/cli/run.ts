import type { ChildProcess, SpawnOptions } from "node:child_process"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** Root of the repository; the commands run here. */
export const root: string = fileURLToPath(new URL("../../", import.meta.url))

export const samples: string = `${root}samples`

// "#shell/…" is a source or a built file: so the command that runs is the one under test
const main = fileURLToPath(import.meta.resolve("#shell/main"))

const loader: readonly string[] = main.endsWith(".ts")
  ? ["--import", import.meta.resolve("tsx")]
  : []

export interface Environment {
  readonly [name: string]: string
}

// nothing of the test runner's: it asks for colours, and for conditions of its own
const environment = (more: Environment): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  HOME: process.env["HOME"],
  ...more,
})

/** The command line that runs refold. */
export const refoldCommand: readonly string[] = [process.execPath, ...loader, main]

/** Starts any program with the environment of a plain shell. */
export const start = (
  command: readonly string[],
  stdio: SpawnOptions["stdio"] = "pipe",
  env: Environment = {},
): ChildProcess => {
  const [program = "", ...args] = command
  return spawn(program, args, { cwd: root, env: environment(env), stdio })
}

/** Starts refold and leaves its pipes to the test. */
export const startRefold = (
  args: readonly string[],
  stdio?: SpawnOptions["stdio"],
  env?: Environment,
): ChildProcess => start([...refoldCommand, ...args], stdio, env)

export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

const textOf = (stream: ChildProcess["stdout"]): (() => string) => {
  const chunks: Buffer[] = []
  stream?.on("data", (chunk: Buffer) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString("utf8")
}

/** How a process ended, and what it had written until then. */
export const ended = async (child: ChildProcess): Promise<Ended> => {
  const stdout = textOf(child.stdout)
  const stderr = textOf(child.stderr)
  return await new Promise((resolve, reject) => {
    child.on("error", reject)
    child.on("close", (status, signal) => {
      resolve({ status, signal, stdout: stdout(), stderr: stderr() })
    })
  })
}

export interface Given {
  readonly input?: string | Uint8Array
  readonly env?: Environment
}

/** Runs refold to its end. */
export const refold = async (args: readonly string[], given: Given = {}): Promise<Ended> => {
  const child = startRefold(args, ["pipe", "pipe", "pipe"], given.env)
  // a command that does not read its input has closed it already
  child.stdin?.on("error", () => {})
  child.stdin?.end(given.input ?? "")
  return await ended(child)
}

/** The lines of an NDJSON output, parsed. */
export const recordsIn = <Row>(output: string): readonly Row[] =>
  output
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row)
