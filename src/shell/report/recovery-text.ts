import type { OutputRecord, RecoveryRecord } from "./recovery-record.ts"
import { placeText } from "./place-text.ts"
import { counted } from "./replay-text.ts"
import { unwrittenText } from "./unwritten-text.ts"

const turnText = ({ openTurn }: OutputRecord): string => {
  if (openTurn === null) return ""
  const { turn, done, events } = openTurn
  const how = done === "kept" ? "is open" : `${done}, ${counted(events, "event")}`
  return `; turn ${turn} ${how}`
}

const outputText = (output: OutputRecord): string => {
  const { kind, eventCount, byteCount, forkedAt, status, file } = output
  const from = forkedAt === null ? "" : ` from ${forkedAt} on its own`
  const end = status === null ? "no log by itself" : status
  return `  ${kind}${from}: ${counted(eventCount, "event")}, ${byteCount} bytes, ${end}${turnText(output)}: ${file ?? "not written, there is such a file"}`
}

/** What was saved of a log, a line for each file and for all that is in none. */
export const recoveryText = (
  record: RecoveryRecord,
  printable: (text: string) => string,
): string => {
  const { status, refusalCode, refusalDetail } = record
  const cause =
    status === "unwritten"
      ? `: ${unwrittenText(refusalDetail)}`
      : refusalCode === null
        ? ""
        : `: ${refusalCode}${placeText({ refusalDetail })}`
  const lines = [`${record.path}: ${status}${cause}`]
  for (const output of record.outputs) lines.push(outputText(output))
  for (const { byteOffset, byteLength } of record.dropped)
    lines.push(`  left out: byte ${byteOffset}, ${byteLength} bytes that are no row`)
  if (record.tail !== null) {
    const { byteOffset, byteLength } = record.tail
    const what = byteLength === 0 ? "a frame that is torn" : `${byteLength} bytes of a torn line`
    lines.push(`  left out: byte ${byteOffset}, ${what}`)
  }
  if (record.containerDamage !== null)
    lines.push(
      `  left out: all behind the damage of the container [${record.containerDamage.code}]`,
    )
  return `${lines.map(printable).join("\n")}\n`
}
