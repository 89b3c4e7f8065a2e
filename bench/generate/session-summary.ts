import type { FormatVersion } from "./dialect.ts"
import type { Replacement } from "./surface-model.ts"

/**
 * What a reader must find in a generated log, computed by the naive model beside the writer.
 *
 * shape   after a refusal every field describes the accepted prefix; a torn tail counts nowhere
 */
export type SessionSummary = {
  readonly formatVersion: FormatVersion
  /** Events, members of packed rows counted one by one, inherited ones included. */
  readonly eventCount: number
  readonly inheritedEvents: number
  /** `turn/start` events, inherited ones included. */
  readonly turnCount: number
  /** `step/start` events, inherited ones included. */
  readonly stepCount: number
  /** Seqs of the current nodes in surface order. */
  readonly nodes: readonly number[]
  readonly replacements: readonly Replacement[]
  /** Nodes that derive a message. */
  readonly messageCount: number
  /** Replacements and projections. */
  readonly contentGeneration: number
  /** Sum of the heuristic prices of the current nodes, system nodes included. */
  readonly surfaceTokens: number
  readonly torn: boolean
  readonly refusalSeq: number | null
}

/** The file that `--expect` writes: what a reader must find in each log, by path. */
export type Expectations = {
  readonly schema: "refold.expected/1"
  readonly sessions: Readonly<Record<string, SessionSummary>>
}

export const expectations = (sessions: Readonly<Record<string, SessionSummary>>): Expectations => ({
  schema: "refold.expected/1",
  sessions,
})
