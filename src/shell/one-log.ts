import type { JsonValue } from "../core/data/json.ts"
import { isJsonObject } from "../core/data/json.ts"
import type { FoldedLog, LineColumns } from "../core/fold/folded-log.ts"
import { emptyFold } from "../core/fold/folded-log.ts"
import type { LogReport } from "../core/fold/log-report.ts"
import type { SurfaceKind } from "../core/format/surface-kind.ts"
import { formatOfVersion } from "../core/format/catalog.ts"
import type { Tolerance } from "../core/format/tolerance.ts"
import { rowMessage } from "../core/messages/row-message.ts"
import type { Message } from "../core/messages/event-message.ts"
import { effectiveSeq } from "../core/presentation/prompt-history.ts"
import { promptTextOf } from "../core/presentation/prompt-node.ts"
import type { Address } from "../core/request/address.ts"
import type { FoundLog } from "./archive/discover.ts"
import { discoverFile, sourceOf } from "./archive/discover.ts"
import type { LineSource } from "./archive/line-source.ts"
import { LogChangedError } from "./border.ts"
import { LogRefusedError } from "./log-refused-error.ts"
import { foldRanges } from "./dispatch/fold-ranges.ts"
import type { Pool } from "./dispatch/pool.ts"
import type { ReadableLog, ReadableOptions } from "./readable-log.ts"
import { addressIn, beyondEnd, withReadable } from "./readable-log.ts"
import type { FoldRecord } from "./report/fold-record.ts"
import { foldRecord } from "./report/fold-record.ts"
import type { PromptRecord } from "./report/prompt-record.ts"
import { promptRecord } from "./report/prompt-record.ts"

export interface OneLogOptions extends ReadableOptions {
  /** `42`, `2.1` or `2.1.3`: where the prefix ends; the whole log unless given. */
  readonly at?: string | undefined
  readonly digest?: boolean | undefined
  /** Whether the transcript will be asked for. */
  readonly transcript?: boolean | undefined
  /** Whether the system prompts will be asked for. */
  readonly prompts?: boolean | undefined
}

interface FoldOptions {
  readonly tolerance: Tolerance
  readonly withDigest: boolean
  readonly withTranscript: boolean
  readonly withPrompts: boolean
  readonly signal: AbortSignal
}

/** One folded log, whose messages are read when somebody asks for them. */
export interface OpenFold {
  readonly folded: FoldedLog
  /** How the log ends by its own format, where it is read as one of a later format. */
  readonly native: LogReport | null
  /** The derived messages in order. */
  readonly messages: () => Generator<Message>
  /** What a person saw, in order: the messages as they were first appended. */
  readonly transcript: () => Generator<Message>
  /** The system prompts, in the order in which they came. */
  readonly prompts: () => Generator<PromptRecord>
}

/** The fold of a big log by its ranges; null where one worker has to read it. */
const foldInRanges = async (
  pool: Pool,
  log: FoundLog,
  lines: LineSource,
  at: Address | null,
  options: FoldOptions,
): Promise<FoldedLog | null> => {
  const isWanted =
    options.tolerance === "default" && !options.withPrompts && pool.workers > 1 && at?.is !== "step"
  return isWanted
    ? await foldRanges(
        pool,
        { source: sourceOf(log), lines },
        { ...options, throughSeq: at?.seq ?? Infinity },
      )
    : null
}

const foldInWorkers = async (
  { pool, log, lines, signal, tolerance }: ReadableLog,
  at: Address | null,
  options: OneLogOptions,
): Promise<FoldedLog> => {
  const request = {
    tolerance,
    withDigest: options.digest ?? true,
    withTranscript: options.transcript === true,
    withPrompts: options.prompts === true,
  }
  const ranged = await foldInRanges(pool, log, lines, at, { ...request, signal })
  if (ranged !== null) return ranged
  const reply = await pool.run("fold-task", { ...request, source: sourceOf(log), at }, signal)
  if (reply.is === "folded") return reply
  if (reply.report.status === "unreadable") return emptyFold(reply.report)
  throw beyondEnd(options.at ?? "", reply.lastSeq, reply.lastRequest)
}

// a line was parsed once: that it cannot be parsed again means that it is not the same
const parseAgain = (text: string, log: FoundLog, source: LineSource): JsonValue => {
  try {
    return JSON.parse(text) as JsonValue
  } catch (cause) {
    throw source.isChanged() ? new LogChangedError(log.path) : cause
  }
}

/** Reads the message of a line that was read before; null where none comes of it. */
export const messageAt = (
  { log, lines }: Pick<ReadableLog, "log" | "lines">,
  columns: LineColumns,
  i: number,
  projected: Message | undefined,
): Message | null => {
  const byteOffset = columns.byteOffsets[i] ?? 0
  const byteLength = columns.byteLengths[i] ?? 0
  const row = parseAgain(lines.read({ byteOffset, byteLength }), log, lines)
  return rowMessage(columns.kinds[i] as SurfaceKind, row, projected)
}

/** The messages of lines that were read before, one by one. */
function* messagesAt(
  readable: Pick<ReadableLog, "log" | "lines">,
  columns: LineColumns,
  projectedAt: (i: number) => Message | undefined,
): Generator<Message> {
  for (let i = 0; i < columns.kinds.length; i++) {
    const message = messageAt(readable, columns, i, projectedAt(i))
    if (message !== null) yield message
  }
  if (readable.lines.isChanged()) throw new LogChangedError(readable.log.path)
}

/** The prompts of a log that was folded before, each with its text. */
function* promptsOf(
  { log, lines }: Pick<ReadableLog, "log" | "lines">,
  { prompts: entries, nodes, report }: FoldedLog,
): Generator<PromptRecord> {
  const format = report.header === null ? null : formatOfVersion(report.header.formatVersion)
  const effective = effectiveSeq(entries, nodes.seqs)
  for (const entry of entries) {
    if (format === null) return
    const row = parseAgain(lines.read(entry), log, lines)
    const text = promptTextOf(format, (isJsonObject(row) ? row["data"] : undefined) ?? null)
    yield promptRecord(entry, entry.seq === effective, text)
  }
  if (lines.isChanged()) throw new LogChangedError(log.path)
}

const closedFold = (report: LogReport, native: LogReport | null): OpenFold => ({
  folded: emptyFold(report),
  native,
  messages: function* () {},
  transcript: function* () {},
  prompts: function* () {},
})

const openFold = (folded: FoldedLog, readable: ReadableLog): OpenFold => {
  const rewritten = new Map(folded.projected)
  const { nodes } = folded
  return {
    folded,
    native: readable.native,
    messages: () => messagesAt(readable, nodes, (i) => rewritten.get(nodes.seqs[i] ?? -1)),
    transcript: () => messagesAt(readable, folded.transcript, () => undefined),
    prompts: () => promptsOf(readable, folded),
  }
}

/**
 * Folds one log, or a prefix of it, and hands it to `use` while its lines can be read.
 *
 * errors  a log that cannot be read is reported in `folded.report`; a UsageError for an address
 *         that is none or lies past the end; a LogChangedError from the messages of a log that
 *         was changed since it was folded
 */
export const withFold = async <A>(
  log: FoundLog,
  options: OneLogOptions,
  use: (fold: OpenFold) => Promise<A> | A,
): Promise<A> => {
  const at = addressIn(options.at)
  return await withReadable(log, options, async (readable) => {
    if (readable.is === "unreadable") return await use(closedFold(readable.report, readable.native))
    const folded = await foldInWorkers(readable, at, options)
    const report = readable.fix(folded.report)
    if (folded.report.status === "unreadable") return await use(closedFold(report, readable.native))
    return await use(openFold({ ...folded, report }, readable))
  })
}

/** The fold of a log as a record: `refold.fold/1`. */
export const foldLog = async (path: string, options: OneLogOptions = {}): Promise<FoldRecord> =>
  withFold(discoverFile(path), options, ({ folded }) => foldRecord(folded))

const wholeLog = async <A>(
  path: string,
  options: OneLogOptions,
  pick: (fold: OpenFold) => Iterable<A>,
): Promise<A[]> =>
  withFold(discoverFile(path), { ...options, digest: false }, (fold) => {
    const record = foldRecord(fold.folded)
    if (record.refusalCode !== null) throw new LogRefusedError(path, record)
    return [...pick(fold)]
  })

/**
 * The messages that the model saw at the end of a log, or at an address.
 *
 * errors  rejects with a LogRefusedError for a log that is refused or cannot be read; with `at`
 *         before the refused event the prefix is given
 */
export const messages = async (path: string, options: OneLogOptions = {}): Promise<Message[]> =>
  wholeLog(path, options, (fold) => fold.messages())

/** What a person saw of a log; rejects as `messages` does. */
export const transcript = async (path: string, options: OneLogOptions = {}): Promise<Message[]> =>
  wholeLog(path, { ...options, transcript: true }, (fold) => fold.transcript())

/** The system prompts that a log had, in the order in which they came; rejects as `messages` does. */
export const prompts = async (path: string, options: OneLogOptions = {}): Promise<PromptRecord[]> =>
  wholeLog(path, { ...options, prompts: true }, (fold) => fold.prompts())
