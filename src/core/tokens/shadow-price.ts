import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { isCount } from "../data/count.ts"
import { isJsonObject } from "../data/json.ts"
import { arrayField, countField, objectField } from "../format/lifecycle/fields.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import { surfaceOp } from "../log/event-facts.ts"
import type { TokenEvent } from "./token-event.ts"

/** What the nodes of a range cost, said by the event just before they are replaced. */
export interface ShadowClaim {
  readonly start: number
  readonly end: number
  readonly tokens: number
}

/** A claim with the nodes that it is about, in surface order. */
export interface ShadowPrice extends ShadowClaim {
  readonly shadowedSeqs: readonly number[]
}

/** A replacement of another range than the one whose price was said just before it. */
export interface ClaimRefusal {
  readonly code: "claim-mismatch"
  readonly seq: number
  readonly start: number
  readonly end: number
  readonly claimedStart: number
  readonly claimedEnd: number
}

/** Event types that say the price of a range. */
export const shadowPriceTypes: ReadonlySet<string> = new Set([
  "compaction/summary",
  "compaction/prune",
])

/** The price that an event says; null for any other event, and for one without such figures. */
export const shadowPriceOf = ({ facts, data }: TokenEvent): ShadowPrice | null => {
  if (!shadowPriceTypes.has(facts.type) || !isJsonObject(data)) return null
  const range = objectField(data, "shadowedRange") ?? {}
  const start = countField(range, "start")
  const end = countField(range, "end")
  const tokens = countField(data, "shadowedTokenCount")
  const shadowedSeqs = arrayField(data, "shadowedSeqs")?.filter(isCount) ?? []
  return start === null || end === null || tokens === null || shadowedSeqs.length === 0
    ? null
    : { start, end, tokens, shadowedSeqs }
}

/**
 * What an event adds to a running total, with the claim of the event before it.
 *
 * units   tokens; null for a replacement without a claim: what it shadows is not known, so neither
 *         side of it is counted
 * errors  claim-mismatch where either endpoint is another
 */
export const claimedDelta = (
  claim: ShadowClaim | null,
  { facts, tokens }: TokenEvent,
): Either<ClaimRefusal, number | null> => {
  if (facts.kind === surfaceKind.none) return right(0)
  if (facts.op !== surfaceOp.replace) return right(tokens)
  if (claim === null) return right(null)
  const { seq, start, end } = facts
  return claim.start === start && claim.end === end
    ? right(tokens - claim.tokens)
    : left({
        code: "claim-mismatch",
        seq,
        start,
        end,
        claimedStart: claim.start,
        claimedEnd: claim.end,
      })
}
