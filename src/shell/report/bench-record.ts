import type { PassFigures } from "../../workers/task-protocol.ts"
import type { Machine } from "../bench/measure.ts"
import type { MeasuredCase } from "../bench/ratios.ts"

/** How fast this machine goes over a log, against what no reader does without. */
export interface BenchRecord {
  readonly schema: "refold.bench/1"
  /** Of refold. */
  readonly version: string
  readonly machine: Machine
  /** Worker threads of the cases that have more than one. */
  readonly workers: number
  readonly rounds: number
  /** Cores that other processes took meanwhile; null where the system does not tell. */
  readonly foreignCores: number | null
  /** What every case found in the log. */
  readonly log: PassFigures
  /** Versions of the public packages; null where they are not installed. */
  readonly publicPackages: { readonly surface: string | null; readonly price: string | null }
  readonly cases: readonly MeasuredCase[]
}
