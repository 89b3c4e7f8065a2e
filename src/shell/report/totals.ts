import type { SurfaceTokens } from "../../core/fold/log-fold-options.ts"
import type { CostFigures } from "../../core/tokens/cost-figures.ts"
import { addCosts } from "../../core/tokens/cost-figures.ts"
import type { TokenizedSurface } from "../../core/tokens/tokenizer.ts"
import { addTokenized } from "../../core/tokens/tokenizer.ts"
import type { Usage } from "../../core/tokens/usage.ts"
import { addUsage, noUsage } from "../../core/tokens/usage.ts"
import type { SessionRecord, Status } from "./session-record.ts"

/** A cause of refusal and how many sessions it closed. */
export interface Cause {
  readonly code: string
  readonly sessions: number
}

/** Sums over a replay. */
export interface Totals {
  readonly sessionCount: number
  readonly statuses: Readonly<Record<Status, number>>
  readonly causes: readonly Cause[]
  readonly byteCount: number
  /** Bytes that were read; the others were known from a cache. Absent without one. */
  readonly readByteCount?: number
  readonly eventCount: number
  readonly turnCount: number
  readonly stepCount: number
  readonly nodeCount: number
  readonly replacementCount: number
  readonly messageCount: number
  readonly tokens: SurfaceTokens
  readonly usage: Usage
  /** Sums by the tokeniser that was asked for; absent where no session has any. */
  readonly tokenized?: TokenizedSurface
  /** Sums of what usage cost; absent where no session has a cost. */
  readonly cost?: CostFigures
}

export const noTotals: Totals = {
  sessionCount: 0,
  statuses: { ok: 0, torn: 0, refused: 0, unreadable: 0 },
  causes: [],
  byteCount: 0,
  eventCount: 0,
  turnCount: 0,
  stepCount: 0,
  nodeCount: 0,
  replacementCount: 0,
  messageCount: 0,
  tokens: { system: 0, tools: 0, messages: 0, total: 0 },
  usage: noUsage,
}

const addCause = (causes: readonly Cause[], code: string | null): readonly Cause[] => {
  if (code === null) return causes
  const known = causes.some((cause) => cause.code === code)
  return known
    ? causes.map((cause) => (cause.code === code ? { code, sessions: cause.sessions + 1 } : cause))
    : [...causes, { code, sessions: 1 }]
}

const addTokens = (a: SurfaceTokens, b: SurfaceTokens): SurfaceTokens => ({
  system: a.system + b.system,
  tools: a.tools + b.tools,
  messages: a.messages + b.messages,
  total: a.total + b.total,
})

/** A sum of what not every session has; undefined where none has it. */
const addSome = <A>(a: A | undefined, b: A | undefined, add: (a: A, b: A) => A): A | undefined =>
  a === undefined ? b : b === undefined ? a : add(a, b)

const addAsked = (totals: Totals, record: SessionRecord): Pick<Totals, "tokenized" | "cost"> => {
  const tokenized = addSome(totals.tokenized, record.tokenized, addTokenized)
  const cost = addSome(totals.cost, record.cost, addCosts)
  return { ...(tokenized !== undefined && { tokenized }), ...(cost !== undefined && { cost }) }
}

/** The totals with one more session. */
export const addSession = (totals: Totals, record: SessionRecord): Totals => ({
  sessionCount: totals.sessionCount + 1,
  statuses: { ...totals.statuses, [record.status]: totals.statuses[record.status] + 1 },
  causes: addCause(totals.causes, record.refusalCode),
  byteCount: totals.byteCount + (record.byteCount ?? 0),
  eventCount: totals.eventCount + record.eventCount,
  turnCount: totals.turnCount + record.turnCount,
  stepCount: totals.stepCount + record.stepCount,
  nodeCount: totals.nodeCount + record.nodeCount,
  replacementCount: totals.replacementCount + record.replacementCount,
  messageCount: totals.messageCount + record.messageCount,
  tokens: addTokens(totals.tokens, record.tokens),
  usage: addUsage(totals.usage, record.usage),
  ...addAsked(totals, record),
})
