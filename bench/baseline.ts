import { execFileSync } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import type { Machine } from "#shell/bench/measure"
import { machine } from "#shell/bench/measure"
import type { MeasuredCase } from "#shell/bench/ratios"
import type { Goal, Results } from "./goals.ts"

/** The ratios of a case; milliseconds of another day say nothing. */
type CaseRatios = Pick<MeasuredCase, "case" | "workers" | "timesJsonParse" | "timesPublicPackages">

/** What a run has shown, to set later ones against. */
interface Baseline {
  readonly schema: "refold.baseline/1"
  readonly commit: string
  readonly machine: Machine
  /** Bytes of each log. */
  readonly size: number
  readonly goals: readonly Goal[]
  readonly cases: Readonly<Record<string, readonly CaseRatios[]>>
}

const file = new URL("baseline.json", import.meta.url)

const ratiosOf = (cases: readonly MeasuredCase[]): readonly CaseRatios[] =>
  cases.map((each) => ({
    case: each.case,
    workers: each.workers,
    timesJsonParse: each.timesJsonParse,
    timesPublicPackages: each.timesPublicPackages,
  }))

/** The commit at hand; with a mark where files differ from it. */
const commitAtHand = (): string =>
  execFileSync("git", ["describe", "--always", "--abbrev=40", "--dirty"], {
    encoding: "utf8",
  }).trim()

/** Writes what a run has shown beside the bench. */
export const writeBaseline = (size: number, goals: readonly Goal[], results: Results): void => {
  const { shapes, archive } = results
  const baseline: Baseline = {
    schema: "refold.baseline/1",
    commit: commitAtHand(),
    machine: machine(),
    size,
    goals,
    cases: Object.fromEntries(
      [...shapes, ...(archive === null ? [] : [["archive", archive] as const])].map(
        ([name, cases]) => [name, ratiosOf(cases)],
      ),
    ),
  }
  writeFileSync(file, `${JSON.stringify(baseline, null, 2)}\n`)
}

/** What the run that was kept has measured, by the name of the goal; nothing where none was. */
export const baselineGoals = (): ReadonlyMap<string, number> => {
  if (!existsSync(file)) return new Map()
  const { goals } = JSON.parse(readFileSync(file, "utf8")) as Baseline
  return new Map(goals.map(({ name, measured }) => [name, measured]))
}
