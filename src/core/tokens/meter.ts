import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonArray, isJsonObject, ownValue } from "../data/json.ts"
import type { ProjectionRefusal } from "../data/refusal.ts"
import { numberField, objectField } from "../format/lifecycle/fields.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import { surfaceOp } from "../log/event-facts.ts"
import type { LogHeader } from "../log/header.ts"
import { contentOf, eventMessage } from "../messages/event-message.ts"
import type { StreamRefusal } from "../messages/stream-content.ts"
import { streamContent } from "../messages/stream-content.ts"
import { canonicalLoggedHeader } from "../request/header.ts"
import { imageOffload } from "../surface/image-offload.ts"
import { noProjections } from "../surface/message-projection.ts"
import type { ProjectedNode } from "../surface/message-projection.ts"
import { placedRange } from "../surface/placed-range.ts"
import type { SurfacePlan } from "../surface/plan.ts"
import type { SurfaceState } from "../surface/state.ts"
import { applySurfacePlan, emptySurface, viewOf } from "../surface/state.ts"
import { messageTokens } from "./estimate.ts"
import { filesIn, imagesIn } from "./media.ts"
import type { TokenEvent } from "./token-event.ts"
import type { TokenRefusal } from "./token-projection.ts"
import type { Usage } from "./usage.ts"
import { usageSample } from "./usage.ts"

/** An answer whose prompt a provider counted, or could have: what later counts start from. */
export interface MeterAnchor {
  /** The request header in effect; null where there was none. */
  readonly header: JsonObject | null
  /** The surface just before the answer, and the images and files on it. */
  readonly surface: SurfaceState
  readonly media: ReadonlyMap<number, ProjectedNode>
  readonly assistantTokens: number
  /** Null where none was reported, or without a header to compare with. */
  readonly usage: Usage | null
}

interface OpenStep {
  readonly turn: number
  readonly step: number
}

/** What measuring needs of a session so far. */
export interface MeterState {
  readonly eventCount: number
  /** The request header in effect, in canonical form. */
  readonly header: JsonObject | null
  readonly surface: SurfaceState
  /** Live nodes that hold images or files, as they are now. */
  readonly media: ReadonlyMap<number, ProjectedNode>
  readonly openStep: OpenStep | null
  readonly anchor: MeterAnchor | null
}

/** Why the meter does not take an event; it stays as it was. */
export type MeterRefusal =
  | TokenRefusal
  | ProjectionRefusal
  | (StreamRefusal & { readonly seq: number })
  | {
      readonly code: "meter-step-open" | "meter-step-unmatched"
      readonly seq: number
      readonly openStep: OpenStep | null
    }

export const noMeter = ({ format }: LogHeader): MeterState => ({
  eventCount: 0,
  header: null,
  surface: emptySurface(format),
  media: new Map(),
  openStep: null,
  anchor: null,
})

const stepOf = (data: JsonValue): OpenStep => {
  const fields = isJsonObject(data) ? data : {}
  return { turn: numberField(fields, "turn") ?? NaN, step: numberField(fields, "step") ?? NaN }
}

const isOpen = ({ openStep }: MeterState, data: JsonValue): boolean => {
  const { turn, step } = stepOf(data)
  return openStep !== null && openStep.turn === turn && openStep.step === step
}

const planned = (
  surface: SurfaceState,
  { facts }: TokenEvent,
): Either<TokenRefusal, SurfacePlan> => {
  const { seq, kind, start, end } = facts
  const nextSeq = seq + facts.count
  if (facts.op !== surfaceOp.replace) return right({ op: "append", nextSeq, seq, kind })
  const view = viewOf(surface, noProjections)
  const range = placedRange(view, facts)
  if (isLeft(range)) return range
  const { from, to } = range.right
  const shadowedSeqs = view.seqsBetween(from, to)
  return right({ op: "replace", nextSeq, seq, kind, start, end, from, to, shadowedSeqs })
}

const mediaAfter = (
  media: MeterState["media"],
  { facts, data }: TokenEvent,
  plan: SurfacePlan,
): MeterState["media"] => {
  const { kind, seq } = facts
  const message = eventMessage(kind, data)
  const content = message === null ? [] : contentOf(message)
  const hasMedia = imagesIn(content).length > 0 || filesIn(content).length > 0
  const gone = plan.op === "replace" ? plan.shadowedSeqs.filter((each) => media.has(each)) : []
  if (!hasMedia && gone.length === 0) return media
  const after = new Map(media)
  for (const each of gone) after.delete(each)
  if (message !== null && hasMedia) after.set(seq, { kind, message })
  return after
}

// what the model sent, and not what the log keeps of it
const sentTokens = ({ data, tokens }: TokenEvent): Either<StreamRefusal, number> => {
  const stream = isJsonObject(data) ? ownValue(data, "stream") : undefined
  if (!isJsonArray(stream)) return right(tokens)
  const content = streamContent(stream)
  return isLeft(content)
    ? content
    : right(messageTokens(surfaceKind.assistant, { content: content.right }))
}

const anchorOf = (state: MeterState, event: TokenEvent): Either<MeterRefusal, MeterAnchor> => {
  const { header, surface, media } = state
  const usage = usageSample(event.facts.type, event.data)?.usage ?? null
  const at = { header, surface, media }
  if (usage === null || header === null)
    return right({ ...at, assistantTokens: event.tokens, usage: null })
  const sent = sentTokens(event)
  return isLeft(sent)
    ? left({ ...sent.left, seq: event.facts.seq })
    : right({ ...at, assistantTokens: sent.right, usage })
}

const onSurface = (state: MeterState, event: TokenEvent): Either<MeterRefusal, MeterState> => {
  const { facts, data, tokens } = event
  const plan = planned(state.surface, event)
  if (isLeft(plan)) return plan
  let { anchor } = state
  if (facts.type === "assistant/message") {
    const { seq } = facts
    if (!isOpen(state, data))
      return left({ code: "meter-step-unmatched", seq, openStep: state.openStep })
    const next = anchorOf(state, event)
    if (isLeft(next)) return next
    anchor = next.right
  }
  const detail = { tokens, derives: false, digest: 0, byteOffset: -1, byteLength: 0 }
  return right({
    ...state,
    surface: applySurfacePlan(state.surface, plan.right, detail),
    media: mediaAfter(state.media, event, plan.right),
    anchor,
  })
}

const offloaded = (state: MeterState, event: TokenEvent): Either<MeterRefusal, MeterState> => {
  const updates = imageOffload.project(
    event.facts.seq,
    event.data,
    (seq) => state.media.get(seq) ?? null,
  )
  if (isLeft(updates)) return updates
  const media = new Map(state.media)
  for (const { seq, message } of updates.right) {
    const node = media.get(seq)
    if (node !== undefined) media.set(seq, { ...node, message })
  }
  return right({ ...state, media })
}

const offSurface = (state: MeterState, event: TokenEvent): Either<MeterRefusal, MeterState> => {
  const { facts, data } = event
  const { seq } = facts
  const { openStep } = state
  switch (facts.type) {
    case "request/header": {
      const header = isJsonObject(data) ? objectField(data, "header") : null
      return right(header === null ? state : { ...state, header: canonicalLoggedHeader(header) })
    }
    case "step/start":
      return openStep === null
        ? right({ ...state, openStep: stepOf(data) })
        : left({ code: "meter-step-open", seq, openStep })
    case "step/end":
      return isOpen(state, data)
        ? right({ ...state, openStep: null })
        : left({ code: "meter-step-unmatched", seq, openStep })
    case imageOffload.type:
      return offloaded(state, event)
    default:
      return right(state)
  }
}

/**
 * Takes the next event of a session.
 *
 * shape   each answer of the model is an anchor: the surface before it, its own price, and what was
 *         reported for the call
 * errors  steps that overlap or do not match, an answer outside its step, a range that is not on
 *         the surface, a stream with a block of unknown kind that never ended
 * cost    amortised constant for an append, the live nodes for a replacement
 * source  token meter of the agent, late 0.1.7; in formats 0 and 1 an answer costs what the log
 *         keeps of it
 */
export const stepMeter = (
  state: MeterState,
  event: TokenEvent,
): Either<MeterRefusal, MeterState> => {
  const isOn = event.facts.kind !== surfaceKind.none
  const next = isOn ? onSurface(state, event) : offSurface(state, event)
  return isLeft(next)
    ? next
    : right({ ...next.right, eventCount: state.eventCount + event.facts.count })
}
