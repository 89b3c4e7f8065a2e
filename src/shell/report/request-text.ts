import type { JsonObject, JsonValue } from "../../core/data/json.ts"
import { isJsonObject, ownValue } from "../../core/data/json.ts"
import type { RequestHeaderAt } from "../../core/request/logged-request.ts"
import { headerConfig } from "../../core/request/logged-request.ts"
import type { ListedRequest } from "../requests.ts"
import { printableLine } from "./escape.ts"
import type { RequestPlace, RequestRecord } from "./request-record.ts"
import { requestPlace } from "./request-record.ts"
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

const modelText = (config: JsonObject): string =>
  `${nameIn(config, "provider")} ${nameIn(config, "model")}`

const reasonText = ({
  reason,
  startsSeries,
}: Pick<RequestHeaderAt, "reason" | "startsSeries">): string =>
  startsSeries && reason !== "series" ? `${reason}, starts a series` : reason

/** A request for people, but for its messages: what it was, and its tools by name. */
export const requestHead = (record: RequestRecord): string => {
  const { tokens } = record
  const names = record.tools.map((tool) => nameIn(tool, "name"))
  const lines: (readonly [string, string])[] = [
    ["session", record.session === null ? "–" : printableLine(record.session)],
    ["request", placeText(record)],
    ["through", `seq ${record.throughSeq}`],
    ["model", modelText(headerConfig(record.header))],
    ["header", reasonText(record)],
    ["tools", names.length === 0 ? "none" : names.join(" ")],
    ["updates", String(record.toolHistory.updates.length)],
    ["messages", String(record.messages.length)],
    [
      "tokens",
      `${tokens.total} estimated: system ${tokens.system}, tools ${tokens.tools}, messages ${tokens.messages}`,
    ],
  ]
  return `${lines.map(([name, value]) => `${name.padEnd(13)}${value}\n`).join("")}\n`
}

const lineOf = (request: ListedRequest): readonly string[] => [
  placeText(requestPlace(request)),
  String(request.throughSeq),
  reasonText(request),
  modelText(request.config),
  String(request.toolCount),
  String(request.messageCount),
  String(request.tokens.total),
]

/** All requests of a log, a line each. */
export const requestsText = (requests: readonly ListedRequest[]): string =>
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
    requests.map(lineOf),
  )
