import { createHash } from "node:crypto"
import type { NodeColumns, ProjectedMessages } from "../core/fold/folded-log.ts"
import { nodeColumns, projectedMessages } from "../core/fold/folded-log.ts"
import type { LogOutcome, LogReadingOptions } from "../core/fold/log-reading.ts"
import { LogReading } from "../core/fold/log-reading.ts"
import type { LineRange } from "../core/log/line-range.ts"
import type { LogReport } from "../core/fold/log-report.ts"
import { outcomeReport } from "../core/fold/log-report.ts"
import type { JsonValue } from "../core/data/json.ts"
import { rowMessage } from "../core/messages/row-message.ts"
import type { Message } from "../core/messages/event-message.ts"
import { messagesDigest } from "../core/messages/digest.ts"
import type { SurfaceKind } from "../core/format/surface-kind.ts"
import type { SurfaceDraft } from "../core/surface/draft.ts"
import { builtInProjections } from "../core/surface/image-offload.ts"
import type { OpenFault, OpenLog } from "./log-file.ts"
import { withOpenLog } from "./log-file.ts"
import { linesOf, readLines, releaseBlock } from "./log-lines.ts"
import { resumeLog, scanLog } from "./scan-log.ts"
import type { LogSource } from "./task-protocol.ts"
import type { Watermark } from "./watermark.ts"
import { tailBefore } from "./watermark.ts"

/** What a caller says of one reading; where lines come from is known here. */
export interface ReadOptions extends Omit<
  LogReadingOptions,
  "lineAt" | "projections" | "namedVersion"
> {
  /** By the scanner where it can, or row by row. */
  readonly carrier: "columns" | "rows"
  /** How far the log was read before; null or absent for one that is new. */
  readonly watermark?: Watermark | null
  /** Called when all that was said so far will be said again. */
  readonly onRestart?: () => void
}

/** One log, read: how it ended, and the file while somebody still looks at it. */
export interface ReadLog {
  readonly log: OpenLog
  readonly outcome: LogOutcome
  readonly isUnwanted: boolean
  /** Bytes of the file that were read for it. */
  readonly readBytes: number
  readonly reading: LogReading
}

const readOpen = (log: OpenLog, options: ReadOptions): ReadLog => {
  // the scanner takes no damage for a torn tail
  const isScannable = options.carrier === "columns" && options.tolerance === "default"
  const scanned = isScannable ? (resumeOpen(log, options) ?? scanOpen(log, options)) : null
  if (scanned !== null) return scanned
  options.onRestart?.()
  const reading = readingOf(log, options)
  const rest = readLines(log.descriptor, { from: 0, to: log.byteCount }, (text, at) =>
    reading.line(text, at),
  )
  return readLog(log, reading, reading.finish(rest), log.byteCount)
}

const readLog = (
  log: OpenLog,
  reading: LogReading,
  outcome: LogOutcome,
  readBytes: number,
): ReadLog => ({ log, outcome, isUnwanted: reading.isUnwanted, readBytes, reading })

const resumeOpen = (log: OpenLog, options: ReadOptions): ReadLog | null => {
  const { watermark = null } = options
  if (watermark === null) return null
  const reading = readingOf(log, options)
  const resumed = resumeLog(log, reading, watermark)
  return resumed === null ? null : readLog(log, reading, resumed.outcome, resumed.readBytes)
}

const scanOpen = (log: OpenLog, options: ReadOptions): ReadLog | null => {
  const reading = readingOf(log, options)
  const { throughSeq, onRequest } = options
  const outcome = scanLog(log, reading, { throughSeq, withRequests: onRequest !== undefined })
  return outcome === null ? null : readLog(log, reading, outcome, log.byteCount)
}

const readingOf = (log: OpenLog, options: ReadOptions): LogReading => {
  const lines = linesOf(log.descriptor)
  return new LogReading({
    ...options,
    projections: builtInProjections,
    namedVersion: log.source.namedVersion,
    lineAt: (line: LineRange) => lines.read(line),
  })
}

/**
 * Opens and reads a log, and hands it to `use` while it is open.
 *
 * errors  a fault instead, also when the file was changed before `use` was done
 */
export const withLog = <A>(
  source: LogSource,
  options: ReadOptions,
  use: (read: ReadLog) => A,
): A | OpenFault => {
  try {
    return withOpenLog(source, null, (log) => use(readOpen(log, options)))
  } finally {
    releaseBlock()
  }
}

/** A derived message, and the event that it comes of. */
export interface DerivedMessage {
  readonly seq: number
  readonly kind: SurfaceKind
  readonly message: Message
}

/** The derived messages of live nodes, read again from the file one by one. */
export function* messagesOfNodes(
  log: OpenLog,
  nodes: NodeColumns,
  projected: ProjectedMessages,
): Generator<DerivedMessage> {
  const rewritten = new Map(projected)
  const lines = linesOf(log.descriptor)
  for (const [i, each] of nodes.kinds.entries()) {
    const kind = each as SurfaceKind
    const byteOffset = nodes.byteOffsets[i] as number
    const byteLength = nodes.byteLengths[i] as number
    const row = JSON.parse(lines.read({ byteOffset, byteLength })) as JsonValue
    const seq = nodes.seqs[i] as number
    const message = rowMessage(kind, row, rewritten.get(seq))
    if (message !== null) yield { seq, kind, message }
  }
}

/** The derived messages of a surface, in order. */
export const derivedMessages = (log: OpenLog, surface: SurfaceDraft): Generator<DerivedMessage> =>
  messagesOfNodes(log, nodeColumns(surface), projectedMessages(surface))

function* textsOf(derived: Iterable<DerivedMessage>): Generator<Message> {
  for (const { message } of derived) yield message
}

/** Hex SHA-256 of the messages of live nodes. */
export const digestOf = (
  log: OpenLog,
  nodes: NodeColumns,
  projected: ProjectedMessages,
): string => {
  const hash = createHash("sha256")
  return messagesDigest(textsOf(messagesOfNodes(log, nodes, projected)), {
    update: (text) => hash.update(text, "utf8"),
    digest: () => hash.digest("hex"),
  })
}

/** Where to go on with a log that was read whole; null for any other. */
export const watermarkOf = ({ log, outcome, reading }: ReadLog): Watermark | null => {
  const { status, fold, tail } = outcome
  const state = status === "ok" || status === "torn" ? reading.state() : null
  if (fold === null || state === null) return null
  const byteOffset = tail === null ? log.byteCount : tail.byteOffset
  return {
    byteOffset,
    headerLength: reading.headerLength,
    reading: state,
    tailSha256: tailBefore(log.descriptor, byteOffset).sha256,
  }
}

/** The report of a log that was read, to its end or to its refusal. */
export const reportOf = ({ log, outcome }: ReadLog, withDigest: boolean): LogReport =>
  outcomeReport(
    outcome,
    log.byteCount,
    withDigest && outcome.fold !== null
      ? digestOf(log, nodeColumns(outcome.fold.surface), projectedMessages(outcome.fold.surface))
      : null,
  )
