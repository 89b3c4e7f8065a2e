import { readFileSync } from "node:fs"
import { performance } from "node:perf_hooks"
import { MachineBusyError } from "../border.ts"

/** Processor time until a moment, in milliseconds. */
export interface Load {
  /** Of all processes, and what a host of the machine took for others. */
  readonly machineMs: number
  readonly ownMs: number
  readonly atMs: number
}

/** Where load is read; null where the system does not tell it. */
export type LoadSource = () => Load | null

/** Cores that others may take before figures say nothing. */
const foreignLimit = 0.15

// the kernel counts for programs in hundredths of a second, whatever its own clock
const msPerTick = 10
// a shorter window is as coarse as the ticks
const windowMs = 500

const numbersOf = (fields: string): readonly number[] => fields.trim().split(/ +/).map(Number)

/**
 * The load of a Linux machine and of this process, its threads and ended children included.
 *
 * @param machineStat  `/proc/stat`
 * @param ownStat  `/proc/self/stat`
 */
export const loadOf = (
  machineStat: string,
  ownStat: string,
  own: NodeJS.CpuUsage,
  atMs: number,
): Load => {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = numbersOf(
    machineStat.slice("cpu".length, machineStat.indexOf("\n")),
  )
  // the name of the process, in parentheses, may hold anything; the state behind it is no number
  const fields = numbersOf(ownStat.slice(ownStat.lastIndexOf(")") + 1))
  const [childUser = 0, childSystem = 0] = fields.slice(13)
  return {
    machineMs: (user + nice + system + irq + softirq + steal) * msPerTick,
    ownMs: (own.user + own.system) / 1000 + (childUser + childSystem) * msPerTick,
    atMs,
  }
}

/** Reads the load of this machine; null where there is no `/proc`. */
export const procLoad: LoadSource = () => {
  try {
    const machineStat = readFileSync("/proc/stat", "utf8")
    const ownStat = readFileSync("/proc/self/stat", "utf8")
    return loadOf(machineStat, ownStat, process.cpuUsage(), performance.now())
  } catch {
    return null
  }
}

/** Watches what other processes take while something is measured. */
export class LoadWatch {
  private readonly source: LoadSource
  private since: Load | null
  private foreignMs = 0
  private watchedMs = 0

  constructor(source: LoadSource) {
    this.source = source
    this.since = source()
  }

  /** Leaves out the time since the last look: nothing was measured in it. */
  skip(): void {
    this.since = this.source()
  }

  /**
   * Looks at the time since the last look, where that was long enough.
   *
   * errors  a MachineBusyError where others took more than the limit
   */
  check(): void {
    this.look(windowMs)
  }

  /**
   * Cores that others took in all the time that was looked at; null where that cannot be known.
   *
   * errors  as `check`
   */
  end(): number | null {
    this.look(0)
    if (this.since === null) return null
    const cores = this.foreignMs / Math.max(1, this.watchedMs)
    refuse(cores)
    return cores
  }

  private look(leastMs: number): void {
    const now = this.source()
    if (now === null || this.since === null) return
    const watchedMs = now.atMs - this.since.atMs
    if (watchedMs < leastMs) return
    const ownMs = now.ownMs - this.since.ownMs
    // ticks of the machine and of the process are not counted at the same moments
    const foreignMs = Math.max(0, now.machineMs - this.since.machineMs - ownMs)
    this.since = now
    this.foreignMs += foreignMs
    this.watchedMs += watchedMs
    if (watchedMs >= windowMs) refuse(foreignMs / watchedMs)
  }
}

const refuse = (cores: number): void => {
  if (cores > foreignLimit) throw new MachineBusyError(cores, foreignLimit)
}
