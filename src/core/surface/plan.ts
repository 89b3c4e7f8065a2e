import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { ProjectionRefusal, SurfaceRefusal } from "../data/refusal.ts"
import type { Format } from "../format/format.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { EventFacts } from "../log/event-facts.ts"
import { surfaceOp } from "../log/event-facts.ts"
import { citedFrom, citedTwice, runsHold, sortedRuns } from "../log/source-runs.ts"
import { eventMessage } from "../messages/event-message.ts"
import { developerBinding } from "./developer-binding.ts"
import type { MessageProjection, MessageUpdate, ProjectedNode } from "./message-projection.ts"
import { removedProjection } from "./message-projection.ts"
import { placedRange } from "./placed-range.ts"
import type { SurfaceRest, SurfaceView } from "./view.ts"

/** What one event does to the surface. Data: applying it to the surface it was made for cannot fail. */
export type SurfacePlan =
  | { readonly op: "none"; readonly nextSeq: number }
  | {
      readonly op: "append"
      readonly nextSeq: number
      readonly seq: number
      readonly kind: SurfaceKind
    }
  | {
      readonly op: "replace"
      readonly nextSeq: number
      readonly seq: number
      readonly kind: SurfaceKind
      readonly start: number
      readonly end: number
      /** Places of the endpoints on the surface that the plan was made for. */
      readonly from: number
      readonly to: number
      /** The nodes that go, in surface order. */
      readonly shadowedSeqs: readonly number[]
    }
  | {
      readonly op: "project"
      readonly nextSeq: number
      readonly projection: MessageProjection
      readonly updates: readonly MessageUpdate[]
    }

/** The nodes that a plan takes away, in surface order. */
export const shadowedBy = (plan: SurfacePlan): readonly number[] =>
  plan.op === "replace" ? plan.shadowedSeqs : []

type Verdict = Either<SurfaceRefusal, SurfacePlan>

/**
 * The one planner: what an event does to the surface, for a live append and for an offline fold.
 *
 * shape   nothing is changed; the plan belongs to the view as it is now
 * errors  the first rule that the event breaks, in this order: interpreters in place, contiguous
 *         seq, surface marker, sources, developer binding, then append, replacement or projection
 * cost    cited runs, plus for each shadowed node the logarithm of the runs
 * law     PL1–PL9 in properties/surface.prop.ts and properties/live.prop.ts
 */
export const planSurfaceEvent = (
  view: SurfaceView,
  facts: EventFacts,
  rest: SurfaceRest,
): Verdict => {
  if (view.usedProjections.size > 0) {
    const removed = removedProjection(view.usedProjections, view.projections)
    if (removed !== null) return left(removed)
  }
  const { seq } = facts
  if (seq !== view.nextSeq) return left({ code: "seq-not-contiguous", seq, expected: view.nextSeq })
  const nextSeq = seq + facts.count
  const misplaced = fieldsRefusal(view.format, facts)
  if (misplaced !== null) return left(misplaced)
  if (facts.kind === surfaceKind.none)
    return view.format.projections.has(facts.type)
      ? planProjection(view, facts, rest)
      : right({ op: "none", nextSeq })
  if (facts.kind === surfaceKind.developer) {
    const refusal = developerBinding(seq, rest.payloadOf(seq), rest.headerAt)
    if (refusal !== null) return left(refusal)
  }
  return facts.op === surfaceOp.append
    ? right({ op: "append", nextSeq, seq, kind: facts.kind })
    : planReplacement(view, facts, rest)
}

/** What is asked of an event's surface marker and sources whatever the surface is; null where met. */
export const fieldsRefusal = (format: Format, facts: EventFacts): SurfaceRefusal | null => {
  const { seq, sources } = facts
  if (facts.kind === surfaceKind.none) {
    if (facts.op !== surfaceOp.none) return { code: "surface-op-forbidden", seq }
    return sources === null ? null : { code: "sources-forbidden", seq }
  }
  if (facts.op === surfaceOp.none) return { code: "surface-op-missing", seq }
  if (sources === null) return null
  const isAssistant = facts.kind === surfaceKind.assistant
  if (isAssistant && !format.rules.assistantSources) return { code: "sources-forbidden", seq }
  // an assistant message that was assembled from no chunk says so with an empty list
  if (sources.length === 0) return isAssistant ? null : { code: "sources-empty", seq }
  const later = citedFrom(sources, seq)
  if (later !== null) return { code: "source-not-earlier", seq, source: later }
  const twice = citedTwice(sources)
  return twice === null ? null : { code: "sources-repeated", seq, source: twice }
}

const planReplacement = (view: SurfaceView, facts: EventFacts, rest: SurfaceRest): Verdict => {
  const { seq, start, end } = facts
  if (start >= seq) return left({ code: "endpoint-not-earlier", seq, endpoint: start })
  if (end >= seq) return left({ code: "endpoint-not-earlier", seq, endpoint: end })
  const range = placedRange(view, facts)
  if (isLeft(range)) return range
  const { from, to } = range.right

  const shadowedSeqs = from === to ? [start] : view.seqsBetween(from, to)
  const runs = facts.sources === null ? [] : sortedRuns(facts.sources)
  for (const shadowed of shadowedSeqs)
    if (!runsHold(runs, shadowed)) return left({ code: "source-missing", seq, shadowed })

  const isHeadShadowed = from === 0 && view.kindAt(0) === surfaceKind.system
  if (isHeadShadowed && (facts.kind !== surfaceKind.system || to !== 0))
    return left({ code: "head-protected", seq, head: start })
  if (facts.kind === surfaceKind.toolResult) {
    if (from !== to || view.kindAt(from) !== surfaceKind.toolResult)
      return left({ code: "tool-result-range", seq, shadowed: start })
    if (!rest.isSameToolResult(start, seq))
      return left({ code: "tool-result-changed", seq, shadowed: start })
  }
  return right({
    op: "replace",
    nextSeq: seq + facts.count,
    seq,
    kind: facts.kind,
    start,
    end,
    from,
    to,
    shadowedSeqs,
  })
}

const planProjection = (view: SurfaceView, facts: EventFacts, rest: SurfaceRest): Verdict => {
  const { seq, type } = facts
  const projection = view.projections.get(type)
  if (projection === undefined) return left({ code: "projection-missing", seq, type })
  const nodeAt = (target: number): ProjectedNode | null => {
    const place = view.placeOf(target)
    if (place < 0) return null
    const kind = view.kindAt(place)
    const message = view.projectedMessage(target) ?? eventMessage(kind, rest.payloadOf(target))
    return message === null ? null : { kind, message }
  }
  const updates = projection.project(seq, rest.payloadOf(seq), nodeAt)
  if (isLeft(updates)) return updates
  const refusal = updatesRefusal(seq, updates.right, nodeAt)
  return refusal === null
    ? right({ op: "project", nextSeq: seq + facts.count, projection, updates: updates.right })
    : left(refusal)
}

// an interpreter of somebody else is held to the same promise: same nodes, same identities
const updatesRefusal = (
  seq: number,
  updates: readonly MessageUpdate[],
  nodeAt: (seq: number) => ProjectedNode | null,
): ProjectionRefusal | null => {
  const seen = new Set<number>()
  for (const { seq: target, message } of updates) {
    const node = seen.has(target) ? null : nodeAt(target)
    if (node === null) return { code: "projection-target", seq, target }
    if (node.message["id"] !== message["id"] || node.message["role"] !== message["role"])
      return { code: "projection-identity", seq, target }
    seen.add(target)
  }
  return null
}
