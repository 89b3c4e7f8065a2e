#!/usr/bin/env node
import { run } from "@stricli/core"
import { LogChangedError, MachineBusyError, UsageError } from "./border.ts"
import { appOf } from "./cli/app.ts"
import { checkArguments } from "./cli/arguments.ts"
import type { Cli } from "./cli/context.ts"
import { ClosedPipe, Output } from "./cli/output.ts"
import type { ExitStatus } from "./cli/status.ts"
import { exitStatus, larger } from "./cli/status.ts"
import { version } from "./version.ts"

const signals = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const

let status: ExitStatus = exitStatus.ok
let interrupted: number | null = null
const controller = new AbortController()
for (const [signal, code] of Object.entries(signals))
  process.on(signal, () => {
    // a second one does not wait for the tidying up
    if (interrupted !== null) process.exit(code)
    interrupted = code
    controller.abort()
  })

const raise = (next: ExitStatus): void => {
  status = larger(status, next)
}

const output = new Output(process.stdout, controller.signal)
process.stderr.on("error", () => {})

let told: unknown = null

/** Ends the command: quietly for a closed pipe or a signal, with a message otherwise. */
const fail = (cause: unknown): void => {
  if (cause instanceof ClosedPipe || interrupted !== null || cause === told) return
  told = cause
  const isOutside = cause instanceof LogChangedError || cause instanceof MachineBusyError
  raise(isOutside ? exitStatus.unreadable : exitStatus.failure)
  if (cause instanceof UsageError || isOutside) process.stderr.write(`refold: ${cause.message}\n`)
  // a defect of ours: where it happened is what a report needs
  else
    process.stderr.write(
      `${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}\n`,
    )
}

// such a terminal shows control sequences as text
const isDumb = process.env["TERM"] === "dumb"

const cli: Cli = {
  process: {
    stdout: {
      write: (text: string) => {
        void output.write(text).catch(() => {})
      },
    },
    stderr: process.stderr,
    env: process.env,
  },
  output,
  note: (text) => {
    process.stderr.write(`${text}\n`)
  },
  input: process.stdin,
  // undefined where there is no terminal, whatever its type says
  isTerminal: {
    output: Boolean(process.stdout.isTTY),
    notes: Boolean(process.stderr.isTTY) && !isDumb,
  },
  colours: (process.env["NO_COLOR"] ?? "") === "" && !isDumb,
  signal: controller.signal,
  raise,
  fail,
}

const inputs = process.argv.slice(2)
try {
  checkArguments(inputs)
  await run(appOf(version()), inputs, cli)
} catch (cause) {
  fail(cause)
}
await output.flush().catch(fail)
// the parser has negative codes of its own for unknown commands and flags
if (Number(cli.process.exitCode ?? 0) !== 0) raise(exitStatus.failure)
// what a slow reader has not taken would keep an interrupted process alive
if (interrupted !== null) process.exit(interrupted)
process.exitCode = status
