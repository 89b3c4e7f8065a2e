import type { LocatedRefusal } from "../data/located.ts"
import type { LogHeader } from "../log/header.ts"
import type { CostFigures } from "../tokens/cost-figures.ts"
import type { TokenizedSurface } from "../tokens/tokenizer.ts"
import type { Usage } from "../tokens/usage.ts"
import { noUsage } from "../tokens/usage.ts"
import type { Activity } from "./activity-fold.ts"
import type { SurfaceTokens } from "./log-fold-options.ts"
import type { LogOutcome, Tail } from "./log-reading.ts"
import type { ContainerFault } from "./container-fault.ts"

/** The header of a log as plain data. */
export interface HeaderFigures {
  readonly id: string
  readonly formatVersion: number
  readonly createdAtMs: number
  readonly cwd: string | null
  readonly parentSession: string | null
  readonly origin: string | null
}

export const headerFigures = (header: LogHeader): HeaderFigures => ({
  id: header.id,
  formatVersion: header.format.version,
  createdAtMs: header.createdAtMs,
  cwd: header.cwd,
  parentSession: header.parentSession,
  origin: header.origin,
})

/**
 * What is said of every log, whole or not; everything but the refusal describes the accepted
 * prefix. Plain data: it crosses threads as it is.
 */
export interface LogReport {
  readonly status: LogOutcome["status"]
  /** Bytes of the text of the log, whatever it came in. */
  readonly byteCount: number | null
  /** What the log came in; null where it was not opened. */
  readonly container: string | null
  readonly header: HeaderFigures | null
  readonly activity: Activity | null
  readonly nodeCount: number
  readonly messageCount: number
  readonly replaceGeneration: number
  readonly contentGeneration: number
  readonly tokens: SurfaceTokens
  readonly usage: Usage
  readonly refusal: LocatedRefusal | null
  readonly fault: ContainerFault | null
  readonly tail: Tail | null
  /** Hex SHA-256 of the derived messages; null where nobody asked. */
  readonly messagesSha256: string | null
  /** Tokens of the surface by a tokeniser; null where nobody asked. */
  readonly tokenized: TokenizedSurface | null
  /** What the usage cost; null where nobody asked. */
  readonly cost: CostFigures | null
}

const emptyReport: LogReport = {
  status: "unreadable",
  byteCount: null,
  container: null,
  header: null,
  activity: null,
  nodeCount: 0,
  messageCount: 0,
  replaceGeneration: 0,
  contentGeneration: 0,
  tokens: { system: 0, tools: 0, messages: 0, total: 0 },
  usage: noUsage,
  refusal: null,
  fault: null,
  tail: null,
  messagesSha256: null,
  tokenized: null,
  cost: null,
}

/** The report of a source that could not be read. */
export const faultReport = (fault: ContainerFault): LogReport => ({ ...emptyReport, fault })

/** The report of a log that was read, to its end or to its refusal. */
export const outcomeReport = (
  outcome: LogOutcome,
  byteCount: number,
  messagesSha256: string | null,
): LogReport => {
  const { status, header, fold, refusal, tail } = outcome
  const base: LogReport = {
    ...emptyReport,
    status,
    byteCount,
    container: "jsonl",
    refusal,
    tail,
    header: header === null ? null : headerFigures(header),
  }
  if (fold === null) return base
  const { surface } = fold
  return {
    ...base,
    activity: fold.counts().activity,
    nodeCount: surface.size,
    messageCount: surface.messageCount,
    replaceGeneration: surface.replaceGeneration,
    contentGeneration: surface.contentGeneration,
    tokens: fold.tokens(),
    usage: fold.counts().usage.totals,
    messagesSha256,
    cost: fold.costFigures(),
  }
}
