import type { JsonObject } from "../../core/data/json.ts"
import type { SurfaceTokens } from "../../core/fold/log-fold-options.ts"
import type { LogReport } from "../../core/fold/log-report.ts"
import type { Message } from "../../core/messages/event-message.ts"
import type { RequestHeaderAt } from "../../core/request/logged-request.ts"
import type { RequestAt } from "../../core/request/request-at.ts"
import type { ToolHistory } from "../../core/request/tool-history.ts"
import type { ToolUpdateOption } from "../../core/request/tool-update.ts"

/** Which request of a log a record is about. */
export interface RequestPlace {
  /** Null where no request was sent: the record is of a prefix of the log. */
  readonly turn: number | null
  readonly step: number | null
  readonly attempt: number | null
  /** The model saw the log up to and including this seq; −1 for nothing. */
  readonly throughSeq: number
}

/** One request as the log leads to it: `refold.request/1`. */
export interface RequestRecord extends RequestPlace {
  readonly schema: "refold.request/1"
  readonly session: string | null
  readonly formatVersion: number | null
  readonly reason: RequestHeaderAt["reason"]
  readonly startsSeries: boolean
  readonly header: JsonObject | null
  readonly system: string | null
  readonly toolHistory: ToolHistory
  /** How messages and tools were put for a provider; null for as the log has them. */
  readonly toolUpdate: ToolUpdateOption | null
  readonly tools: readonly JsonObject[]
  readonly messages: readonly Message[]
  readonly tokens: SurfaceTokens
}

export const requestPlace = ({
  point,
  throughSeq,
}: Pick<RequestAt, "point" | "throughSeq">): RequestPlace => ({
  turn: point?.turn ?? null,
  step: point?.step ?? null,
  attempt: point?.attempt ?? null,
  throughSeq,
})

export const requestRecord = (
  request: RequestAt,
  { header }: LogReport,
  toolUpdate: ToolUpdateOption | null,
): RequestRecord => ({
  schema: "refold.request/1",
  session: header?.id ?? null,
  formatVersion: header?.formatVersion ?? null,
  ...requestPlace(request),
  reason: request.reason,
  startsSeries: request.startsSeries,
  header: request.header,
  system: request.system,
  toolHistory: request.toolHistory,
  toolUpdate,
  tools: request.tools,
  messages: request.messages,
  tokens: request.tokens,
})
