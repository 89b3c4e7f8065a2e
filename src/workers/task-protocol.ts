import type { WatermarkText } from "./watermark.ts"
import type { Container, ContainerEnd } from "./container/container.ts"
import type { Refusal } from "../core/data/refusal.ts"
import type { CheckReport } from "../core/check/check-report.ts"
import type { Recovery } from "../core/check/recovery.ts"
import type { CloserTexts } from "../core/format/closers.ts"
import type { RangeScan } from "../core/columns/row-columns.ts"
import type { DigestKey } from "../core/columns/digest.ts"
import type { RequestFigures } from "../core/fold/request-figures.ts"
import type { LineRange } from "../core/log/line-range.ts"
import type { SurfaceTexts } from "../core/fold/surface-texts.ts"
import type { PriceTable } from "../core/tokens/price-table.ts"
import type { TokenizedSurface } from "../core/tokens/tokenizer.ts"
import type { FoldedLog, NodeColumns, ProjectedMessages } from "../core/fold/folded-log.ts"
import type { HeaderFigures, LogReport } from "../core/fold/log-report.ts"
import type { ContainerFault } from "../core/fold/container-fault.ts"
import type { MigrationCause } from "../core/format/edges/cause.ts"
import type { ChildEvidence } from "../core/format/edges/child-evidence.ts"
import type { SeqMap } from "../core/format/edges/seq-map.ts"
import type { FormatVersion } from "../core/format/format.ts"
import type { Tolerance } from "../core/format/tolerance.ts"
import type { FileIdentity } from "../core/log/file-identity.ts"
import type { HeaderFilter } from "../core/log/header-filter.ts"
import type { Address } from "../core/request/address.ts"
import type { BlameRow } from "../core/request/blame-row.ts"
import type { ToolUpdateOption } from "../core/request/tool-update.ts"
import type { PickedRequests, RequestPick } from "../core/request/request-collector.ts"
import type { RequestPoint } from "../core/request/request-points.ts"
import type { TokenizerSource } from "./tokenizer/tokenizer-source.ts"

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

/**
 * Room that is lent for one task: a file without a name for the text of a log in a container, and
 * the folder for temporary files.
 */
export interface Scratch {
  readonly descriptor: number
  readonly folder: string
}

export interface ReplayRequest {
  readonly sources: readonly LogSource[]
  readonly tolerance: Tolerance
  readonly filter: HeaderFilter
  readonly withRequests: boolean
  readonly withDigest: boolean
  /** What the texts of the surfaces are counted by as well; absent or null for nothing. */
  readonly tokenizer?: TokenizerSource | null
  /** What calls are priced by; absent or null where nobody asks for costs. */
  readonly prices?: PriceTable | null
  /** Without it logs in containers are not read. */
  readonly scratch?: Scratch | null
  /** How far each source was read before; null for one that is new. */
  readonly watermarks?: readonly (WatermarkText | null)[]
  /** Whether to say how far each log was read now. */
  readonly withWatermarks?: boolean
}

export interface ReplayedLog {
  readonly report: LogReport
  /** Empty unless asked for. */
  readonly requests: readonly RequestFigures[]
  /** Bytes of the text that were read; null where nobody asked. */
  readonly readBytes?: number
  readonly watermark?: WatermarkText | null
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
  /** Whether the system prompts are asked for, which are told row by row alone. */
  readonly withPrompts?: boolean
}

/** The address lies outside the log, which ends at these. */
interface AddressBeyond {
  readonly is: "beyond"
  readonly report: LogReport
  readonly lastSeq: number
  readonly lastRequest: RequestPoint | null
}

export type FoldReply = FoldedLog | AddressBeyond

/** Which requests of a log, read to a seq, are asked for. */
export interface RequestsRequest {
  readonly source: LogSource
  readonly tolerance: Tolerance
  /** Last seq to accept; Infinity for the whole log. */
  readonly throughSeq: number
  readonly pick: RequestPick
}

export interface RequestsReply {
  readonly report: LogReport
  /** Null where nothing was folded. */
  readonly picked: PickedRequests | null
}

/** A log of which each request is compared with the one before. */
export interface BlameRequest {
  readonly source: LogSource
  readonly tolerance: Tolerance
  /** How the provider is told of tools; null for as the log tells it. */
  readonly toolUpdate: ToolUpdateOption | null
}

export interface BlameReply {
  readonly report: LogReport
  readonly rows: readonly BlameRow[]
}

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
  /** Whether rows are kept that tell where requests were sent. */
  readonly withRequests: boolean
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

/** Part of the surface of a log that was folded elsewhere: how many tokens are its texts? */
export interface TokensRequest {
  readonly source: LogSource
  readonly identity: FileIdentity
  readonly texts: SurfaceTexts
  readonly tokenizer: TokenizerSource
}

export type TokensReply =
  | { readonly is: "counted"; readonly tokenized: TokenizedSurface }
  | { readonly is: "fault"; readonly fault: ContainerFault }

/** Logs to check, whole. */
export interface CheckRequest {
  readonly sources: readonly LogSource[]
  readonly tolerance: Tolerance
  readonly scratch: Scratch | null
}

/** One answer a source, in the order asked. */
export type CheckReply = readonly CheckReport[]

/** A log to decode for somebody who reads its lines more than once. */
export interface SpoolRequest {
  readonly source: LogSource
  readonly scratch: Scratch
}

export type SpoolReply =
  | { readonly is: "plain" }
  | {
      readonly is: "spooled"
      readonly byteCount: number
      readonly container: Container
      readonly end: ContainerEnd
    }
  | { readonly is: "fault"; readonly fault: ContainerFault }

/** A file that may hold several logs. */
export interface EntriesRequest {
  readonly source: LogSource
  /** For temporary files. */
  readonly folder: string
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

/** A log to write as one of a later format. */
export interface MigrateRequest {
  readonly source: LogSource
  readonly to: FormatVersion
  /** What is known of the sessions that this one started; null where nobody looked. */
  readonly children: readonly ChildEvidence[] | null
  /** An empty file that the new log is written to. */
  readonly descriptor: number
  readonly scratch: Scratch
}

/** Whether a migrated log derives the messages that the old one did, as far as formats tell. */
export type Proof =
  | { readonly is: "equal"; readonly messageCount: number }
  | { readonly is: "different"; readonly message: number }
  /** The old log is refused by its own format: there is nothing to compare with. */
  | { readonly is: "not-possible" }

/** How a migration went. */
export interface MigrationReport {
  readonly header: HeaderFigures
  readonly container: string | null
  readonly to: FormatVersion
  readonly byteCount: number
  /** Why the log cannot be written in the later format; a thousand of each code are kept. */
  readonly causes: readonly MigrationCause[]
  readonly causeCount: number
  /** The check of the new log; null where there are causes. */
  readonly check: CheckReport | null
  /** Whether both logs come to the same messages; null where the new one is refused. */
  readonly proof: Proof | null
  readonly map: SeqMap
  /** Bytes after the last newline, which the new log does not have. */
  readonly tail: LineRange | null
  /** Whether the new log is right, and comes to the messages of the old one. */
  readonly isSound: boolean
}

export type MigrateReply =
  | { readonly is: "fault"; readonly fault: ContainerFault }
  /** There is no header to begin with; `isLog` where there is one that is not taken. */
  | { readonly is: "no-log"; readonly refusal: Refusal; readonly isLog: boolean }
  /** The log has the format already, or a later one. */
  | { readonly is: "no-way"; readonly from: number }
  | { readonly is: "migrated"; readonly report: MigrationReport }

/** Logs to ask which sessions started them. */
export interface EvidenceRequest {
  readonly sources: readonly LogSource[]
  readonly scratch: Scratch | null
}

/** What a log says of itself to the session that started it. */
interface FoundChild {
  readonly parentId: string
  readonly evidence: ChildEvidence
}

/** Which session a log is of, null where it cannot be read, and what it says of itself. */
export interface SessionEvidence {
  readonly sessionId: string | null
  /** Null for a log that no other session started. */
  readonly child: FoundChild | null
}

/** One answer a source, in the order asked. */
export type EvidenceReply = readonly SessionEvidence[]

/** A log to be read as one of a later format. */
export interface UpgradeRequest {
  readonly source: LogSource
  readonly to: FormatVersion
  readonly children: readonly ChildEvidence[]
  /** An empty file that the new log is written to. */
  readonly descriptor: number
}

export type UpgradeReply =
  | { readonly is: "fault"; readonly fault: ContainerFault }
  /** The log has the format already, or a later one, or is none. */
  | { readonly is: "no-way" }
  | {
      readonly is: "refused"
      readonly from: FormatVersion
      readonly cause: MigrationCause
      readonly causeCount: number
    }
  | {
      readonly is: "upgraded"
      readonly byteCount: number
      readonly from: FormatVersion
    }

/** A damaged log: what is it made of? */
export interface SurveyRequest {
  readonly source: LogSource
}

export type SurveyReply =
  | { readonly is: "fault"; readonly fault: ContainerFault }
  /** There is no header to begin with; `isLog` where there is one that is not taken. */
  | { readonly is: "no-log"; readonly refusal: Refusal; readonly isLog: boolean }
  | { readonly is: "surveyed"; readonly header: HeaderFigures; readonly recovery: Recovery }

/** What becomes of a turn that a log ends in. */
export type OpenTurnPolicy =
  | { readonly is: "keep" }
  /** Cut back to its last complete step; the removed rows are written beside. */
  | { readonly is: "cut"; readonly removed: number }
  | { readonly is: "close"; readonly texts: CloserTexts }

/** A log to put together of parts of another. */
export interface ComposeRequest {
  readonly source: LogSource
  readonly formatVersion: FormatVersion
  /** In order, the header first. */
  readonly ranges: readonly ByteRange[]
  /** An empty file that the log is written to. */
  readonly descriptor: number
  readonly openTurn: OpenTurnPolicy
}

export type ComposeReply =
  | { readonly is: "fault"; readonly fault: ContainerFault }
  | {
      readonly is: "composed"
      readonly check: CheckReport
      readonly byteCount: number
      /** The turn that the parts end in, and what was done about it; null where none was open. */
      readonly openTurn: {
        readonly turn: number
        readonly done: "kept" | "cut" | "closed" | "text-missing"
        /** Rows that were removed, or added, and their bytes. */
        readonly events: number
        readonly byteCount: number
      } | null
    }

/** Logs to decode and throw away, for the time that it takes. */
export interface DecodeRequest {
  readonly sources: readonly LogSource[]
}

export interface DecodeReply {
  readonly byteCount: number
}
