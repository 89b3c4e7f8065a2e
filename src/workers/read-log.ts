import { createHash } from "node:crypto"
import type { LogOutcome, LogReadingOptions } from "../core/fold/log-reading.ts"
import { LogReading } from "../core/fold/log-reading.ts"
import type { LineRange } from "../core/fold/log-fold.ts"
import type { LogReport } from "../core/fold/log-report.ts"
import type { SourceFault } from "../core/fold/source-fault.ts"
import { outcomeReport } from "../core/fold/log-report.ts"
import type { JsonValue } from "../core/data/json.ts"
import { rowMessage } from "../core/messages/row-message.ts"
import type { Message } from "../core/messages/event-message.ts"
import { messagesDigest } from "../core/messages/digest.ts"
import type { SurfaceDraft } from "../core/surface/draft.ts"
import { builtInProjections } from "../core/surface/image-offload.ts"
import type { OpenLog } from "./log-file.ts"
import { changeFault, closeLog, faultOf, openLog } from "./log-file.ts"
import { readLineAt, readLines, releaseBlock } from "./log-lines.ts"
import { scanLog } from "./scan-log.ts"
import type { LogSource } from "./task-protocol.ts"

/** What a caller says of one reading; where lines come from is known here. */
export interface ReadOptions extends Omit<
  LogReadingOptions,
  "lineAt" | "projections" | "namedVersion"
> {
  /** Called when all that was said so far will be said again. */
  readonly onRestart?: () => void
}

/** One log, read: how it ended, and the file while somebody still looks at it. */
export interface ReadLog {
  readonly log: OpenLog
  readonly outcome: LogOutcome
  readonly isUnwanted: boolean
}

const readOpen = (log: OpenLog, options: ReadOptions): ReadLog => {
  const scanned = isScannable(options) ? scanOpen(log, options) : null
  if (scanned !== null) return scanned
  options.onRestart?.()
  const reading = readingOf(log, options)
  const rest = readLines(log.descriptor, { from: 0, to: log.byteCount }, (text, at) =>
    reading.line(text, at),
  )
  return { log, outcome: reading.finish(rest), isUnwanted: reading.isUnwanted }
}

// the scanner keeps no row for a request, and takes no damage for a torn tail
const isScannable = (options: ReadOptions): boolean =>
  options.onRequest === undefined && options.tolerance === "default"

const scanOpen = (log: OpenLog, options: ReadOptions): ReadLog | null => {
  const reading = readingOf(log, options)
  const outcome = scanLog(log, reading, options.throughSeq)
  return outcome === null ? null : { log, outcome, isUnwanted: reading.isUnwanted }
}

const readingOf = (log: OpenLog, options: ReadOptions): LogReading =>
  new LogReading({
    ...options,
    projections: builtInProjections,
    namedVersion: log.source.namedVersion,
    lineAt: (line: LineRange) => readLineAt(log.descriptor, line),
  })

/**
 * Opens and reads a log, and hands it to `use` while it is open.
 *
 * errors  a SourceFault instead, also when the file was changed before `use` was done
 */
export const withLog = <A>(
  source: LogSource,
  options: ReadOptions,
  use: (read: ReadLog) => A,
): A | SourceFault => {
  const log = openLog(source)
  if ("code" in log) return log
  try {
    const result = use(readOpen(log, options))
    return changeFault(log) ?? result
  } catch (cause) {
    // what cannot be parsed a second time was changed in between
    return changeFault(log) ?? faultOf(cause)
  } finally {
    releaseBlock()
    closeLog(log)
  }
}

/** The derived messages of a surface, read again from the file one by one. */
function* derivedMessages(log: OpenLog, surface: SurfaceDraft): Generator<Message> {
  for (const node of surface.nodes()) {
    const projected = surface.projectedMessage(node.seq)
    const row = JSON.parse(readLineAt(log.descriptor, node)) as JsonValue
    const message = rowMessage(node.kind, row, projected)
    if (message !== null) yield message
  }
}

const digestOf = (log: OpenLog, surface: SurfaceDraft): string => {
  const hash = createHash("sha256")
  return messagesDigest(derivedMessages(log, surface), {
    update: (text) => hash.update(text, "utf8"),
    digest: () => hash.digest("hex"),
  })
}

/** The report of a log that was read, to its end or to its refusal. */
export const reportOf = ({ log, outcome }: ReadLog, withDigest: boolean): LogReport =>
  outcomeReport(
    outcome,
    log.byteCount,
    withDigest && outcome.fold !== null ? digestOf(log, outcome.fold.surface) : null,
  )
