import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import type { Readable } from "node:stream"
import { performance } from "node:perf_hooks"

/** What a program took, from its start to its end. */
export interface ProcessUsage {
  readonly wallMs: number
  readonly processorMs: number
  readonly peakBytes: number
  readonly stdout: string
}

const usageModule = new URL("usage.mjs", import.meta.url).href

/**
 * Runs a program of Node to its end.
 *
 * errors  an Error where it ends with another status than 0, with what it said
 */
export const measuredProcess = async (
  args: readonly string[],
  input = "",
): Promise<ProcessUsage> => {
  const start = performance.now()
  const child = spawn(process.execPath, ["--import", usageModule, ...args], {
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  })
  child.stdin?.end(input)
  const [, stdout, stderr, usage] = child.stdio as readonly (Readable | null)[]
  const read = (stream: Readable | null | undefined): Promise<string> =>
    stream ? text(stream) : Promise.resolve("")
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject)
    child.on("exit", resolve)
  })
  const told = Promise.all([read(stdout), read(stderr), read(usage)])
  const status = await ended
  const wallMs = performance.now() - start
  const [out, problem, figures] = await told
  if (status !== 0) throw new Error(`${args.join(" ")}: status ${status}: ${problem}`)
  const { processorMs, peakBytes } = JSON.parse(figures) as Omit<ProcessUsage, "wallMs" | "stdout">
  return { wallMs, processorMs, peakBytes, stdout: out }
}
