import { cpus } from "node:os"
import type { PassFigures } from "../../workers/task-protocol.ts"
import type { FoundLog } from "../archive/discover.ts"
import { Agreement } from "./agreement.ts"
import type { BenchPools } from "./cases.ts"
import { casesOf } from "./cases.ts"
import type { LoadWatch } from "./foreign-load.ts"
import type { PublicPackages } from "./public-packages.ts"
import type { MeasuredCase } from "./ratios.ts"
import { measuredCases } from "./ratios.ts"
import { interleaved } from "./rounds.ts"

export interface MeasureOptions {
  readonly rounds: number
  readonly packages: PublicPackages | null
  readonly pools: BenchPools
  readonly load: LoadWatch
  readonly signal: AbortSignal
  /** What is known of the logs before anybody reads them. */
  readonly expected?: PassFigures
}

/** What all cases found in the logs, and how long they took. */
export interface Measured {
  readonly figures: PassFigures
  readonly cases: readonly MeasuredCase[]
}

/** The machine that something was measured on. */
export interface Machine {
  readonly platform: string
  readonly arch: string
  readonly cores: number
  readonly processor: string
  readonly node: string
}

export const machine = (): Machine => {
  const processors = cpus()
  return {
    platform: process.platform,
    arch: process.arch,
    cores: processors.length,
    processor: processors[0]?.model ?? "",
    node: process.versions.node,
  }
}

// shorter than that, a case of a small log would mostly be the start of its task
const sampleMs = 100

/**
 * Measures every way of going over some logs, in interleaved rounds on warm workers.
 *
 * errors  a MachineBusyError where others used the machine; an Error where two cases do not find
 *         the same; the reason of the signal after an abort
 */
export const measureLogs = async (
  logs: readonly FoundLog[],
  options: MeasureOptions,
): Promise<Measured> => {
  const cases = casesOf({ logs, ...options })
  const agreement = new Agreement()
  if (options.expected !== undefined) agreement.take("the one who wrote them", options.expected)
  const timings = await interleaved(cases, {
    rounds: options.rounds,
    sampleMs,
    onResult: agreement.take,
    onRound: () => options.load.check(),
  })
  const figures = agreement.figures()
  return { figures, cases: measuredCases(cases, timings, figures.byteCount ?? 0) }
}
