import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, right } from "fp-ts/lib/Either.js"
import { defect } from "../data/defect.ts"
import type { SurfaceRefusal } from "../data/refusal.ts"
import type { Format } from "../format/format.ts"
import type { EventFacts } from "../log/event-facts.ts"
import type { Message } from "../messages/event-message.ts"
import type { MessageProjection, MessageProjections } from "./message-projection.ts"
import type { NodeDetail, SurfaceNode } from "./node.ts"
import type { SurfacePlan } from "./plan.ts"
import { planSurfaceEvent } from "./plan.ts"
import type { SurfaceRest, SurfaceView } from "./view.ts"

/**
 * A surface as a value: the live nodes in order, and what plans need. A state stays valid for ever,
 * also when two candidates grow from it. Replaced nodes are gone; the log still has them.
 */
export interface SurfaceState {
  readonly format: Format
  /** First seq of the window of the log that was folded. */
  readonly baseSeq: number
  readonly nextSeq: number
  /**
   * The live nodes: the first `size` entries. States that grew by appending share one array; only
   * the longest of them may push to it, any other copies first.
   */
  readonly entries: readonly SurfaceNode[]
  readonly size: number
  /** Rewritten messages of live nodes. */
  readonly projected: ReadonlyMap<number, Message>
  readonly usedProjections: ReadonlyMap<string, MessageProjection>
  /** Replacements so far. */
  readonly replaceGeneration: number
  /** Replacements and projections so far: how often existing content changed. */
  readonly contentGeneration: number
  /**
   * Another object each time existing content changes. States that share it differ by appended
   * nodes alone; two that were rewritten in different ways have equal generations and not this.
   */
  readonly contentMark: object
}

/** A surface without nodes, for a log or for a window of one that begins at `baseSeq`. */
export const emptySurface = (format: Format, baseSeq = 0): SurfaceState => ({
  format,
  baseSeq,
  nextSeq: baseSeq,
  entries: [],
  size: 0,
  projected: new Map(),
  usedProjections: new Map(),
  replaceGeneration: 0,
  contentGeneration: 0,
  contentMark: {},
})

/** Seqs of the live nodes, in surface order; a fresh array. */
export const nodesOf = (state: SurfaceState): readonly number[] =>
  state.entries.slice(0, state.size).map((node) => node.seq)

/** The planner's face of a state. Cost: finding a node looks at every live one, newest first. */
export const viewOf = (state: SurfaceState, projections: MessageProjections): SurfaceView => ({
  format: state.format,
  nextSeq: state.nextSeq,
  projections,
  usedProjections: state.usedProjections,
  placeOf: (seq) => {
    for (let place = state.size - 1; place >= 0; place--)
      if (state.entries[place]?.seq === seq) return place
    return -1
  },
  kindAt: (place) => state.entries[place]?.kind ?? defect(`no node at ${place}`),
  seqsBetween: (from, to) => state.entries.slice(from, to + 1).map((node) => node.seq),
  projectedMessage: (seq) => state.projected.get(seq),
})

/** Applies a plan to the state it was made for. Total: what could fail was refused in the plan. */
export const applySurfacePlan = (
  state: SurfaceState,
  plan: SurfacePlan,
  detail: NodeDetail,
): SurfaceState => {
  const { nextSeq } = plan
  switch (plan.op) {
    case "none":
      return { ...state, nextSeq }
    case "append": {
      const node: SurfaceNode = { seq: plan.seq, kind: plan.kind, ...detail }
      // the longest of the states that share an array owns its end
      const isOwner = state.entries.length === state.size
      const entries = (
        isOwner ? state.entries : state.entries.slice(0, state.size)
      ) as SurfaceNode[]
      entries.push(node)
      return { ...state, nextSeq, entries, size: state.size + 1 }
    }
    case "replace": {
      const entries = [
        ...state.entries.slice(0, plan.from),
        { seq: plan.seq, kind: plan.kind, ...detail },
        ...state.entries.slice(plan.to + 1, state.size),
      ]
      return {
        ...state,
        nextSeq,
        entries,
        size: entries.length,
        projected: withoutShadowed(state.projected, plan.shadowedSeqs),
        replaceGeneration: state.replaceGeneration + 1,
        contentGeneration: state.contentGeneration + 1,
        contentMark: {},
      }
    }
    case "project": {
      const projected = new Map(state.projected)
      for (const { seq, message } of plan.updates) projected.set(seq, message)
      return {
        ...state,
        nextSeq,
        projected,
        usedProjections: new Map([
          ...state.usedProjections,
          [plan.projection.type, plan.projection],
        ]),
        contentGeneration: state.contentGeneration + 1,
        contentMark: {},
      }
    }
  }
}

const withoutShadowed = (
  projected: ReadonlyMap<number, Message>,
  shadowed: readonly number[],
): ReadonlyMap<number, Message> => {
  if (!shadowed.some((seq) => projected.has(seq))) return projected
  const kept = new Map(projected)
  for (const seq of shadowed) kept.delete(seq)
  return kept
}

/** One event: plan, then apply. The older state stays valid; a refusal changes nothing. */
export const stepSurface = (
  state: SurfaceState,
  projections: MessageProjections,
  facts: EventFacts,
  rest: SurfaceRest,
  detail: NodeDetail,
): Either<SurfaceRefusal, SurfaceState> => {
  const plan = planSurfaceEvent(viewOf(state, projections), facts, rest)
  return isLeft(plan) ? plan : right(applySurfacePlan(state, plan.right, detail))
}
