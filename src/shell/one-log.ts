import type { JsonValue } from "../core/data/json.ts"
import { isJsonObject } from "../core/data/json.ts"
import type { FoldedLog, LineColumns } from "../core/fold/folded-log.ts"
import { emptyFold } from "../core/fold/folded-log.ts"
import type { LogReport } from "../core/fold/log-report.ts"
import { faultReport } from "../core/fold/log-report.ts"
import type { SurfaceKind } from "../core/format/surface-kind.ts"
import { formatOfVersion } from "../core/format/catalog.ts"
import type { FormatVersion } from "../core/format/format.ts"
import type { Tolerance } from "../core/format/tolerance.ts"
import { rowMessage } from "../core/messages/row-message.ts"
import type { Message } from "../core/messages/event-message.ts"
import { effectiveSeq } from "../core/presentation/prompt-history.ts"
import { promptTextOf } from "../core/presentation/prompt-node.ts"
import type { Address } from "../core/request/address.ts"
import { addressOf, addressText } from "../core/request/address.ts"
import type { FoldReply } from "../workers/task-protocol.ts"
import type { FoundLog } from "./archive/discover.ts"
import { discoverFile, sourceOf } from "./archive/discover.ts"
import type { LineSource } from "./archive/line-source.ts"
import { withUpgrade } from "./archive/with-upgrade.ts"
import { withText } from "./archive/with-text.ts"
import { lineSource } from "./archive/line-source.ts"
import { LogChangedError, UsageError } from "./border.ts"
import { LogRefusedError } from "./log-refused-error.ts"
import { foldRanges, rangeCount } from "./dispatch/fold-ranges.ts"
import { ownSignal } from "./dispatch/own-signal.ts"
import { Pool, workersFor } from "./dispatch/pool.ts"
import type { FoldRecord } from "./report/fold-record.ts"
import { foldRecord } from "./report/fold-record.ts"
import type { PromptRecord } from "./report/prompt-record.ts"
import { promptRecord } from "./report/prompt-record.ts"

export interface OneLogOptions {
  /** `42`, `2.1` or `2.1.3`: where the prefix ends; the whole log unless given. */
  readonly at?: string | undefined
  readonly tolerance?: Tolerance | undefined
  readonly digest?: boolean | undefined
  /** Reads the log as the reader of this format would, after the upgrade path. */
  readonly as?: FormatVersion | undefined
  /** Whether the transcript will be asked for. */
  readonly transcript?: boolean | undefined
  /** Whether the system prompts will be asked for. */
  readonly prompts?: boolean | undefined
  readonly signal?: AbortSignal | undefined
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

const lastAddress = (reply: FoldReply & { readonly is: "beyond" }): string => {
  if (reply.lastSeq < 0) return "the log has no events"
  const request = reply.lastRequest
  const last = `the last event is ${reply.lastSeq}`
  return request === null ? last : `${last}, the last request ${addressText(request)}`
}

const addressIn = (options: OneLogOptions): Address | null => {
  const at = options.at === undefined ? null : addressOf(options.at)
  if (at === null && options.at !== undefined)
    throw new UsageError(
      `"${options.at}" is no address; write a seq (42), a step (2.1) or an attempt (2.1.3)`,
    )
  return at
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
  pool: Pool,
  log: FoundLog,
  lines: LineSource,
  at: Address | null,
  options: OneLogOptions & { readonly signal: AbortSignal },
): Promise<FoldedLog> => {
  const { signal } = options
  const request = {
    tolerance: options.tolerance ?? "default",
    withDigest: options.digest ?? true,
    withTranscript: options.transcript === true,
    withPrompts: options.prompts === true,
  }
  const ranged = await foldInRanges(pool, log, lines, at, { ...request, signal })
  if (ranged !== null) return ranged
  const reply = await pool.run("fold-task", { ...request, source: sourceOf(log), at }, signal)
  if (reply.is === "folded") return reply
  if (reply.report.status === "unreadable") return emptyFold(reply.report)
  throw new UsageError(`${options.at ?? ""} is past the end: ${lastAddress(reply)}`)
}

// a line was parsed once: that it cannot be parsed again means that it is not the same
const parseAgain = (text: string, log: FoundLog, source: LineSource): JsonValue => {
  try {
    return JSON.parse(text) as JsonValue
  } catch (cause) {
    throw source.isChanged() ? new LogChangedError(log.path) : cause
  }
}

/** The messages of lines that were read before, one by one. */
function* messagesAt(
  log: FoundLog,
  source: LineSource,
  lines: LineColumns,
  projectedAt: (i: number) => Message | undefined,
): Generator<Message> {
  for (const [i, kind] of lines.kinds.entries()) {
    const byteOffset = lines.byteOffsets[i] ?? 0
    const byteLength = lines.byteLengths[i] ?? 0
    const row = parseAgain(source.read({ byteOffset, byteLength }), log, source)
    const message = rowMessage(kind as SurfaceKind, row, projectedAt(i))
    if (message !== null) yield message
  }
  if (source.isChanged()) throw new LogChangedError(log.path)
}

/** The prompts of a log that was folded before, each with its text. */
function* promptsOf(
  log: FoundLog,
  source: LineSource,
  { prompts: entries, nodes, report }: FoldedLog,
): Generator<PromptRecord> {
  const format = report.header === null ? null : formatOfVersion(report.header.formatVersion)
  const effective = effectiveSeq(entries, nodes.seqs)
  for (const entry of entries) {
    if (format === null) return
    const row = parseAgain(source.read(entry), log, source)
    const text = promptTextOf(format, (isJsonObject(row) ? row["data"] : undefined) ?? null)
    yield promptRecord(entry, entry.seq === effective, text)
  }
  if (source.isChanged()) throw new LogChangedError(log.path)
}

const closedFold = (report: LogReport): OpenFold => ({
  folded: emptyFold(report),
  native: null,
  messages: function* () {},
  transcript: function* () {},
  prompts: function* () {},
})

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
  const at = addressIn(options)
  const signal = ownSignal(options.signal ?? new AbortController().signal)
  const pool = new Pool(workersFor(rangeCount(log.byteCount)))
  try {
    return await withText(log, pool, signal, async (text, fix) => {
      const native =
        options.as === undefined ? null : await nativeReport(pool, text, options, signal)
      return await withUpgrade(pool, text, options.as, signal, (read, refused) =>
        withFoldedText(pool, read, at, { ...options, signal }, async (fold) => {
          const report = refused ?? fix(fold.folded.report)
          return await use({ ...fold, folded: { ...fold.folded, report }, native })
        }),
      )
    })
  } finally {
    await pool.close()
  }
}

/** How a log ends by its own format. */
const nativeReport = async (
  pool: Pool,
  log: FoundLog,
  { tolerance = "default" }: OneLogOptions,
  signal: AbortSignal,
): Promise<LogReport> => {
  if (log.fault !== null) return faultReport(log.fault)
  const request = { source: sourceOf(log), tolerance, at: null }
  const flags = { withDigest: false, withTranscript: false }
  return (await pool.run("fold-task", { ...request, ...flags }, signal)).report
}

const withFoldedText = async <A>(
  pool: Pool,
  log: FoundLog,
  at: Address | null,
  options: OneLogOptions & { readonly signal: AbortSignal },
  use: (fold: OpenFold) => Promise<A>,
): Promise<A> => {
  // opened before it is folded: what is read again must be what was folded
  const source = log.fault ?? lineSource(log.file, log.descriptor)
  if ("code" in source) return await use(closedFold(faultReport(source)))
  try {
    const folded = await foldInWorkers(pool, log, source, at, options)
    if (folded.report.status === "unreadable") return await use(closedFold(folded.report))
    const rewritten = new Map(folded.projected)
    return await use({
      folded,
      native: null,
      messages: () =>
        messagesAt(log, source, folded.nodes, (i) => rewritten.get(folded.nodes.seqs[i] ?? -1)),
      transcript: () => messagesAt(log, source, folded.transcript, () => undefined),
      prompts: () => promptsOf(log, source, folded),
    })
  } finally {
    source.close()
  }
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
