import { printableLine } from "./escape.ts"
import type { FindingRecord, VerdictRecord } from "./check-record.ts"
import type { CauseSums } from "./check-causes.ts"
import { counted } from "./replay-text.ts"
import { tableText } from "./table.ts"

// of one log that is wrong everywhere a screenful is enough; the records hold them all
const shownFindings = 20

const whereText = ({ seq, row, byteOffset }: FindingRecord): string =>
  seq !== null ? `seq ${seq}` : row !== null ? `row ${row} (byte ${byteOffset ?? 0})` : "file"

/** The findings of one log under its verdict; empty for a log that nothing is wrong with. */
export const logText = (verdict: VerdictRecord, findings: readonly FindingRecord[]): string => {
  if (findings.length === 0) return ""
  const path = printableLine(verdict.root === verdict.path ? verdict.path : verdict.path)
  const lines = findings
    .slice(0, shownFindings)
    .map((finding) => printableLine(`  ${whereText(finding)}: ${finding.detail} [${finding.code}]`))
  const more = verdict.findingCount - lines.length
  if (more > 0) lines.push(`  and ${counted(more, "more finding")}`)
  const accepted = `${verdict.acceptedEvents} of ${counted(verdict.eventCount, "event")} accepted`
  return `${path}: ${verdict.status}, ${accepted}\n${lines.join("\n")}\n`
}

/** What a check comes to: the causes over all logs, and how the logs ended. */
export const checkText = ({ statuses, causes, logCount }: CauseSums): string => {
  const table =
    causes.length === 0
      ? ""
      : `${tableText(
          [
            { title: "cause", align: "left" },
            { title: "layer", align: "left" },
            { title: "findings", align: "right" },
            { title: "logs", align: "right" },
          ],
          causes.map(({ code, layer, findings, logs }) => [
            code,
            layer,
            String(findings),
            String(logs),
          ]),
        )}\n`
  const ends = (Object.entries(statuses) as readonly (readonly [string, number])[])
    .filter(([, logs]) => logs > 0)
    .map(([status, logs]) => `${logs} ${status}`)
    .join(", ")
  return `${table}${counted(logCount, "log")}: ${ends === "" ? "none" : ends}\n`
}
