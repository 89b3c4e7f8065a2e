import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import { isCount } from "../data/count.ts"
import type { JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import { count, exactly, safeInt } from "../log/shape.ts"
import { shapeCodec } from "../projection/codec.ts"
import type { ShadowClaim } from "./shadow-price.ts"
import { claimedDelta, shadowPriceOf, shadowPriceTypes } from "./shadow-price.ts"
import type { TokenEvent } from "./token-event.ts"
import type { TokenProjection, TokenRefusal } from "./token-projection.ts"
import { pricedTypes } from "./token-projection.ts"
import { promptTokensOf, usageSample, usageTypes } from "./usage.ts"

/** How full the context is; a figure is absent until it is known. */
export interface PressureView {
  /** The prompt as a provider counted it last: uncached input, cache reads and cache writes. */
  readonly pressureTokens?: number
  /** That count, plus the estimate of what the surface has gained or lost since. */
  readonly projectedTokens?: number
  readonly contextWindow?: number
}

/** The latest count, and the running total of the surface now and when it was made. */
export interface Pressure {
  readonly contextWindow?: number
  readonly pressureTokens?: number
  readonly surfaceTokens: number
  readonly sampledSurfaceTokens?: number
  readonly claim?: ShadowClaim
}

const windowOf = (data: JsonValue): number | undefined => {
  const window = isJsonObject(data) ? ownValue(data, "contextWindow") : undefined
  return isCount(window) ? window : undefined
}

const claimOf = (event: TokenEvent): ShadowClaim | undefined => {
  const price = shadowPriceOf(event)
  return price === null ? undefined : { start: price.start, end: price.end, tokens: price.tokens }
}

const apply = (state: Pressure, event: TokenEvent): Either<TokenRefusal, Pressure> => {
  const { facts, data } = event
  const delta = claimedDelta(state.claim ?? null, event)
  if (isLeft(delta)) return delta
  const claim = claimOf(event)
  const contextWindow = facts.type === "request/context" ? windowOf(data) : state.contextWindow
  const usage = usageSample(facts.type, data)?.usage ?? null
  const gained = delta.right ?? 0
  const isSame =
    gained === 0 &&
    usage === null &&
    contextWindow === state.contextWindow &&
    claim === undefined &&
    state.claim === undefined
  if (isSame) return right(state)
  // a report is about the surface before its own message
  const pressureTokens = usage === null ? state.pressureTokens : promptTokensOf(usage)
  const sampled = usage === null ? state.sampledSurfaceTokens : state.surfaceTokens
  return right({
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(pressureTokens === undefined ? {} : { pressureTokens }),
    surfaceTokens: state.surfaceTokens + gained,
    ...(sampled === undefined ? {} : { sampledSurfaceTokens: sampled }),
    ...(claim === undefined ? {} : { claim }),
  })
}

const view = ({
  contextWindow,
  pressureTokens,
  surfaceTokens,
  sampledSurfaceTokens,
}: Pressure): PressureView => ({
  ...(pressureTokens === undefined || sampledSurfaceTokens === undefined
    ? {}
    : {
        pressureTokens,
        projectedTokens: Math.max(0, pressureTokens + surfaceTokens - sampledSurfaceTokens),
      }),
  ...(contextWindow === undefined ? {} : { contextWindow }),
})

/**
 * How full the context is: reported usage, carried on by a running total between reports.
 *
 * shape   a replacement that nobody priced shows with the next report only
 * errors  claim-mismatch
 * source  token meter of the agent, `contextPressure` state version 5
 */
export const contextPressure: TokenProjection<Pressure, PressureView> = {
  key: "contextPressure",
  stateVersion: 5,
  codec: shapeCodec(
    exactly(
      { surfaceTokens: safeInt },
      {
        contextWindow: count,
        pressureTokens: count,
        sampledSurfaceTokens: safeInt,
        claim: exactly({ start: count, end: count, tokens: count }),
      },
    ),
  ),
  viewCodec: shapeCodec(
    exactly({}, { pressureTokens: count, projectedTokens: count, contextWindow: count }),
  ),
  reads: pricedTypes("request/context", ...usageTypes, ...shadowPriceTypes),
  init: () => ({ surfaceTokens: 0 }),
  apply,
  view,
}
