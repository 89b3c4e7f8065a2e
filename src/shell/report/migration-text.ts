import { printableLine } from "./escape.ts"
import type { CauseRecord, MigrationRecord } from "./migration-record.ts"
import { placeText } from "./place-text.ts"
import { counted } from "./replay-text.ts"
import { unwrittenText } from "./unwritten-text.ts"

// of one log that is wrong everywhere a screenful is enough; the records hold them all
const shownCauses = 20

const causeLine = ({ seq, from, to, detail, code }: CauseRecord): string =>
  `  ${seq === null ? "log" : `seq ${seq}`}: ${detail} [${code}, ${from} to ${to}]`

const codeText = (record: MigrationRecord): string =>
  `${record.refusalCode ?? ""}${placeText(record)}`

const endText = (record: MigrationRecord): string => {
  const { status, from, to, oldEventCount, newEventCount, messageCount, file, proof, tail } = record
  switch (status) {
    case "migrated": {
      const events = `${counted(oldEventCount, "event")} became ${newEventCount}`
      const same =
        proof === "equal"
          ? `${counted(messageCount ?? 0, "message")} equal`
          : "its messages cannot be compared: its own format refuses the log"
      const torn = tail === null ? "" : ", without its torn tail"
      return `format ${from ?? "?"} to ${to}, ${events}, ${same}${torn}${file === null ? "" : `: ${file}`}`
    }
    case "refused":
      return `refused: ${record.causeCount > 0 ? counted(record.causeCount, "cause") : codeText(record)}`
    case "exists":
      return "refused: there is a file of that name already"
    case "current":
      return `has format ${to} already`
    case "newer":
      return `has the later format ${from ?? "?"}`
    case "unwritten":
      return unwrittenText(record.refusalDetail)
    case "unreadable":
      return `unreadable: ${codeText(record)}`
  }
}

/** How one log went, in a line, and its causes below. */
export const migrationText = (record: MigrationRecord): string => {
  const lines = [printableLine(`${record.path}: ${endText(record)}`)]
  for (const cause of record.causes.slice(0, shownCauses))
    lines.push(printableLine(causeLine(cause)))
  const more = record.causeCount - shownCauses
  if (more > 0) lines.push(`  and ${counted(more, "more cause")}`)
  return `${lines.join("\n")}\n`
}

/** How all logs went, in a line. */
export const migrationsText = (records: readonly MigrationRecord[]): string => {
  const statuses = new Map<string, number>()
  for (const { status } of records) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  const ends = [...statuses].map(([status, count]) => `${count} ${status}`).join(", ")
  return `${counted(records.length, "log")}: ${ends === "" ? "none" : ends}\n`
}
