import type { LogReport } from "../core/fold/log-report.ts"
import type { Tolerance } from "../core/format/tolerance.ts"
import { checkZone, globSource, instantOfDate, nameMatcher } from "./archive/filter.ts"
import type { Discovery, FoundLog, Skipped } from "./archive/discover.ts"
import { discover } from "./archive/discover.ts"
import { withEntries } from "./archive/collections.ts"
import { batchesOf, taskCount } from "./dispatch/batches.ts"
import { ownSignal } from "./dispatch/own-signal.ts"
import { Pool, workersFor } from "./dispatch/pool.ts"
import { replayLogs } from "./dispatch/replay-logs.ts"
import type { TokenizerSource } from "../workers/tokenizer/tokenizer-source.ts"
import type { LoadedPrices } from "./price-table.ts"
import { loadPrices } from "./price-table.ts"
import type { DatabaseFault } from "./store/database.ts"
import { ReplayCache } from "./store/replay-cache.ts"
import type { SessionRecord, StepRecord } from "./report/session-record.ts"
import { sessionRecord, stepRecord } from "./report/session-record.ts"
import { tokenizerSource } from "./tokenizer.ts"

/** Which sessions of an archive are wanted. */
export interface Selection {
  /** Glob over the name of the project directory. */
  readonly project?: string | undefined
  /** Glob over the session id. */
  readonly session?: string | undefined
  /** Day or instant; sessions created before it are left out. */
  readonly since?: string | undefined
  /** Day, which is included, or instant; sessions created after it are left out. */
  readonly until?: string | undefined
  /** IANA time zone that days are in; UTC unless given. */
  readonly zone?: string | undefined
}

export interface ReplayOptions extends Selection {
  /** Worker threads; the cores at hand unless given. Never changes a result. */
  readonly workers?: number | undefined
  readonly tolerance?: Tolerance | undefined
  /** Adds the digest of the derived messages, which reads the live lines again. */
  readonly digest?: boolean | undefined
  /** Adds a record for each request of a session, after that of the session. */
  readonly steps?: boolean | undefined
  /** A folder that keeps what was replayed: an unchanged log is not read a second time. */
  readonly cache?: string | undefined
  /** Reads every log again, whatever the cache knows, and keeps what it says now. */
  readonly verify?: boolean | undefined
  /**
   * Adds the tokens of each surface by a tokeniser: `heuristic`, `o200k` or `deepseek-v3`. The last
   * two need optional packages.
   */
  readonly tokenizer?: string | undefined
  /** A file of prices (`refold.prices/1`): adds what the reported usage cost. */
  readonly prices?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Told of a cache that was damaged or cannot be used: the replay goes on without it. */
  readonly onCacheFault?: ((fault: DatabaseFault) => void) | undefined
  /** Told of each log how many bytes of it were read, where a cache was asked for. */
  readonly onRead?: ((bytes: number) => void) | undefined
  /** Told once what the walk did not read. */
  readonly onDiscovery?:
    ((found: { readonly logs: number; readonly skipped: Skipped }) => void) | undefined
}

const neverAborted: AbortSignal = new AbortController().signal

const selectedLogs = (discovery: Discovery, selection: Selection): readonly FoundLog[] => {
  if (selection.project === undefined) return discovery.logs
  const isWanted = nameMatcher(selection.project)
  // a path that leads nowhere belongs to no project, and must not vanish for that
  return discovery.logs.filter((log) =>
    log.project === null ? log.fault !== null : isWanted(log.project),
  )
}

// what the heuristic counts is known of every log that was folded
const withHeuristic = (report: LogReport): LogReport =>
  report.activity === null
    ? report
    : { ...report, tokenized: { tokenizer: "heuristic", exact: false, ...report.tokens } }

/**
 * Replays logs into what the model saw and yields a record for each session, by path.
 *
 * shape   `refold.session/1`, with `steps` each followed by its `refold.step/1`; the order and the
 *         records do not depend on the number of workers
 * errors  a bad log is a record with its refusal; a UsageError for options that make no sense; the
 *         reason of the signal after an abort. Leaving the loop early stops the workers
 */
export async function* replay(
  paths: string | readonly string[],
  options: ReplayOptions = {},
): AsyncGenerator<SessionRecord | StepRecord> {
  const asked = replayAsked(options)
  const discovery = discover(typeof paths === "string" ? [paths] : paths)
  yield* replayFound(discovery, options, asked)
}

/** What options ask for beside figures: found and read before any log is. */
export interface ReplayAsked {
  readonly source: TokenizerSource | null
  readonly prices: LoadedPrices | null
}

/**
 * Looks for the tokeniser and reads the prices that options name.
 *
 * errors  a UsageError where a package is missing, or the file of prices is wrong
 */
export const replayAsked = ({ tokenizer, prices }: ReplayOptions): ReplayAsked => ({
  source: tokenizer === undefined ? null : tokenizerSource(tokenizer),
  prices: prices === undefined ? null : loadPrices(prices),
})

/** As `replay`, for logs that were found before. */
export async function* replayFound(
  named: Discovery,
  options: ReplayOptions,
  asked: ReplayAsked,
): AsyncGenerator<SessionRecord | StepRecord> {
  const signal = ownSignal(options.signal ?? neverAborted)
  const zone = checkZone(options.zone ?? "UTC")
  const filter = {
    session: globSource(options.session),
    sinceMs: options.since === undefined ? null : instantOfDate(options.since, zone, false),
    untilMs: options.until === undefined ? null : instantOfDate(options.until, zone, true),
  }
  const discovery = await withEntries(named, signal)
  const logs = selectedLogs(discovery, options)
  options.onDiscovery?.({ logs: logs.length, skipped: discovery.skipped })
  signal.throwIfAborted()
  const batches = batchesOf(logs)
  const cache =
    options.cache === undefined
      ? null
      : await ReplayCache.open(
          options.cache,
          {
            digest: options.digest === true,
            tokenizer: asked.source?.name ?? null,
            prices: asked.prices?.sha256 ?? null,
          },
          options.onCacheFault ?? (() => {}),
        )
  const pool = new Pool(workersFor(taskCount(batches), options.workers))
  try {
    const results = replayLogs(pool, batches, {
      tolerance: options.tolerance ?? "default",
      filter,
      withRequests: options.steps === true,
      withDigest: options.digest === true,
      tokenizer: asked.source,
      prices: asked.prices?.table ?? null,
      signal,
      cache,
      isVerified: options.verify === true,
    })
    for await (const { log, replayed } of results) {
      // results that have come in already must not keep an abort waiting
      signal.throwIfAborted()
      if (options.cache !== undefined)
        options.onRead?.(replayed.readBytes ?? replayed.report.byteCount ?? 0)
      const isHeuristic = options.tokenizer === "heuristic"
      const record = sessionRecord(
        log,
        isHeuristic ? withHeuristic(replayed.report) : replayed.report,
      )
      yield record
      for (const request of replayed.requests) yield stepRecord(record, request)
    }
  } finally {
    await pool.close()
    cache?.close()
  }
}
