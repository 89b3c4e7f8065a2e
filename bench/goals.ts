import type { MeasuredCase } from "#shell/bench/ratios"
import type { CheckFigures } from "./check.ts"
import type { Column } from "#shell/report/table"
import { tableText } from "#shell/report/table"

/** What must be shown: `more` is better for ratios, less for memory and growth. */
export interface Goal {
  readonly name: string
  readonly unit: "times" | "MB" | "factor"
  readonly better: "more" | "less"
  readonly floor: number
  readonly goal: number
  readonly measured: number
  /** Which shape it was worst in, or which it is about. */
  readonly where: string
}

export type Verdict = "goal" | "floor" | "missed"

export const verdictOf = ({ better, floor, goal, measured }: Goal): Verdict => {
  const reaches = (bound: number): boolean =>
    better === "more" ? measured >= bound : measured <= bound
  return reaches(goal) ? "goal" : reaches(floor) ? "floor" : "missed"
}

/** All that a run has measured; what was not asked for is absent. */
export interface Results {
  /** Cases over one log, by its shape. */
  readonly shapes: ReadonlyMap<string, readonly MeasuredCase[]>
  readonly archive: readonly MeasuredCase[] | null
  /** Peak bytes of `refold fold --no-digest` by the shape of its log. */
  readonly peakBytes: ReadonlyMap<string, number>
  /** Time a byte of a log, against one of a tenth of its size. */
  readonly growth: number | null
  /** Checks against `JSON.parse` and against themselves, by what was checked. */
  readonly checks: ReadonlyMap<string, CheckFigures>
  /** The last request of a log, against a fold of it with its digest. */
  readonly request: number | null
  /** A fold of logs in Zstandard frames, against only decoding them. */
  readonly zstd: number | null
  /** Peak bytes of the same command over 5 GB. */
  readonly peakBytesOf5Gb: number | null
}

interface Found {
  readonly where: string
  readonly measured: number
}

/** The case of most workers: all cores, or the only one. */
const most = (cases: readonly MeasuredCase[], way: MeasuredCase["case"]): MeasuredCase | null =>
  cases.reduce<MeasuredCase | null>(
    (best, each) => (each.case === way && each.workers > (best?.workers ?? 0) ? each : best),
    null,
  )

const alone = (cases: readonly MeasuredCase[], way: MeasuredCase["case"]): MeasuredCase | null =>
  cases.find((each) => each.case === way && each.workers === 1) ?? null

const worstOf = (
  shapes: Results["shapes"],
  timesOf: (cases: readonly MeasuredCase[]) => number | null | undefined,
): Found | null => {
  let worst: Found | null = null
  for (const [where, cases] of shapes) {
    const measured = timesOf(cases) ?? null
    if (measured !== null && (worst === null || measured < worst.measured))
      worst = { where, measured }
  }
  return worst
}

const only = (where: string, measured: number | null | undefined): Found | null =>
  measured === null || measured === undefined ? null : { where, measured }

const leastOf = (
  checks: Results["checks"],
  timesOf: (figures: CheckFigures) => number,
): Found | null => {
  const all = [...checks].map(([where, figures]) => ({ where, measured: timesOf(figures) }))
  return all.toSorted((a, b) => a.measured - b.measured)[0] ?? null
}

const megabyte = 1e6

const times = (name: string, floor: number, goal: number, found: Found | null): readonly Goal[] =>
  found === null ? [] : [{ name, unit: "times", better: "more", floor, goal, ...found }]

const memory = (name: string, found: Found | null): readonly Goal[] =>
  found === null
    ? []
    : [
        {
          name,
          unit: "MB",
          better: "less",
          floor: 250,
          goal: 200,
          where: found.where,
          measured: found.measured / megabyte,
        },
      ]

/** What a run shows of what must be shown. */
export const goalsOf = ({
  shapes,
  archive,
  peakBytes,
  growth,
  checks,
  request,
  zstd,
  peakBytesOf5Gb,
}: Results): readonly Goal[] => {
  const mixed = shapes.get("mixed") ?? []
  const uncompacted = shapes.get("uncompacted") ?? []
  const biggest = [...peakBytes].toSorted(([, a], [, b]) => b - a)[0]
  return [
    ...times(
      "one thread, against JSON.parse",
      2,
      2.4,
      worstOf(shapes, (cases) => alone(cases, "fold")?.timesJsonParse),
    ),
    ...times(
      "all workers, against JSON.parse on one thread",
      3.6,
      4.5,
      worstOf(shapes, (cases) => most(cases, "fold")?.timesJsonParse),
    ),
    ...times(
      "all workers, against the public packages",
      8,
      10,
      only("mixed", most(mixed, "fold")?.timesPublicPackages),
    ),
    ...times(
      "archive, all workers, against the public packages in as many",
      2.3,
      2.6,
      only("archive", archive === null ? null : most(archive, "fold")?.timesPublicPackages),
    ),
    ...times(
      "one thread with digest, against JSON.parse",
      0.5,
      0.7,
      only("uncompacted", alone(uncompacted, "fold-digest")?.timesJsonParse),
    ),
    ...memory(
      "peak RSS of refold fold --no-digest",
      biggest === undefined ? null : only(biggest[0], biggest[1]),
    ),
    ...(growth === null
      ? []
      : [
          {
            name: "time a byte, against a tenth of the size",
            unit: "factor",
            better: "less",
            floor: 1.15,
            goal: 1.15,
            measured: growth,
            where: "mixed",
          } as const,
        ]),
    ...times(
      "check on one thread, against JSON.parse",
      0.5,
      0.5,
      leastOf(checks, ({ timesJsonParse }) => timesJsonParse),
    ),
    ...times(
      "check of an archive on all workers, against one",
      1.7,
      1.7,
      only("archive", checks.get("archive")?.speedUp),
    ),
    ...times("last request of a log, against a fold with digest", 0.8, 0.8, only("mixed", request)),
    ...times("fold of a zstd archive, against decoding it", 0.8, 0.8, only("archive", zstd)),
    ...memory("peak RSS over 5 GB", only("mixed", peakBytesOf5Gb)),
  ]
}

const columns: readonly Column[] = [
  { title: "what must be shown", align: "left" },
  { title: "floor", align: "right" },
  { title: "goal", align: "right" },
  { title: "measured", align: "right" },
  { title: "baseline", align: "right" },
  { title: "worst", align: "left" },
  { title: "verdict", align: "left" },
]

const valueText = (value: number, unit: Goal["unit"]): string =>
  unit === "MB" ? `${value.toFixed(0)} MB` : `${value.toFixed(2)}x`

/** Goals, a line each, beside what an earlier run has measured. */
export const goalsText = (goals: readonly Goal[], baseline: ReadonlyMap<string, number>): string =>
  tableText(
    columns,
    goals.map((each) => {
      const before = baseline.get(each.name)
      return [
        each.name,
        valueText(each.floor, each.unit),
        valueText(each.goal, each.unit),
        valueText(each.measured, each.unit),
        before === undefined ? "–" : valueText(before, each.unit),
        each.where,
        verdictOf(each),
      ]
    }),
  )
