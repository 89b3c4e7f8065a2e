import type { JsonValue } from "../data/json.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import type { Format } from "../format/format.ts"
import type { LogHeader } from "../log/header.ts"
import type { LineRange } from "../log/line-range.ts"
import type { RequestPoint, RequestPoints } from "../request/request-points.ts"
import type { ToolEvent } from "../request/tool-events.ts"
import type { SurfaceDraft } from "../surface/draft.ts"
import type { MessageProjections } from "../surface/message-projection.ts"
import type { PriceTable } from "../tokens/price-table.ts"
import type { Usage } from "../tokens/usage.ts"
import type { AcceptedRow } from "./accepted-row.ts"

/** What a replacement did; kept by offline folds alone. */
export interface Replacement {
  readonly seq: number
  readonly start: number
  readonly end: number
  readonly shadowedSeqs: readonly number[]
}

/** Tokens by the fixed heuristic, over the logged events of the current nodes. */
export interface SurfaceTokens {
  readonly system: number
  readonly tools: number
  readonly messages: number
  readonly total: number
}

/** What a message projection rewrote. */
export interface Projected {
  readonly seq: number
  readonly type: string
  readonly targets: readonly number[]
}

/** A log as far as it was folded. */
export interface LogFoldView {
  readonly header: LogHeader
  readonly surface: SurfaceDraft
  /** Where requests were told of tools: request headers and developer messages, in order. */
  readonly toolEvents: readonly ToolEvent[]
  /** The price of the surface as it is now. */
  readonly tokens: () => SurfaceTokens
  /** The payload of a row that was accepted before, read again. */
  readonly read: (line: LineRange) => JsonValue
  readonly requestPoints: () => RequestPoints
}

export interface LogFoldOptions {
  readonly projections: MessageProjections
  /** Last seq to accept; Infinity for the whole log. */
  readonly throughSeq: number
  /** The text of a line that was read before, by its place. */
  readonly lineAt: (line: LineRange) => string
  /** What models cost; costs are added up only where they are given. */
  readonly prices?: PriceTable | null
  /** Called for each replacement, in order. */
  readonly onReplacement?: (replacement: Replacement, kind: SurfaceKind, line: LineRange) => void
  /**
   * Called for each request before its answer, with the log as far as it went. Who scans rows keeps
   * those that tell of requests only where this is given.
   */
  readonly onRequest?: (point: RequestPoint, fold: LogFoldView) => void
  /** Called for each rewrite of messages that stay where they are. */
  readonly onProjection?: (projection: Projected) => void
  /** Called for each report of usage. */
  readonly onUsage?: (seq: number, usage: Usage) => void
  /** Called for each event that a person saw. */
  readonly onTranscript?: (line: LineRange, kind: SurfaceKind) => void
  /** Called for each row of a log that is taken row by row, once it is accepted. */
  readonly onRow?: (format: Format, row: AcceptedRow) => void
}
