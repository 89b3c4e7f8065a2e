import { printableLine } from "./escape.ts"
import type { FindingRecord, VerdictRecord } from "./check-record.ts"
import type { CauseSums } from "./check-causes.ts"
import { counted } from "./replay-text.ts"
import { tableText } from "./table.ts"

// of one log that is wrong everywhere a screenful is enough; the records hold them all
const shownFindings = 20

const whereText = ({ seq, row, byteOffset }: FindingRecord): string =>
  seq !== null ? `seq ${seq}` : row !== null ? `row ${row} (byte ${byteOffset ?? 0})` : "file"

// what is said of the log as one of another format says so
const asText = ({ as }: FindingRecord, { formatVersion }: VerdictRecord): string =>
  as === formatVersion || as === null ? "" : `as format ${as}: `

const upgradeText = ({ upgrade }: VerdictRecord): string =>
  upgrade === null ? "" : `; as format ${upgrade.to}: ${upgrade.status}`

/** The findings of one log under its verdict; empty for a log that nothing is wrong with. */
export const logText = (verdict: VerdictRecord, findings: readonly FindingRecord[]): string => {
  if (findings.length === 0) return ""
  const path = printableLine(verdict.path)
  const lines = findings.slice(0, shownFindings).map((finding) => {
    const where = asText(finding, verdict) + whereText(finding)
    return printableLine(`  ${where}: ${finding.detail} [${finding.code}]`)
  })
  const more = findings.length - lines.length
  if (more > 0) lines.push(`  and ${counted(more, "more finding")}`)
  const accepted = `${verdict.acceptedEvents} of ${counted(verdict.eventCount, "event")} accepted`
  return `${path}: ${verdict.status}, ${accepted}${upgradeText(verdict)}\n${lines.join("\n")}\n`
}

/** What a check comes to: the causes over all logs, and how the logs ended. */
export const checkText = ({ statuses, upgrades, causes, logCount }: CauseSums): string => {
  const isOwn = causes.every(({ as }) => as === null)
  const table =
    causes.length === 0
      ? ""
      : `${tableText(
          [
            { title: "cause", align: "left" },
            { title: "layer", align: "left" },
            ...(isOwn ? [] : [{ title: "as format", align: "left" } as const]),
            { title: "findings", align: "right" },
            { title: "logs", align: "right" },
          ],
          causes.map(({ code, layer, as, findings, logs }) => [
            code,
            layer,
            ...(isOwn ? [] : [as === null ? "its own" : String(as)]),
            String(findings),
            String(logs),
          ]),
        )}\n`
  const ends = (Object.entries(statuses) as readonly (readonly [string, number])[])
    .filter(([, logs]) => logs > 0)
    .map(([status, logs]) => `${logs} ${status}`)
    .join(", ")
  const after = [...upgrades].map(([status, logs]) => `${logs} ${status}`).join(", ")
  const last = after === "" ? "" : `after the upgrade: ${after}\n`
  return `${table}${counted(logCount, "log")}: ${ends === "" ? "none" : ends}\n${last}`
}
