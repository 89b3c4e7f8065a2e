import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import { surfaceKind } from "../format/surface-kind.ts"
import type { EventFacts } from "../log/event-facts.ts"
import { surfaceOp } from "../log/event-facts.ts"
import { checkOf } from "../log/shape-check.ts"
import { arrayOf, count, exactly, extend, leaf, safeInt } from "../log/shape.ts"
import { shapeCodec } from "../projection/codec.ts"
import type { Breakdown } from "./breakdown.ts"
import { breakdownShape, headerToolsTokens, noBreakdown } from "./breakdown.ts"
import type { ShadowClaim } from "./shadow-price.ts"
import { claimedDelta, shadowPriceOf, shadowPriceTypes } from "./shadow-price.ts"
import type { TokenEvent } from "./token-event.ts"
import type { TokenProjection, TokenRefusal } from "./token-projection.ts"
import { pricedTypes } from "./token-projection.ts"

/** A system node on the surface and its price; an empty one keeps its place. */
export interface RetainedPrompt {
  readonly seq: number
  readonly tokens: number
}

/** A breakdown that says how far it can be relied on. */
export interface CompactView extends Breakdown {
  /**
   * Replacements that could not be priced, or whose place among the prompts is not known. The
   * figures are exact while there is none, and as a rule too high after it.
   */
  readonly unpricedReplacements: number
}

/** The prompts that live, in surface order, and one total of all live nodes. */
export interface CompactBreakdown {
  readonly prompts: readonly RetainedPrompt[]
  readonly surfaceTokens: number
  /** The price that the last event said, and which of the prompts its range holds. */
  readonly claim: (ShadowClaim & { readonly removed: readonly number[] }) | null
  readonly view: CompactView
}

const placeIn = (prompts: readonly RetainedPrompt[], seq: number): number =>
  prompts.findIndex((prompt) => prompt.seq === seq)

interface Revision {
  readonly prompts: readonly RetainedPrompt[]
  readonly delta: number
  /** 1 where it could not be told what the replacement did. */
  readonly unpriced: 0 | 1
}

const none: readonly never[] = []

const promptOf = ({ facts, tokens }: TokenEvent): readonly RetainedPrompt[] =>
  facts.kind === surfaceKind.system ? [{ seq: facts.seq, tokens }] : none

const appended = (
  prompts: readonly RetainedPrompt[],
  more: readonly RetainedPrompt[],
): readonly RetainedPrompt[] => (more.length === 0 ? prompts : [...prompts, ...more])

// without a claim: one retained prompt is known by itself, of anything else nothing is
const unclaimed = (prompts: readonly RetainedPrompt[], event: TokenEvent): Revision => {
  const { start, end } = event.facts
  const place = start === end ? placeIn(prompts, start) : -1
  const before = prompts[place]
  if (before !== undefined)
    return {
      prompts: prompts.toSpliced(place, 1, ...promptOf(event)),
      delta: event.tokens - before.tokens,
      unpriced: 0,
    }
  const isEndpoint = ({ seq }: RetainedPrompt): boolean => seq === start || seq === end
  const isTouched = prompts.some(isEndpoint)
  return {
    prompts: isTouched ? prompts.filter((prompt) => !isEndpoint(prompt)) : prompts,
    delta: 0,
    unpriced: 1,
  }
}

const claimed = (
  prompts: readonly RetainedPrompt[],
  removed: readonly number[],
  event: TokenEvent,
  delta: number,
): Revision => {
  const isRemoved = ({ seq }: RetainedPrompt): boolean => removed.includes(seq)
  const place = removed.length === 0 ? -1 : prompts.findIndex(isRemoved)
  const next = promptOf(event)
  // a prompt in the place of other nodes: where among the prompts is told by nothing
  if (place < 0)
    return {
      prompts: appended(prompts, next),
      delta,
      unpriced: next.length > 0 && prompts.length > 0 ? 1 : 0,
    }
  const kept = prompts.filter((prompt) => !isRemoved(prompt))
  return { prompts: kept.toSpliced(place, 0, ...next), delta, unpriced: 0 }
}

const revisedView = (
  view: CompactView,
  prompts: readonly RetainedPrompt[],
  surfaceTokens: number,
  unpriced: number,
): CompactView => {
  const systemTokens = prompts.findLast((prompt) => prompt.tokens > 0)?.tokens ?? 0
  // what was claimed wrongly must not show as less than nothing
  const messageTokens = Math.max(0, surfaceTokens - systemTokens)
  if (view.systemTokens === systemTokens && view.messageTokens === messageTokens && unpriced === 0)
    return view
  return {
    systemTokens,
    toolsTokens: view.toolsTokens,
    messageTokens,
    unpricedReplacements: view.unpricedReplacements + unpriced,
  }
}

const onSurface = (facts: EventFacts): boolean => facts.kind !== surfaceKind.none

const promptsAmong = (
  { prompts }: CompactBreakdown,
  shadowedSeqs: readonly number[],
): readonly number[] => {
  if (prompts.length === 0) return none
  const shadowed = new Set(shadowedSeqs)
  return prompts.filter(({ seq }) => shadowed.has(seq)).map(({ seq }) => seq)
}

const offSurface = (state: CompactBreakdown, event: TokenEvent): CompactBreakdown => {
  const { facts, data } = event
  const price = shadowPriceOf(event)
  if (price !== null) {
    const { start, end, tokens } = price
    const claim = { start, end, tokens, removed: promptsAmong(state, price.shadowedSeqs) }
    const { prompts, surfaceTokens, view } = state
    return { prompts, surfaceTokens, claim, view }
  }
  const expired = state.claim === null ? state : { ...state, claim: null }
  if (facts.type !== "request/header") return expired
  const { view } = state
  const toolsTokens = headerToolsTokens(data)
  return toolsTokens === view.toolsTokens ? expired : { ...expired, view: { ...view, toolsTokens } }
}

const apply = (
  state: CompactBreakdown,
  event: TokenEvent,
): Either<TokenRefusal, CompactBreakdown> => {
  if (!onSurface(event.facts)) return right(offSurface(state, event))
  const { prompts, claim } = state
  const delta = claimedDelta(claim, event)
  if (isLeft(delta)) return delta
  const revision: Revision =
    event.facts.op !== surfaceOp.replace
      ? { prompts: appended(prompts, promptOf(event)), delta: event.tokens, unpriced: 0 }
      : delta.right === null
        ? unclaimed(prompts, event)
        : claimed(prompts, claim?.removed ?? none, event, delta.right)
  const surfaceTokens = state.surfaceTokens + revision.delta
  return right({
    prompts: revision.prompts,
    surfaceTokens,
    claim: null,
    view: revisedView(state.view, revision.prompts, surfaceTokens, revision.unpriced),
  })
}

const viewShape = extend(breakdownShape, { unpricedReplacements: count })
const claimShape = checkOf(
  exactly({ start: count, end: count, tokens: count, removed: arrayOf(count) }),
)

/**
 * The breakdown without positions: the prompts, one total, and what compaction says of the nodes
 * that it shadows. Its stored state does not grow with the surface.
 *
 * shape   a replacement that nobody priced changes no figure and is counted; one of a single
 *         retained prompt is exact without a price
 * errors  claim-mismatch
 * cost    the live prompts an event
 * law     TK5 in properties/tokens.prop.ts: equal to the positional breakdown while nothing is
 *         unpriced
 * source  in-history system prompts of the agent; its releases up to 0.2.1-alpha have the
 *         positional one
 */
export const compactBreakdown: TokenProjection<CompactBreakdown, CompactView> = {
  key: "contextBreakdown",
  stateVersion: 6,
  codec: shapeCodec(
    exactly({
      prompts: arrayOf(exactly({ seq: count, tokens: count })),
      surfaceTokens: safeInt,
      claim: leaf("claim or null", (value) => value === null || claimShape.guard(value)),
      view: viewShape,
    }),
  ),
  viewCodec: shapeCodec(viewShape),
  reads: pricedTypes("request/header", ...shadowPriceTypes),
  init: () => ({
    prompts: [],
    surfaceTokens: 0,
    claim: null,
    view: { ...noBreakdown, unpricedReplacements: 0 },
  }),
  apply,
  view: (state) => state.view,
}
