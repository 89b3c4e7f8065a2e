import { printableLine } from "./escape.ts"
import { placeText } from "./place-text.ts"
import { unpricedText, usdText } from "./price-text.ts"
import type { SessionRecord, StepRecord } from "./session-record.ts"
import type { Column } from "./table.ts"
import { tableText } from "./table.ts"
import type { Totals } from "./totals.ts"

const right = (title: string): Column => ({ title, align: "right" })
const left = (title: string): Column => ({ title, align: "left" })

/** Columns that are there only where somebody asked for them. */
interface AskedColumns {
  readonly tokenizer: string | null
  readonly isPriced: boolean
}

const askedColumns = (records: readonly SessionRecord[]): AskedColumns => ({
  tokenizer: records.find(({ tokenized }) => tokenized !== undefined)?.tokenized?.tokenizer ?? null,
  isPriced: records.some(({ cost }) => cost !== undefined),
})

const sessionColumns = ({ tokenizer, isPriced }: AskedColumns): readonly Column[] => [
  left("path"),
  right("format"),
  right("events"),
  right("turns"),
  right("steps"),
  right("nodes"),
  right("repl."),
  right("messages"),
  right("tokens"),
  ...(tokenizer === null ? [] : [right(tokenizer)]),
  ...(isPriced ? [right("USD")] : []),
  left("status"),
]

// a cost that lacks reports is less than what was paid
const costText = ({ cost }: SessionRecord): string =>
  cost === undefined ? "–" : `${cost.unpriced.length > 0 ? "≥ " : ""}${usdText(cost.picoUsd)}`

const statusText = (record: SessionRecord): string =>
  record.refusalCode === null
    ? record.status
    : `${record.status}: ${record.refusalCode}${placeText(record)}`

/** What colours a text, or leaves it. */
export interface Paint {
  readonly green: (text: string) => string
  readonly yellow: (text: string) => string
  readonly red: (text: string) => string
}

const colourOf: Readonly<Record<SessionRecord["status"], keyof Paint>> = {
  ok: "green",
  torn: "yellow",
  refused: "red",
  unreadable: "red",
}

// of several arguments each path is said in full: alone they may be the same
const placeOf = ({ root, path }: SessionRecord): string =>
  root === path ? path : `${root.replace(/\/+$/, "")}/${path}`

/** The sessions of a replay, a line each. */
export const sessionsText = (records: readonly SessionRecord[], paint: Paint): string => {
  const asked = askedColumns(records)
  const hasOneRoot = new Set(records.map((record) => record.root)).size === 1
  return tableText(
    sessionColumns(asked),
    records.map((record) => [
      printableLine(hasOneRoot ? record.path : placeOf(record)),
      String(record.formatVersion ?? "–"),
      String(record.eventCount),
      String(record.turnCount),
      String(record.stepCount),
      String(record.nodeCount),
      String(record.replacementCount),
      String(record.messageCount),
      String(record.tokens.total),
      ...(asked.tokenizer === null ? [] : [String(record.tokenized?.total ?? "–")]),
      ...(asked.isPriced ? [costText(record)] : []),
      paint[colourOf[record.status]](statusText(record)),
    ]),
  )
}

/** The requests of a session, a line each. */
export const stepsText = (records: readonly StepRecord[]): string =>
  tableText(
    [
      left("path"),
      right("request"),
      right("through"),
      right("nodes"),
      right("messages"),
      right("tokens"),
    ],
    records.map((record) => [
      printableLine(record.path),
      `${record.turn}.${record.step}.${record.attempt}`,
      String(record.throughSeq),
      String(record.nodeCount),
      String(record.messageCount),
      String(record.tokens.total),
    ]),
  )

/** A number of things, in the singular where it is one. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`

const tokenizedLines = ({ tokenized }: Totals): readonly string[] => {
  if (tokenized === undefined || tokenized.tokenizer === "heuristic") return []
  const { tokenizer, exact, system, tools, messages, total } = tokenized
  const claim = exact ? "exact for the texts" : "not all of them exact"
  return [
    `${total} tokens by ${tokenizer}, ${claim}: system ${system}, tools ${tools}, messages ${messages}`,
  ]
}

const costLines = ({ cost }: Totals): readonly string[] => {
  if (cost === undefined) return []
  const usd = `${usdText(cost.input)}, cache read ${usdText(cost.cacheRead)}, cache write ${usdText(cost.cacheWrite)}, output ${usdText(cost.output)}`
  return [
    `cost of ${counted(cost.reports, "report")}: ${usdText(cost.picoUsd)} USD: input ${usd}`,
    ...cost.unpriced.map(unpricedText),
  ]
}

/** The last lines of a replay: how many sessions, how they ended, and what they add up to. */
export const totalsText = (totals: Totals): string => {
  const { statuses, tokens, usage } = totals
  const ends = (Object.entries(statuses) as readonly (readonly [string, number])[])
    .filter(([, sessions]) => sessions > 0)
    .map(([status, sessions]) => `${sessions} ${status}`)
    .join(", ")
  const lines = [
    `${counted(totals.sessionCount, "session")}: ${ends === "" ? "none" : ends}`,
    [
      counted(totals.eventCount, "event"),
      counted(totals.turnCount, "turn"),
      counted(totals.stepCount, "step"),
      counted(totals.replacementCount, "replacement"),
      counted(totals.messageCount, "message"),
    ].join(", "),
    `${tokens.total} tokens on the surfaces, estimated: system ${tokens.system}, tools ${tokens.tools}, messages ${tokens.messages}`,
    `reported usage: input ${usage.inputTokens}, cache read ${usage.cacheReadTokens}, cache write ${usage.cacheWriteTokens}, output ${usage.outputTokens}`,
    ...tokenizedLines(totals),
    ...costLines(totals),
    ...(totals.readByteCount === undefined
      ? []
      : [
          `read ${totals.readByteCount} of ${totals.byteCount} bytes, the others known from before`,
        ]),
    ...totals.causes.map((cause) => `${cause.code}: ${counted(cause.sessions, "session")}`),
  ]
  return `${lines.join("\n")}\n`
}
