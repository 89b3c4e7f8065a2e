import type { BlameRecord, BlameReportRecord, BlameTotals } from "./blame-record.ts"
import { counted } from "./replay-text.ts"
import { placeText } from "./request-text.ts"
import { tableText } from "./table.ts"

const numberText = (value: number | null): string => (value === null ? "–" : String(value))

const partText = ({ part, messageIndex }: BlameRecord): string =>
  part === null ? "–" : messageIndex === null ? part : `${part} ${messageIndex}`

const rowText = (row: BlameRecord): readonly string[] => [
  placeText(row),
  String(row.messageCount),
  String(row.tokens),
  String(row.sharedMessages),
  String(row.sharedTokens),
  partText(row),
  row.cause ?? "–",
  numberText(row.causeSeq),
  String(row.resentTokens),
  numberText(row.usage?.cacheReadTokens ?? null),
  `${numberText(row.expectedCacheReadTokens)}${row.isCacheDisagreeing === true ? " !" : ""}`,
]

const totalsLines = (totals: BlameTotals): readonly string[] => [
  `${counted(totals.requestCount, "request")}, ${totals.brokenCount} not begun like the one before; ${totals.resentTokens} tokens sent again, estimated`,
  ...totals.causes.map(
    ({ cause, requests, resentTokens }) =>
      `${cause}: ${counted(requests, "request")}, ${resentTokens} tokens sent again`,
  ),
  totals.comparedCount === 0
    ? "cache reads: none reported"
    : `cache reads: ${totals.disagreeingCount} of ${counted(totals.comparedCount, "request")} disagree with what is shared`,
]

/** The requests of a log and what broke their beginnings, for people. */
export const blameText = (record: BlameReportRecord): string => {
  if (record.status === "unreadable") return ""
  const right = (title: string) => ({ title, align: "right" }) as const
  const left = (title: string) => ({ title, align: "left" }) as const
  const table = tableText(
    [
      right("request"),
      right("messages"),
      right("tokens"),
      right("shared"),
      right("tokens"),
      left("parts in"),
      left("cause"),
      right("seq"),
      right("again"),
      right("cached"),
      right("expected"),
    ],
    record.requests.map(rowText),
  )
  return `${table}\n${totalsLines(record.totals).join("\n")}\n`
}
