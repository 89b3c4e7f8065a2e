import type { JsonObject, JsonValue } from "../core/data/json.ts"
import { isJsonObject, ownValue } from "../core/data/json.ts"
import { emptyFold } from "../core/fold/folded-log.ts"
import type { LogReport } from "../core/fold/log-report.ts"
import type { Message } from "../core/messages/event-message.ts"
import type { Address } from "../core/request/address.ts"
import type { RequestHeaderAt } from "../core/request/logged-request.ts"
import { activeTools, headerConfig, HeaderWalk } from "../core/request/logged-request.ts"
import type { RequestAt } from "../core/request/request-at.ts"
import { requestAt } from "../core/request/request-at.ts"
import type {
  PickedRequests,
  RequestPick,
  RequestSnapshot,
} from "../core/request/request-collector.ts"
import { requestDiff } from "../core/request/request-diff.ts"
import type { ToolUpdateOption } from "../core/request/tool-update.ts"
import type { FoundLog } from "./archive/discover.ts"
import { discoverFile } from "./archive/discover.ts"
import { LogChangedError } from "./border.ts"
import type { UsageError } from "./border.ts"
import { pickRequests } from "./dispatch/pick-requests.ts"
import { LogRefusedError } from "./log-refused-error.ts"
import { foldRecord } from "./report/fold-record.ts"
import type { DiffRecord } from "./report/diff-record.ts"
import { diffRecord } from "./report/diff-record.ts"
import type { RequestRecord } from "./report/request-record.ts"
import { requestRecord } from "./report/request-record.ts"
import { messageAt } from "./one-log.ts"
import type { ReadableLog, ReadableOptions } from "./readable-log.ts"
import { addressIn, beyondEnd, withReadable } from "./readable-log.ts"

export interface RequestOptions extends ReadableOptions {
  /** Puts messages and tools as a provider takes them; as the log has them unless given. */
  readonly toolUpdate?: ToolUpdateOption | undefined
}

// nodes whose places may be in memory at one time: some 30 bytes each
const nodeRoom = 1_000_000

const walkOver = ({ lines }: ReadableLog, picked: PickedRequests): HeaderWalk =>
  new HeaderWalk(picked.toolEvents, (event) => {
    const row = JSON.parse(lines.read(event)) as JsonValue
    return (isJsonObject(row) ? ownValue(row, "data") : undefined) ?? null
  })

/** Puts requests together in the order of the log; messages that go on are read once. */
class RequestReader {
  private readonly readable: ReadableLog
  private readonly toolUpdate: ToolUpdateOption | null
  private readonly walk: HeaderWalk
  private known: ReadonlyMap<number, Message | null> = new Map()

  constructor(readable: ReadableLog, picked: PickedRequests, { toolUpdate }: RequestOptions) {
    this.readable = readable
    this.toolUpdate = toolUpdate ?? null
    this.walk = walkOver(readable, picked)
  }

  read(snapshot: RequestSnapshot): RequestAt {
    const { throughSeq, afterSeq } = snapshot
    const logged = this.walk.through(throughSeq, afterSeq)
    return requestAt(snapshot, logged, this.messages(snapshot), this.toolUpdate)
  }

  private messages({ nodes, projected }: RequestSnapshot): readonly Message[] {
    const rewritten = new Map(projected)
    const live = new Map<number, Message | null>()
    const messages: Message[] = []
    for (const [i, seq] of nodes.seqs.entries()) {
      const known = rewritten.get(seq) ?? this.known.get(seq)
      const message = known === undefined ? messageAt(this.readable, nodes, i, undefined) : known
      if (!rewritten.has(seq)) live.set(seq, message)
      if (message !== null) messages.push(message)
    }
    this.known = live
    const { lines, log } = this.readable
    if (lines.isChanged()) throw new LogChangedError(log.path)
    return messages
  }
}

/** What was found of one request. */
export interface FoundRequest {
  readonly report: LogReport
  readonly native: LogReport | null
  /** Null where nothing of the log could be read. */
  readonly request: RequestAt | null
}

// none is kept: only the last one is asked
const noRequest: RequestPick = { is: "from", index: Infinity, nodeRoom: 0 }

const lastRequestOf = async (readable: ReadableLog): Promise<Address | null> => {
  const { picked } = await pickRequests(readable, noRequest, Infinity)
  const last = picked?.lastRequest ?? null
  return last === null ? null : { is: "step", ...last }
}

const beyond = async (readable: ReadableLog, at: string): Promise<UsageError> => {
  const { report, picked } = await pickRequests(readable, noRequest, Infinity)
  return beyondEnd(at, (report.activity?.eventCount ?? 0) - 1, picked?.lastRequest ?? null)
}

/** One request of a log that is open. */
const requestFor = async (
  readable: ReadableLog,
  at: string | undefined,
  options: RequestOptions,
): Promise<Omit<FoundRequest, "native">> => {
  const address = addressIn(at) ?? (await lastRequestOf(readable))
  const throughSeq = address?.is === "seq" ? address.seq : Infinity
  const pick: RequestPick = address?.is === "step" ? address : { is: "end" }
  const { report, picked } = await pickRequests(readable, pick, throughSeq)
  if (picked === null) return { report, request: null }
  const snapshot = picked.snapshots[0]
  const isShort = throughSeq < Infinity && (snapshot?.throughSeq ?? -1) < throughSeq
  if (snapshot === undefined || isShort) throw await beyond(readable, at ?? "")
  return { report, request: new RequestReader(readable, picked, options).read(snapshot) }
}

/**
 * The request at an address, or the last one of a log; of an empty log what a first one would
 * begin with.
 *
 * errors  a log that cannot be read is in the report; a UsageError for an address that is none, or
 *         lies past the end
 */
export const findRequest = async (
  log: FoundLog,
  at: string | undefined,
  options: RequestOptions,
): Promise<FoundRequest> => {
  addressIn(at)
  return await withReadable(log, options, async (readable) => {
    const { native } = readable
    if (readable.is === "unreadable") return { report: readable.report, native, request: null }
    return { ...(await requestFor(readable, at, options)), native }
  })
}

/** Two requests of one log. */
export const findRequests = async (
  log: FoundLog,
  [a, b]: readonly [string, string],
  options: RequestOptions,
): Promise<readonly [FoundRequest, FoundRequest]> => {
  addressIn(a)
  addressIn(b)
  return await withReadable(log, options, async (readable) => {
    const { native } = readable
    if (readable.is === "unreadable") {
      const none = { report: readable.report, native, request: null }
      return [none, none]
    }
    const before = await requestFor(readable, a, options)
    const after = await requestFor(readable, b, options)
    return [
      { ...before, native },
      { ...after, native },
    ]
  })
}

/** A request in numbers, with what its header says. Definitions of tools are not kept. */
export interface ListedRequest
  extends
    Pick<RequestHeaderAt, "reason" | "startsSeries">,
    Pick<RequestSnapshot, "point" | "throughSeq" | "messageCount" | "tokens"> {
  /** Of the header in effect; an empty object without one. */
  readonly config: JsonObject
  readonly toolCount: number
}

const listed = (
  { header, reason, startsSeries }: RequestHeaderAt,
  { point, throughSeq, messageCount, tokens }: RequestSnapshot,
): ListedRequest => {
  const toolCount = activeTools(header).length
  const config = headerConfig(header)
  return { reason, startsSeries, config, toolCount, point, throughSeq, messageCount, tokens }
}

/** All requests of a log in numbers. */
export const listRequests = async (
  log: FoundLog,
  options: RequestOptions,
): Promise<Omit<FoundRequest, "request"> & { readonly requests: readonly ListedRequest[] }> =>
  await withReadable(log, options, async (readable) => {
    const { native } = readable
    if (readable.is === "unreadable") return { report: readable.report, native, requests: [] }
    const { report, picked } = await pickRequests(readable, { is: "list" }, Infinity)
    if (picked === null) return { report, native, requests: [] }
    const walk = walkOver(readable, picked)
    const requests = picked.snapshots.map((snapshot) =>
      listed(walk.through(snapshot.throughSeq, snapshot.afterSeq), snapshot),
    )
    return { report, native, requests }
  })

/** How a log of which requests were shown ends. */
export interface RequestsEnd {
  readonly report: LogReport
  readonly native: LogReport | null
  /** Number of the next request; null after the last one. */
  readonly nextIndex: number | null
}

/**
 * Shows the requests of a log from a number on, as many as there is room for; that of a step left
 * open at the end is one.
 */
export const requestsFrom = async (
  log: FoundLog,
  options: RequestOptions,
  index: number,
  show: (request: RequestAt, report: LogReport) => Promise<void> | void,
): Promise<RequestsEnd> =>
  await withReadable(log, options, async (readable) => {
    const { native } = readable
    const none = { native, nextIndex: null }
    if (readable.is === "unreadable") return { ...none, report: readable.report }
    const pick: RequestPick = { is: "from", index, nodeRoom }
    const { report, picked } = await pickRequests(readable, pick, Infinity)
    if (picked === null) return { ...none, report }
    const reader = new RequestReader(readable, picked, options)
    for (const snapshot of picked.snapshots) {
      await show(reader.read(snapshot), report)
      readable.signal.throwIfAborted()
    }
    return { report, native, nextIndex: picked.nextIndex }
  })

const whole = (path: string, { report }: { readonly report: LogReport }): void => {
  const record = foldRecord(emptyFold(report))
  if (record.refusalCode !== null) throw new LogRefusedError(path, record)
}

/**
 * One request of a log, as the log leads to it: the last one unless `at` names another.
 *
 * errors  rejects with a LogRefusedError for a log that cannot be read, or is refused before the
 *         whole of it was read; a UsageError for an address that is none or lies past the end
 */
export const request = async (
  path: string,
  options: RequestOptions & { readonly at?: string | undefined } = {},
): Promise<RequestRecord> => {
  const found = await findRequest(discoverFile(path), options.at, options)
  if (found.request === null || options.at === undefined) whole(path, found)
  if (found.request === null) throw new LogRefusedError(path, foldRecord(emptyFold(found.report)))
  return requestRecord(found.request, found.report, options.toolUpdate ?? null)
}

/**
 * All requests of a log in order, one by one.
 *
 * errors  the loop ends with a LogRefusedError where the log is refused or cannot be read; requests
 *         before the refusal were given by then
 */
export async function* requests(
  path: string,
  options: RequestOptions = {},
): AsyncGenerator<RequestRecord> {
  const log = discoverFile(path)
  for (let index = 0; ;) {
    const page: RequestRecord[] = []
    const end = await requestsFrom(log, options, index, (request, report) => {
      page.push(requestRecord(request, report, options.toolUpdate ?? null))
    })
    yield* page
    if (end.nextIndex === null) return whole(path, end)
    index = end.nextIndex
  }
}

/** How two requests of a log differ: `refold.diff/1`; rejects as `request` does. */
export const diff = async (
  path: string,
  a: string,
  b: string,
  options: RequestOptions = {},
): Promise<DiffRecord> => {
  const [before, after] = await findRequests(discoverFile(path), [a, b], options)
  if (before.request === null || after.request === null)
    throw new LogRefusedError(path, foldRecord(emptyFold(before.report)))
  const found = requestDiff(before.request, after.request)
  return diffRecord(before.request, after.request, found, before.report)
}
