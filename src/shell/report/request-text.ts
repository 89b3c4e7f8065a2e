import type { JsonValue } from "../../core/data/json.ts"
import { isJsonObject, ownValue } from "../../core/data/json.ts"
import { printableLine } from "./escape.ts"
import { messageText } from "./message-text.ts"
import type { RequestPlace, RequestRecord } from "./request-record.ts"
import { tableText } from "./table.ts"

/** The address of a request; the seq where none was sent. */
export const placeText = ({ turn, step, attempt, throughSeq }: RequestPlace): string =>
  turn === null || step === null || attempt === null
    ? `seq ${throughSeq}`
    : `${turn}.${step}.${attempt}`

const nameIn = (value: JsonValue | undefined, key: string): string => {
  const name = isJsonObject(value) ? ownValue(value, key) : undefined
  return typeof name === "string" ? printableLine(name) : "–"
}

const modelOf = ({ header }: RequestRecord): string => {
  const config = header === null ? undefined : ownValue(header, "config")
  return `${nameIn(config, "provider")} ${nameIn(config, "model")}`
}

const reasonText = ({ reason, startsSeries }: RequestRecord): string =>
  startsSeries && reason !== "series" ? `${reason}, starts a series` : reason

/** A request for people: what it was, its tools by name, and its messages. */
export const requestText = (record: RequestRecord): string => {
  const { tokens } = record
  const names = record.tools.map((tool) => nameIn(tool, "name"))
  const lines: (readonly [string, string])[] = [
    ["session", record.session === null ? "–" : printableLine(record.session)],
    ["request", placeText(record)],
    ["through", `seq ${record.throughSeq}`],
    ["model", modelOf(record)],
    ["header", reasonText(record)],
    ["tools", names.length === 0 ? "none" : names.join(" ")],
    ["updates", String(record.toolHistory.updates.length)],
    ["messages", String(record.messages.length)],
    [
      "tokens",
      `${tokens.total} estimated: system ${tokens.system}, tools ${tokens.tools}, messages ${tokens.messages}`,
    ],
  ]
  const head = lines.map(([name, value]) => `${name.padEnd(13)}${value}\n`).join("")
  const messages = record.messages.map((message, i) => messageText(message, i + 1)).join("")
  return `${head}\n${messages}`
}

/** A line of the list of requests: what it was, without its messages. */
export type RequestLine = readonly string[]

export const requestLine = (record: RequestRecord): RequestLine => [
  placeText(record),
  String(record.throughSeq),
  reasonText(record),
  modelOf(record),
  String(record.tools.length),
  String(record.messages.length),
  String(record.tokens.total),
]

/** All requests of a log, a line each. */
export const requestsText = (lines: readonly RequestLine[]): string =>
  tableText(
    [
      { title: "request", align: "right" },
      { title: "through", align: "right" },
      { title: "header", align: "left" },
      { title: "model", align: "left" },
      { title: "tools", align: "right" },
      { title: "messages", align: "right" },
      { title: "tokens", align: "right" },
    ],
    lines,
  )
