import type { RequestFigures } from "../core/fold/log-fold.ts"
import { faultReport } from "../core/fold/log-report.ts"
import { headerTest } from "../core/log/header-filter.ts"
import { DecodedLogs } from "./decoded.ts"
import type { OpenFault } from "./log-file.ts"
import { isFault } from "./log-file.ts"
import { reportOf, watermarkOf, withLog } from "./read-log.ts"
import type { LogSource, ReplayedLog, ReplayReply, ReplayRequest } from "./task-protocol.ts"
import type { Watermark, WatermarkText } from "./watermark.ts"

interface Replayed {
  /** Null for a log that the filter leaves out. */
  readonly report: ReplayedLog["report"] | null
  readonly requests: readonly RequestFigures[]
  readonly readBytes?: number
  readonly watermark?: WatermarkText | null
}

const textOf = (watermark: Watermark | null): WatermarkText | null =>
  watermark === null ? null : JSON.stringify(watermark)

const watermarkIn = (text: WatermarkText | null | undefined): Watermark | null =>
  typeof text === "string" ? (JSON.parse(text) as Watermark) : null

const replayLog = (
  source: LogSource,
  request: ReplayRequest,
  watermark: Watermark | null,
): Replayed | OpenFault => {
  const requests: RequestFigures[] = []
  return withLog(
    source,
    {
      tolerance: request.tolerance,
      carrier: request.withRequests ? "rows" : "columns",
      throughSeq: Infinity,
      wants: headerTest(request.filter),
      watermark,
      ...(request.withRequests && {
        onRequest: (figures: RequestFigures) => {
          requests.push(figures)
        },
      }),
    },
    (log) => ({
      report: log.isUnwanted ? null : reportOf(log, request.withDigest),
      requests,
      ...(request.withWatermarks === true && {
        readBytes: log.readBytes,
        watermark: textOf(watermarkOf(log)),
      }),
    }),
  )
}

/** Folds whole logs, one after the other. */
export default async (request: ReplayRequest): Promise<ReplayReply> => {
  const logs = new DecodedLogs(request.scratch ?? null)
  const replies: (ReplayedLog | null)[] = []
  try {
    for (const [i, source] of request.sources.entries()) {
      const read = await logs.read(
        source,
        (plain) => replayLog(plain, request, watermarkIn(request.watermarks?.[i])),
        (replayed, fix) => ({
          ...replayed,
          report: replayed.report === null ? null : fix(replayed.report),
        }),
      )
      if (isFault(read)) replies.push({ report: faultReport(read.fault), requests: [] })
      else replies.push(read.report === null ? null : { ...read, report: read.report })
    }
    return replies
  } finally {
    logs.close()
  }
}
