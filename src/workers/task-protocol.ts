import type { Container, ContainerEnd } from "./container/container.ts"
import type { CheckReport } from "../core/check/check-report.ts"
import type { RangeScan } from "../core/columns/row-columns.ts"
import type { DigestKey } from "../core/columns/digest.ts"
import type { LineRange, RequestFigures } from "../core/fold/log-fold.ts"
import type { FoldedLog, NodeColumns, ProjectedMessages } from "../core/fold/folded-log.ts"
import type { LogReport } from "../core/fold/log-report.ts"
import type { ContainerFault } from "../core/fold/container-fault.ts"
import type { FormatVersion } from "../core/format/format.ts"
import type { Tolerance } from "../core/format/tolerance.ts"
import type { FileIdentity } from "../core/log/file-identity.ts"
import type { HeaderFilter } from "../core/log/header-filter.ts"
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
  /** The log's name among those of an archive or a store; absent for a file that is one log. */
  readonly entry?: string | null
  /** Whether the bytes were decoded before, and are the text of the log whatever they look like. */
  readonly isDecoded?: boolean
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

/** The address lies outside the log, which ends at these. */
interface AddressBeyond {
  readonly is: "beyond"
  readonly report: LogReport
  readonly lastSeq: number
  readonly lastRequest: RequestPoint | null
}

export type FoldReply = FoldedLog | AddressBeyond

/** Part of a log, in bytes; it begins at the beginning of a line. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** A range of a log to scan. The file must still be what it was when the log was opened. */
export interface RangeRequest {
  readonly source: LogSource
  readonly identity: FileIdentity
  readonly range: ByteRange
  readonly formatVersion: FormatVersion
  /** One for all ranges of a log. */
  readonly digestKey: DigestKey
  /** Last seq to accept; Infinity for the whole log. */
  readonly throughSeq: number
}

export type RangeReply =
  | {
      readonly is: "scanned"
      /** The columns lie in shared memory. */
      readonly scan: RangeScan
      /** What follows the last newline of the range. */
      readonly rest: LineRange
    }
  | { readonly is: "fault"; readonly fault: ContainerFault }

/** Live nodes of a log that was folded elsewhere: what is the digest of their messages? */
export interface DigestRequest {
  readonly source: LogSource
  readonly identity: FileIdentity
  readonly nodes: NodeColumns
  readonly projected: ProjectedMessages
}

export type DigestReply =
  | { readonly is: "digest"; readonly messagesSha256: string }
  | { readonly is: "fault"; readonly fault: ContainerFault }

/** Logs to check, whole. */
export interface CheckRequest {
  readonly sources: readonly LogSource[]
  readonly tolerance: Tolerance
}

/** One answer a source, in the order asked. */
export type CheckReply = readonly CheckReport[]

/** A log to decode for somebody who reads its lines more than once. */
export interface SpoolRequest {
  readonly source: LogSource
}

export type SpoolReply =
  | { readonly is: "plain" }
  | {
      readonly is: "spooled"
      /** Of a file without a name; who asked closes it. */
      readonly descriptor: number
      readonly byteCount: number
      readonly container: Container
      readonly end: ContainerEnd
    }
  | { readonly is: "fault"; readonly fault: ContainerFault }

/** A file that may hold several logs. */
export interface EntriesRequest {
  readonly source: LogSource
}

export type EntriesReply =
  | { readonly is: "one" }
  | { readonly is: "entries"; readonly names: readonly string[] }
  | { readonly is: "fault"; readonly fault: ContainerFault }

/** A pass over the bytes of logs that no reader of them does without. */
export type FloorPass = "read" | "newlines" | "parse"

/** Logs to pass over, for the time that it takes. */
export interface FloorRequest {
  readonly pass: FloorPass
  readonly sources: readonly LogSource[]
}

/** Logs to fold with the public packages of the agent, for the time that it takes. */
export interface PublicRequest {
  readonly sources: readonly LogSource[]
  /** URL of the module that has `foldSurface`. */
  readonly surfaceModule: string
  /** URL of the module that has `estimateMessage`; null where nothing can be priced. */
  readonly priceModule: string | null
}

/** What a pass over logs found; null where it does not look. */
export interface PassFigures {
  readonly byteCount: number | null
  readonly lineCount: number | null
  readonly eventCount: number | null
  readonly nodeCount: number | null
  readonly messageTokens: number | null
}
