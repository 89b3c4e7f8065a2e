import type { Format } from "../format/format.ts"
import type { SurfaceKind } from "../format/surface-kind.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { Message } from "../messages/event-message.ts"
import type { MessageProjection, MessageProjections } from "./message-projection.ts"
import type { NodeDetail, SurfaceNode } from "./node.ts"
import type { SurfacePlan } from "./plan.ts"
import { Slots } from "./slots.ts"
import type { SurfaceState } from "./state.ts"
import type { SurfaceView } from "./view.ts"

const unused: ReadonlyMap<string, MessageProjection> = new Map()

/**
 * A surface that a batch fold writes to: the fast twin of SurfaceState, equal to it by law.
 *
 * shape   private to its fold; what leaves is sealed (`seal`) or copied (`nodes`)
 * cost    linear in events and cited runs
 * law     PL2, PL9 in properties/surface.prop.ts: draft = state, cut anywhere and resumed; totals =
 *         recomputed from the nodes
 */
export class SurfaceDraft implements SurfaceView {
  readonly format: Format
  readonly projections: MessageProjections
  nextSeq: number
  usedProjections: ReadonlyMap<string, MessageProjection> = unused
  replaceGeneration = 0
  contentGeneration = 0
  /** Sum of the prices of all live nodes. */
  liveTokens = 0
  /** Live nodes that a message comes of. */
  messageCount = 0
  private readonly baseSeq: number
  private readonly slots: Slots
  private readonly projected: Map<number, Message> = new Map()
  // slots of live system nodes, in surface order: few, and the last one with text is in effect
  private systemSlots: number[] = []

  constructor(state: SurfaceState, projections: MessageProjections) {
    this.format = state.format
    this.projections = projections
    this.baseSeq = state.baseSeq
    this.slots = new Slots(state.baseSeq)
    this.nextSeq = state.nextSeq
    this.usedProjections = state.usedProjections
    this.replaceGeneration = state.replaceGeneration
    this.contentGeneration = state.contentGeneration
    for (let i = 0; i < state.size; i++) {
      const node = state.entries[i] as SurfaceNode
      this.push(node.seq, node.kind, node)
    }
    for (const [seq, message] of state.projected) this.projected.set(seq, message)
  }

  get size(): number {
    return this.slots.size
  }

  placeOf(seq: number): number {
    return this.slots.find(seq)
  }

  kindAt(place: number): SurfaceKind {
    return this.slots.kindAt(place)
  }

  seqsBetween(from: number, to: number): readonly number[] {
    const seqs: number[] = []
    for (let slot = from; slot <= to; slot = this.slots.next(slot + 1))
      seqs.push(this.slots.seqAt(slot))
    return seqs
  }

  projectedMessage(seq: number): Message | undefined {
    return this.projected.get(seq)
  }

  /** A live node with what is kept of it, or null. */
  node(seq: number): SurfaceNode | null {
    const slot = this.slots.find(seq)
    return slot < 0 ? null : this.slots.nodeAt(slot)
  }

  /** Whether a projection rewrote the message of a live node. */
  get isProjected(): boolean {
    return this.projected.size > 0
  }

  /**
   * Shows the live nodes one by one, in surface order, from a place on; a long list of them is
   * never made.
   */
  eachNode(show: (node: SurfaceNode) => void, from = 0): void {
    const { slots } = this
    for (let slot = slots.next(from); slot < slots.end; slot = slots.next(slot + 1))
      show(slots.nodeAt(slot))
  }

  /** The live nodes in surface order. */
  nodes(): SurfaceNode[] {
    const nodes: SurfaceNode[] = []
    this.eachNode((node) => nodes.push(node))
    return nodes
  }

  /** Price of the system prompt in effect: the last system node that is not empty. */
  get systemTokens(): number {
    const slot = this.promptSlot()
    return slot < 0 ? 0 : this.slots.tokensAt(slot)
  }

  /** The seq of the system prompt in effect, or null. */
  get promptSeq(): number | null {
    const slot = this.promptSlot()
    return slot < 0 ? null : this.slots.seqAt(slot)
  }

  /** Passes over events that do nothing to the surface. */
  skipTo(seq: number): void {
    this.nextSeq = seq
  }

  /** Applies a plan that was made for this draft as it is now. */
  apply(plan: SurfacePlan, detail: NodeDetail): void {
    this.nextSeq = plan.nextSeq
    if (plan.op === "append") this.push(plan.seq, plan.kind, detail)
    else if (plan.op === "replace") this.replace(plan, detail)
    else if (plan.op === "project") this.project(plan)
  }

  /** The surface as a value. The draft may be written to afterwards. */
  seal(): SurfaceState {
    const entries = this.nodes()
    return {
      format: this.format,
      baseSeq: this.baseSeq,
      nextSeq: this.nextSeq,
      entries,
      size: entries.length,
      projected: new Map(this.projected),
      usedProjections: this.usedProjections,
      replaceGeneration: this.replaceGeneration,
      contentGeneration: this.contentGeneration,
      contentMark: {},
    }
  }

  private promptSlot(): number {
    for (let i = this.systemSlots.length - 1; i >= 0; i--) {
      const slot = this.systemSlots[i] as number
      if (this.slots.tokensAt(slot) > 0) return slot
    }
    return -1
  }

  private push(seq: number, kind: SurfaceKind, detail: NodeDetail): void {
    const slot = this.slots.append(seq, kind, detail)
    if (kind === surfaceKind.system) this.systemSlots.push(slot)
    this.liveTokens += detail.tokens
    if (detail.derives) this.messageCount++
  }

  private replace(plan: SurfacePlan & { readonly op: "replace" }, detail: NodeDetail): void {
    const { from, to } = plan
    const { slots } = this
    for (let slot = from; slot <= to; slot = slots.next(slot + 1)) {
      this.liveTokens -= slots.tokensAt(slot)
      if (slots.derivesAt(slot)) this.messageCount--
      if (this.projected.size > 0) this.projected.delete(slots.seqAt(slot))
    }
    slots.replace(from, to, plan.seq, plan.kind, detail)
    this.liveTokens += detail.tokens
    if (detail.derives) this.messageCount++
    if (this.systemSlots.length > 0 || plan.kind === surfaceKind.system)
      this.replaceSystem(from, to, plan.kind)
    this.replaceGeneration++
    this.contentGeneration++
    if (slots.isSparse) this.repack()
  }

  private replaceSystem(from: number, to: number, kind: SurfaceKind): void {
    const before = this.systemSlots.filter((slot) => slot < from)
    const after = this.systemSlots.filter((slot) => slot > to)
    const here = kind === surfaceKind.system ? [from] : []
    this.systemSlots = [...before, ...here, ...after]
  }

  private repack(): void {
    const seqs = this.systemSlots.map((slot) => this.slots.seqAt(slot))
    this.slots.repack()
    this.systemSlots = seqs.map((seq) => this.slots.find(seq))
  }

  private project(plan: SurfacePlan & { readonly op: "project" }): void {
    for (const { seq, message } of plan.updates) this.projected.set(seq, message)
    this.usedProjections = new Map([
      ...this.usedProjections,
      [plan.projection.type, plan.projection],
    ])
    this.contentGeneration++
  }
}
