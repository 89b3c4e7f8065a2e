import type { FoldedLog } from "../../core/fold/folded-log.ts"
import { printableLine } from "./escape.ts"
import type { FoldRecord } from "./fold-record.ts"
import { reportText } from "./refusal-text.ts"

const someOf = (numbers: readonly number[]): string => {
  const shown = 20
  const rest = numbers.length - shown
  const list = numbers.slice(0, shown).join(" ")
  return rest > 0 ? `${list} … (${rest} more)` : list
}

/** The fold of a log for people. */
export const foldText = (record: FoldRecord, { report }: FoldedLog): string => {
  // there is nothing to show of a log that could not be read; the cause is noted beside it
  if (record.status === "unreadable") return ""
  const { tokens } = record
  const lines: (readonly [string, string])[] = [
    ["session", record.session === null ? "–" : printableLine(record.session)],
    ["format", String(record.formatVersion ?? "–")],
    ["events", String(record.eventCount)],
    ["nodes", `${record.nodes.length}: ${someOf(record.nodes)}`],
    ["replacements", String(record.replacements.length)],
    ["generations", `replace ${record.replaceGeneration}, content ${record.contentGeneration}`],
    ["messages", String(record.messageCount)],
    ["digest", record.messagesSha256 ?? "–"],
    [
      "tokens",
      `${tokens.total} estimated: system ${tokens.system}, tools ${tokens.tools}, messages ${tokens.messages}`,
    ],
    ["status", record.status],
  ]
  const cause = reportText(report)
  if (cause !== null) lines.push(["cause", printableLine(cause)])
  return lines.map(([name, value]) => `${name.padEnd(13)}${value}\n`).join("")
}
