import type { RequestFigures } from "../core/fold/log-fold.ts"
import type { LogReport } from "../core/fold/log-report.ts"
import type { Tolerance } from "../core/format/tolerance.ts"
import type { Message } from "../core/messages/event-message.ts"
import type { Address } from "../core/request/address.ts"
import type { RequestPoint } from "../core/request/request-points.ts"

/**
 * What goes to a worker and what comes back. Plain data: an Error that crosses a thread loses its
 * class and its fields, and objects by the thousand cost more to copy than to make.
 */

/** A log to read: a file by its path, or a descriptor that the sender keeps open. */
export interface LogSource {
  readonly path: string
  readonly descriptor: number | null
  /** The format version that the file's name states, or null. */
  readonly namedVersion: number | null
}

/** Which logs are wanted, by what their header says; null asks nothing. */
export interface HeaderFilter {
  /** A regular expression over the session id. */
  readonly session: string | null
  /** Epoch milliseconds: created at or after the first, and before the second. */
  readonly sinceMs: number | null
  readonly untilMs: number | null
}

export interface ReplayRequest {
  readonly sources: readonly LogSource[]
  readonly tolerance: Tolerance
  readonly filter: HeaderFilter
  readonly withRequests: boolean
  readonly withDigest: boolean
}

export interface ReplayedLog {
  readonly report: LogReport
  /** Empty unless asked for. */
  readonly requests: readonly RequestFigures[]
}

/** One answer a source, in the order asked; null for a log that the filter leaves out. */
export type ReplayReply = readonly (ReplayedLog | null)[]

export interface FoldRequest {
  readonly source: LogSource
  readonly tolerance: Tolerance
  /** Where the prefix ends; null for the whole log. */
  readonly at: Address | null
  readonly withDigest: boolean
  /** Whether the lines of the transcript are asked for. */
  readonly withTranscript: boolean
}

/** Lines of surface events, as columns. */
export interface LineColumns {
  readonly kinds: Uint8Array
  readonly byteOffsets: Float64Array
  readonly byteLengths: Float64Array
}

/** Live nodes in surface order, as columns. */
export interface NodeColumns extends LineColumns {
  readonly seqs: Float64Array
}

export interface FoldedLog {
  readonly is: "folded"
  readonly report: LogReport
  readonly nodes: NodeColumns
  /** For each replacement: seq, start, end, number of shadowed seqs, and these. */
  readonly replacements: Float64Array
  /** Messages that a projection rewrote, by seq. */
  readonly projected: readonly (readonly [seq: number, message: Message])[]
  /** Events that a person saw, in log order. */
  readonly transcript: LineColumns
}

/** The address lies outside the log, which ends at these. */
interface AddressBeyond {
  readonly is: "beyond"
  readonly report: LogReport
  readonly lastSeq: number
  readonly lastRequest: RequestPoint | null
}

export type FoldReply = FoldedLog | AddressBeyond
