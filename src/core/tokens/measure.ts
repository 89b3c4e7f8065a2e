import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { JsonObject } from "../data/json.ts"
import { ownValue } from "../data/json.ts"
import { contentOf } from "../messages/event-message.ts"
import { canonicalLoggedHeader, headerEquals } from "../request/header.ts"
import type { ProjectedNode } from "../surface/message-projection.ts"
import type { SurfaceState } from "../surface/state.ts"
import { toolsTokens } from "./estimate.ts"
import type { ImagePricesRefusal, RoutePricing } from "./media.ts"
import { filesIn, fileTokens, imagesIn, imageTokens, structuralTokens } from "./media.ts"
import type { MeterAnchor, MeterState } from "./meter.ts"
import type { Usage } from "./usage.ts"
import { callTokensOf } from "./usage.ts"

/** A live node with its price on the route, and by the fixed heuristic. */
export interface MeasuredNode {
  readonly seq: number
  readonly tokens: number
  readonly heuristicTokens: number
}

/** What the total starts from. */
export type Baseline =
  | { readonly kind: "usage"; readonly tokens: number; readonly usage: Usage }
  | { readonly kind: "estimated" | "none"; readonly tokens: number }

/** How large the next request would be. */
export interface Measurement {
  /** Events that were taken into account. */
  readonly logRevision: number
  readonly baseline: Baseline
  /** What the surface has gained or lost since the baseline. */
  readonly surfaceDeltaTokens: number
  readonly totalTokens: number
  readonly surfaceTokens: number
  readonly nodes: readonly MeasuredNode[]
}

const fixed: RoutePricing = { imagePrices: null, fileText: null }

interface PricedMedia {
  readonly seq: number
  readonly images: readonly JsonObject[]
  readonly files: readonly JsonObject[]
}

type Corrections = Either<ImagePricesRefusal, ReadonlyMap<number, number>>

const mediaInOrder = (
  surface: SurfaceState,
  media: ReadonlyMap<number, ProjectedNode>,
): readonly PricedMedia[] => {
  if (media.size === 0) return []
  const found: PricedMedia[] = []
  for (let i = 0; i < surface.size; i++) {
    const seq = surface.entries[i]?.seq ?? -1
    const node = media.get(seq)
    if (node === undefined) continue
    const content = contentOf(node.message)
    found.push({ seq, images: imagesIn(content), files: filesIn(content) })
  }
  return found
}

/** What a route charges above the fixed heuristic, by node. */
const corrections = (
  surface: SurfaceState,
  media: ReadonlyMap<number, ProjectedNode>,
  { imagePrices, fileText }: RoutePricing,
): Corrections => {
  const nodes = mediaInOrder(surface, media)
  const all = nodes.flatMap((node) => node.images)
  const prices = imagePrices === null || all.length === 0 ? null : imagePrices(all)
  if (prices !== null && prices.length !== all.length)
    return left({ code: "image-prices", imageCount: all.length, priceCount: prices.length })
  const above = new Map<number, number>()
  let next = 0
  for (const { seq, images, files } of nodes) {
    let tokens = 0
    if (fileText !== null && files.length > 0) {
      tokens -= structuralTokens(files)
      for (const file of files) tokens += fileTokens(fileText(file))
    }
    if (prices !== null && images.length > 0) {
      tokens -= structuralTokens(images)
      for (const price of prices.slice(next, next + images.length)) tokens += imageTokens(price)
      next += images.length
    }
    above.set(seq, tokens)
  }
  return right(above)
}

const surfaceNodes = (
  surface: SurfaceState,
  above: ReadonlyMap<number, number>,
): readonly MeasuredNode[] =>
  surface.entries.slice(0, surface.size).map(({ seq, tokens: heuristicTokens }) => ({
    seq,
    tokens: heuristicTokens + (above.get(seq) ?? 0),
    heuristicTokens,
  }))

const sumOf = (nodes: readonly MeasuredNode[]): number => {
  let sum = 0
  for (const node of nodes) sum += node.tokens
  return sum
}

const anchored = (
  { usage }: MeterAnchor,
  estimate: number,
): Extract<Baseline, { kind: "usage" }> | { kind: "estimated"; tokens: number } => {
  const reported = usage === null ? -1 : callTokensOf(usage)
  // a count below the estimate is taken for one that leaves something out
  return usage !== null && reported >= estimate
    ? { kind: "usage", tokens: reported, usage }
    : { kind: "estimated", tokens: estimate }
}

/**
 * How large the next request would be, from the last call that was counted where there is one.
 *
 * shape   a fresh value; `header` is that of the request to come, else the one in effect. An anchor
 *         counts while the header is the same: new tools or another model give it up, a new prompt
 *         does not
 * units   tokens; heuristic prices where the pricing says nothing
 * errors  image-prices
 * cost    the live nodes, and those of the anchor
 * source  token meter of the agent, `measure`
 */
export const measure = (
  state: MeterState,
  header: JsonObject | null = null,
  pricing: RoutePricing = fixed,
): Either<ImagePricesRefusal, Measurement> => {
  const { surface, media, anchor, eventCount: logRevision } = state
  const above = corrections(surface, media, pricing)
  if (isLeft(above)) return above
  const nodes = surfaceNodes(surface, above.right)
  const surfaceTokens = sumOf(nodes)
  const asked = header === null ? state.header : canonicalLoggedHeader(header)
  const tools = asked === null ? 0 : toolsTokens(ownValue(asked, "tools"))
  let baseline: Baseline =
    asked === null && surfaceTokens === 0
      ? { kind: "none", tokens: 0 }
      : { kind: "estimated", tokens: tools + surfaceTokens }
  let surfaceDeltaTokens = 0
  if (anchor !== null && isSameHeader(asked, anchor.header)) {
    const aboveThen = corrections(anchor.surface, anchor.media, pricing)
    if (isLeft(aboveThen)) return aboveThen
    const then = sumOf(surfaceNodes(anchor.surface, aboveThen.right)) + anchor.assistantTokens
    baseline = anchored(anchor, tools + then)
    surfaceDeltaTokens = surfaceTokens - then
  }
  const totalTokens = Math.max(0, baseline.tokens + surfaceDeltaTokens)
  return right({ logRevision, baseline, surfaceDeltaTokens, totalTokens, surfaceTokens, nodes })
}

const isSameHeader = (a: JsonObject | null, b: JsonObject | null): boolean =>
  a === null || b === null ? a === b : headerEquals(a, b)
