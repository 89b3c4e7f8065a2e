import type { MeasuredCase } from "../bench/ratios.ts"
import type { BenchRecord } from "./bench-record.ts"
import { counted } from "./replay-text.ts"
import type { Column } from "./table.ts"
import { tableText } from "./table.ts"

const columns: readonly Column[] = [
  { title: "case", align: "left" },
  { title: "workers", align: "right" },
  { title: "ms", align: "right" },
  { title: "from–to", align: "right" },
  { title: "MB/s", align: "right" },
  { title: "x JSON.parse", align: "right" },
  { title: "x public", align: "right" },
]

const titles: Readonly<Record<MeasuredCase["case"], string>> = {
  read: "read",
  "newline-scan": "newline scan",
  "json-parse": "JSON.parse per line",
  "public-packages": "public packages",
  fold: "refold",
  "fold-digest": "refold, with digest",
}

const msText = (ms: number): string => ms.toFixed(ms < 10 ? 2 : ms < 100 ? 1 : 0)
const timesText = (times: number | null): string => (times === null ? "–" : times.toFixed(2))

/** Measured cases, a line each. */
export const casesText = (cases: readonly MeasuredCase[]): string =>
  tableText(
    columns,
    cases.map((measured) => [
      titles[measured.case],
      String(measured.workers),
      msText(measured.medianMs),
      `${msText(measured.minMs)}–${msText(measured.maxMs)}`,
      measured.megabytesPerSecond.toFixed(0),
      timesText(measured.timesJsonParse),
      timesText(measured.timesPublicPackages),
    ]),
  )

/** Which public packages were measured, and which were not there. */
export const packagesText = (
  { surface, price }: BenchRecord["publicPackages"],
  areMeasured: boolean,
): string => {
  if (surface === null) return "public packages: not installed"
  if (!areMeasured) return "public packages: the log is too long for them"
  return price === null
    ? `public packages: dsh-session ${surface}, dsh-token-meter not installed: they price nothing`
    : `public packages: dsh-session ${surface}, dsh-token-meter ${price}`
}

/** What other processes took of the machine. */
export const foreignText = (cores: number | null): string =>
  cores === null
    ? "load of other processes: cannot be seen on this system"
    : `load of other processes: ${cores.toFixed(2)} of a core`

/** A bench for people: the machine, the log, a line a case. */
export const benchText = (record: BenchRecord): string => {
  const { machine, log } = record
  const lines = [
    `refold ${record.version}, Node ${machine.node}, ${machine.platform}-${machine.arch}, ${counted(machine.cores, "core")}: ${machine.processor}`,
    `a mixed log: ${counted(log.byteCount ?? 0, "byte")}, ${counted(log.eventCount ?? 0, "event")}, ${counted(log.nodeCount ?? 0, "node")}; median of ${record.rounds} interleaved rounds`,
    "",
    casesText(record.cases),
    packagesText(
      record.publicPackages,
      record.cases.some((measured) => measured.case === "public-packages"),
    ),
    foreignText(record.foreignCores),
  ]
  return `${lines.join("\n")}\n`
}
