import type { RequestFigures } from "../core/fold/request-figures.ts"
import { requestFigures } from "../core/fold/request-figures.ts"
import { faultReport } from "../core/fold/log-report.ts"
import { headerTest } from "../core/log/header-filter.ts"
import { DecodedLogs } from "./decoded.ts"
import type { OpenFault } from "./log-file.ts"
import { isFault } from "./log-file.ts"
import { surfaceTexts } from "../core/fold/surface-texts.ts"
import type { CountTokens, TokenizedSurface } from "../core/tokens/tokenizer.ts"
import { countTexts } from "./count-texts.ts"
import type { ReadLog } from "./read-log.ts"
import { reportOf, watermarkOf, withLog } from "./read-log.ts"
import type { LogSource, ReplayedLog, ReplayReply, ReplayRequest } from "./task-protocol.ts"
import { loadTokenizer } from "./tokenizer/load-tokenizer.ts"
import type { TokenizerSource } from "./tokenizer/tokenizer-source.ts"
import type { Watermark, WatermarkText } from "./watermark.ts"

interface Replayed {
  /** Null for a log that the filter leaves out. */
  readonly report: ReplayedLog["report"] | null
  readonly requests: readonly RequestFigures[]
  readonly readBytes?: number
  readonly watermark?: WatermarkText | null
}

/** A tokeniser that was loaded. */
interface Counter {
  readonly name: TokenizerSource["name"]
  readonly count: CountTokens
}

const tokenizedOf = (
  { log, outcome }: ReadLog,
  counter: Counter | null,
): TokenizedSurface | null =>
  counter === null || outcome.fold === null
    ? null
    : countTexts(log, surfaceTexts(outcome.fold), counter.name, counter.count)
const textOf = (watermark: Watermark | null): WatermarkText | null =>
  watermark === null ? null : JSON.stringify(watermark)

const watermarkIn = (text: WatermarkText | null | undefined): Watermark | null =>
  typeof text === "string" ? (JSON.parse(text) as Watermark) : null

const replayLog = (
  source: LogSource,
  request: ReplayRequest,
  counter: Counter | null,
  watermark: Watermark | null,
): Replayed | OpenFault => {
  const requests: RequestFigures[] = []
  return withLog(
    source,
    {
      tolerance: request.tolerance,
      carrier: "columns",
      throughSeq: Infinity,
      wants: headerTest(request.filter),
      watermark,
      prices: request.prices ?? null,
      ...(request.withRequests && {
        onRequest: (point, fold) => {
          requests.push(requestFigures(point, fold))
        },
        onRestart: () => {
          requests.length = 0
        },
      }),
    },
    (log) => ({
      report: log.isUnwanted
        ? null
        : { ...reportOf(log, request.withDigest), tokenized: tokenizedOf(log, counter) },
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
  const { tokenizer = null } = request
  const counter =
    tokenizer === null ? null : { name: tokenizer.name, count: await loadTokenizer(tokenizer) }
  const logs = new DecodedLogs(request.scratch ?? null)
  const replies: (ReplayedLog | null)[] = []
  try {
    for (const [i, source] of request.sources.entries()) {
      const read = await logs.read(
        source,
        (plain) => replayLog(plain, request, counter, watermarkIn(request.watermarks?.[i])),
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
