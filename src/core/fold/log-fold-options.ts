import type { SurfaceKind } from "../format/surface-kind.ts"
import type { LineRange } from "../log/line-range.ts"
import type { RequestPoint } from "../request/request-points.ts"
import type { MessageProjections } from "../surface/message-projection.ts"
import type { PriceTable } from "../tokens/price-table.ts"

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

/** What one request put before the model, in numbers. */
export interface RequestFigures {
  readonly point: RequestPoint
  readonly nodeCount: number
  readonly messageCount: number
  readonly tokens: SurfaceTokens
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
  readonly onReplacement?: (replacement: Replacement) => void
  /** Called for each request, before its answer. */
  readonly onRequest?: (figures: RequestFigures) => void
  /** Called for each event that a person saw. */
  readonly onTranscript?: (line: LineRange, kind: SurfaceKind) => void
}
