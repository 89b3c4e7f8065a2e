import type { Usage } from "../tokens/usage.ts"
import { promptTokensOf } from "../tokens/usage.ts"
import type { RequestPoint } from "./request-points.ts"

/** Part of a request, from its beginning: a change in one leaves nothing shared behind it. */
export type RequestPart = "header" | "tools" | "system" | "message"

/** Why a request does not begin like the one before it. */
export type BlameCause =
  | "model-switch"
  | "tool-definition"
  | "tools-changed"
  | "system-rewrite"
  | "compaction"
  | "tool-result-rewrite"
  | "image-offload"
  | "projection"
  | "message-rewrite"
  | "new-series"

/** What two requests have in common from their beginning. */
export interface SharedPrefix {
  readonly messages: number
  /** Bytes of the canonical JSON of these messages, in UTF-8. */
  readonly bytes: number
  /** Of tools, prompt and messages, by the fixed heuristic. */
  readonly tokens: number
}

/** Where a request parts from the one before it. */
export interface Break {
  readonly part: RequestPart
  /** Number of the first message that differs; null where another part does. */
  readonly messageIndex: number | null
  readonly cause: BlameCause
  readonly seq: number
}

/** One request, compared with the one before. */
export interface BlameRow {
  readonly point: RequestPoint
  readonly messageCount: number
  /** Of the whole request. */
  readonly tokens: number
  readonly shared: SharedPrefix
  /** Null where the whole request before is the beginning of this one, and for the first. */
  readonly break: Break | null
  /** Tokens of what both requests hold, behind the place where they part. */
  readonly resentTokens: number
  /** What the provider reported of the call; null where it reported nothing. */
  readonly usage: Usage | null
  readonly cache: CacheCheck | null
}

/** Cache reads as they were reported, and as the shared prefix lets one expect. */
export interface CacheCheck {
  readonly reportedTokens: number
  readonly expectedTokens: number
  readonly disagrees: boolean
}

/** Share of the prompt by which cache reads may miss what is expected. */
export const cacheTolerance = 0.25
/** Tokens by which they may, however short the prompt: caches hold whole blocks. */
export const cacheToleranceTokens = 1024

/**
 * Compares reported cache reads with the shared prefix.
 *
 * shape   the part of the prompt that is shared, by the heuristic, is taken of the tokens that the
 *         provider counted; it disagrees where the difference exceeds both tolerances
 */
export const cacheCheck = (row: Omit<BlameRow, "cache">): CacheCheck | null => {
  const { usage, shared, tokens } = row
  if (usage === null) return null
  const promptTokens = promptTokensOf(usage)
  if (promptTokens === 0) return null
  const expectedTokens = tokens === 0 ? 0 : Math.round((promptTokens * shared.tokens) / tokens)
  const reportedTokens = usage.cacheReadTokens
  const allowed = Math.max(cacheToleranceTokens, promptTokens * cacheTolerance)
  return {
    reportedTokens,
    expectedTokens,
    disagrees: Math.abs(reportedTokens - expectedTokens) > allowed,
  }
}
