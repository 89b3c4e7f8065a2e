import { randomBytes } from "node:crypto"
import { digestKeyOf } from "../../core/columns/digest.ts"
import type { FoldedLog } from "../../core/fold/folded-log.ts"
import {
  emptyFold,
  FoldCollector,
  nodeColumns,
  projectedMessages,
} from "../../core/fold/folded-log.ts"
import type { LogOutcome } from "../../core/fold/log-reading.ts"
import type { LogFoldOptions } from "../../core/fold/log-fold-options.ts"
import { LogReading } from "../../core/fold/log-reading.ts"
import { faultReport, outcomeReport } from "../../core/fold/log-report.ts"
import type { ContainerFault } from "../../core/fold/container-fault.ts"
import { surfaceTexts } from "../../core/fold/surface-texts.ts"
import type { LogHeader } from "../../core/log/header.ts"
import { builtInProjections } from "../../core/surface/image-offload.ts"
import type { PriceTable } from "../../core/tokens/price-table.ts"
import type { TokenizerSource } from "../../workers/tokenizer/tokenizer-source.ts"
import type { ByteRange, LogSource, RangeReply, RangeRequest } from "../../workers/task-protocol.ts"
import type { LineSource } from "../archive/line-source.ts"
import { countRanges } from "./count-ranges.ts"
import { ordered } from "./ordered.ts"
import type { Pool } from "./pool.ts"

/** A log that is opened here and scanned in workers. */
export interface RangedLog {
  readonly source: LogSource
  readonly lines: LineSource
}

export interface ReadRangesOptions {
  /** Last seq to accept; Infinity for the whole log. */
  readonly throughSeq: number
  /** Asked once the header is known; a log that is not wanted is not folded. */
  readonly wants?: (header: LogHeader) => boolean
  /** What calls are priced by. */
  readonly prices?: PriceTable | null
  readonly signal: AbortSignal
  /** Bytes of a range, more or less. */
  readonly rangeBytes?: number
}

export interface RangeOptions extends ReadRangesOptions {
  readonly withDigest: boolean
  /** What the texts of the surface are counted by as well. */
  readonly tokenizer?: TokenizerSource | null
  readonly withTranscript: boolean
  /** Whether only the report is asked for, and no node, replacement or message. */
  readonly isReportOnly?: boolean
}

/** What is told of a log on the way. */
export type RangeCallbacks = Pick<LogFoldOptions, "onReplacement" | "onTranscript" | "onRequest">

/** Bytes that keep a worker busy long enough, and whose columns are small. */
const bytesPerRange = 16 * 1024 * 1024

/** How many ranges a log is cut into; one where it is too short for that. */
export const rangeCount = (byteCount: number): number =>
  Math.max(1, Math.floor(byteCount / bytesPerRange))

// while the ranges of both workers are folded here, they go on with the next ones
const rangesPerWorker = 3

/** Cuts a log at newlines, lazily: where a cut is shows when the range before is given out. */
function* rangesOf(lines: LineSource, begin: number, wanted: number): Generator<ByteRange> {
  const { size } = lines.identity
  for (let from = begin; from < size;) {
    const newline = from + wanted < size ? lines.newlineFrom(from + wanted) : null
    const to = newline === null ? size : newline + 1
    yield { from, to }
    from = to
  }
}

/**
 * Folds one big log: workers scan its ranges, and the ranges are folded here in order.
 *
 * shape   the same as a fold in one go, for any number of workers and any ranges; null for
 *         a log that is not wanted, and where something in it would be refused: why, only a reading
 *         row by row can say
 * errors  a report with a fault for a file that is not what it was when it was opened; the reason
 *         of the signal after an abort
 */
export const foldRanges = async (
  pool: Pool,
  log: RangedLog,
  options: RangeOptions,
): Promise<FoldedLog | null> => {
  const collector = new FoldCollector(options)
  const callbacks = options.isReportOnly === true ? {} : collector.callbacks()
  const outcome = await readRanges(pool, log, options, callbacks)
  if (outcome === null) return null
  if ("code" in outcome) return emptyFold(faultReport(outcome))
  const surface = outcome.fold?.surface ?? null
  // a prefix that was not reached: what to say of that, others know
  if (options.throughSeq !== Infinity && outcome.fold?.isDone !== true) return null
  let messagesSha256: string | null = null
  if (options.withDigest && surface !== null) {
    const { source, lines } = log
    const request = {
      source,
      identity: lines.identity,
      nodes: nodeColumns(surface),
      projected: projectedMessages(surface),
    }
    const reply = await pool.run("digest-task", request, options.signal)
    if (reply.is === "fault") return emptyFold(faultReport(reply.fault))
    messagesSha256 = reply.messagesSha256
  }
  const { tokenizer = null } = options
  const tokenized =
    tokenizer === null || outcome.fold === null
      ? null
      : await countRanges(pool, log, surfaceTexts(outcome.fold), tokenizer, options.signal)
  if (tokenized !== null && "code" in tokenized) return emptyFold(faultReport(tokenized))
  if (log.lines.isChanged())
    return emptyFold(faultReport({ code: "changed-while-reading", errno: null }))
  const whole = outcomeReport(outcome, log.lines.identity.size, messagesSha256)
  const report = { ...whole, tokenized }
  return options.isReportOnly === true ? emptyFold(report) : collector.folded(report, surface)
}

/**
 * Reads one big log by its ranges: workers scan them, and they are folded here in order.
 *
 * shape   null where only a reading row by row can say how the log ends
 * errors  the fault of a file that cannot be read
 */
export const readRanges = async (
  pool: Pool,
  log: RangedLog,
  options: ReadRangesOptions,
  callbacks: RangeCallbacks,
): Promise<LogOutcome | ContainerFault | null> => {
  const { lines, source } = log
  const headerEnd = lines.newlineFrom(0)
  if (headerEnd === null) return null
  const reading = new LogReading({
    ...callbacks,
    tolerance: "default",
    projections: builtInProjections,
    namedVersion: source.namedVersion,
    throughSeq: options.throughSeq,
    prices: options.prices ?? null,
    ...(options.wants !== undefined && { wants: options.wants }),
    lineAt: lines.read,
  })
  const headerLine = { byteOffset: 0, byteLength: headerEnd }
  reading.line(lines.read(headerLine), headerLine)
  const header = reading.openHeader
  if (header === null) return null
  let rest = { byteOffset: headerEnd + 1, byteLength: 0 }
  const ranges = rangesOf(lines, headerEnd + 1, options.rangeBytes ?? bytesPerRange)
  const withRequests = callbacks.onRequest !== undefined
  const scan = scanIn(pool, log, header, { ...options, withRequests })
  for await (const reply of ordered(ranges, pool.workers * rangesPerWorker, scan)) {
    if (reply.is === "fault") return reply.fault
    if (!reading.range(reply.scan)) return null
    rest = reply.rest
    if (reading.openHeader === null) break
  }
  return reading.finish(rest)
}

const scanIn = (
  pool: Pool,
  { source, lines }: RangedLog,
  header: LogHeader,
  { throughSeq, withRequests, signal }: ReadRangesOptions & { readonly withRequests: boolean },
): ((range: ByteRange) => Promise<RangeReply>) => {
  const common: Omit<RangeRequest, "range"> = {
    source,
    identity: lines.identity,
    formatVersion: header.format.version,
    digestKey: digestKeyOf(randomBytes(8)),
    throughSeq,
    withRequests,
  }
  return async (range) => pool.run("range-task", { ...common, range }, signal)
}
