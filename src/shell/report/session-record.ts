import type { JsonObject, JsonValue } from "../../core/data/json.ts"
import type { LocatedRefusal } from "../../core/data/located.ts"
import { refusalSeq } from "../../core/data/refusal.ts"
import type { SurfaceTokens } from "../../core/fold/log-fold-options.ts"
import type { RequestFigures } from "../../core/fold/request-figures.ts"
import type { ContainerFault } from "../../core/fold/container-fault.ts"
import type { Tail } from "../../core/fold/log-reading.ts"
import type { CostFigures } from "../../core/tokens/cost-figures.ts"
import type { TokenizedSurface } from "../../core/tokens/tokenizer.ts"
import type { Usage } from "../../core/tokens/usage.ts"
import type { LogReport } from "../../core/fold/log-report.ts"
import type { FoundLog } from "../archive/discover.ts"

export type Status = LogReport["status"]

/** What was refused, in the terms of the contract; nulls where nothing was. */
export interface RefusalFields {
  readonly refusalCode: string | null
  readonly refusalSeq: number | null
  /** Row, byte offset and the numbers of the refusal; the system's error name of a fault. */
  readonly refusalDetail: JsonObject | null
}

/** Bytes at the end that were not read as events. */
export interface TailFields {
  readonly byteOffset: number
  readonly byteLength: number
  readonly cause: string
}

/** One session of a replay: `refold.session/1`. */
export interface SessionRecord extends RefusalFields {
  readonly schema: "refold.session/1"
  readonly path: string
  readonly root: string
  readonly session: string | null
  readonly project: string | null
  readonly parentSession: string | null
  readonly origin: string | null
  readonly formatVersion: number | null
  readonly container: string | null
  readonly createdAtMs: number | null
  readonly byteCount: number | null
  readonly eventCount: number
  readonly inheritedEvents: number
  readonly turnCount: number
  readonly stepCount: number
  readonly nodeCount: number
  readonly replacementCount: number
  readonly messageCount: number
  readonly messagesSha256: string | null
  readonly tokens: SurfaceTokens
  readonly usage: Usage
  readonly firstTimeMs: number | null
  readonly lastTimeMs: number | null
  readonly status: Status
  readonly tail: TailFields | null
  /** Tokens by the tokeniser that was asked for; absent where none was, or nothing could be read. */
  readonly tokenized?: TokenizedSurface
  /** What the usage cost; absent where no prices were given, or nothing could be read. */
  readonly cost?: CostFigures
}

/** One request of a session: `refold.step/1`. */
export interface StepRecord {
  readonly schema: "refold.step/1"
  readonly path: string
  readonly session: string | null
  readonly turn: number
  readonly step: number
  readonly attempt: number
  /** The model saw the log up to and including this seq; −1 for nothing. */
  readonly throughSeq: number
  readonly nodeCount: number
  readonly messageCount: number
  readonly tokens: SurfaceTokens
}

const detailOf = ({ refusal, row, byteOffset }: LocatedRefusal): JsonObject => {
  const detail: Record<string, JsonValue> = { row, byteOffset }
  for (const [key, value] of Object.entries(refusal) as readonly (readonly [string, JsonValue])[])
    if (key !== "code" && key !== "seq") detail[key] = value
  return detail
}

/** The numbers and names of a fault; the system's name of its cause only where there is one. */
export const faultDetail = (fault: ContainerFault): JsonObject => {
  const detail: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(fault) as readonly (readonly [string, JsonValue])[])
    if (key !== "code" && !(key === "errno" && value === null)) detail[key] = value
  return detail
}

export const refusalFields = (report: LogReport): RefusalFields => {
  if (report.fault !== null) {
    const { fault } = report
    return { refusalCode: fault.code, refusalSeq: null, refusalDetail: faultDetail(fault) }
  }
  const { refusal } = report
  return refusal === null
    ? { refusalCode: null, refusalSeq: null, refusalDetail: null }
    : {
        refusalCode: refusal.refusal.code,
        refusalSeq: refusalSeq(refusal.refusal),
        refusalDetail: detailOf(refusal),
      }
}

export const tailFields = (tail: Tail | null): TailFields | null =>
  tail === null
    ? null
    : {
        byteOffset: tail.byteOffset,
        byteLength: tail.byteLength,
        cause: tail.cause === "unterminated" ? tail.cause : tail.cause.refusal.code,
      }

export const sessionRecord = (log: FoundLog, report: LogReport): SessionRecord => {
  const { header, activity, tokenized, cost } = report
  return {
    schema: "refold.session/1",
    path: log.path,
    root: log.root,
    session: header?.id ?? null,
    project: log.project,
    parentSession: header?.parentSession ?? null,
    origin: header?.origin ?? null,
    formatVersion: header?.formatVersion ?? null,
    container: report.container ?? log.container,
    createdAtMs: header?.createdAtMs ?? null,
    byteCount: report.byteCount,
    eventCount: activity?.eventCount ?? 0,
    inheritedEvents: activity?.inheritedEvents ?? 0,
    turnCount: activity?.turnCount ?? 0,
    stepCount: activity?.stepCount ?? 0,
    nodeCount: report.nodeCount,
    replacementCount: report.replaceGeneration,
    messageCount: report.messageCount,
    messagesSha256: report.messagesSha256,
    tokens: report.tokens,
    usage: report.usage,
    firstTimeMs: activity?.firstTimeMs ?? null,
    lastTimeMs: activity?.lastTimeMs ?? null,
    status: report.status,
    ...refusalFields(report),
    tail: tailFields(report.tail),
    ...(tokenized !== null && { tokenized }),
    ...(cost !== null && { cost }),
  }
}

export const stepRecord = (session: SessionRecord, request: RequestFigures): StepRecord => ({
  schema: "refold.step/1",
  path: session.path,
  session: session.session,
  turn: request.point.turn,
  step: request.point.step,
  attempt: request.point.attempt,
  throughSeq: request.point.throughSeq,
  nodeCount: request.nodeCount,
  messageCount: request.messageCount,
  tokens: request.tokens,
})
