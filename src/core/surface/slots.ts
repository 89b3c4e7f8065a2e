import type { SurfaceKind } from "../format/surface-kind.ts"
import type { NodeDetail, SurfaceNode } from "./node.ts"
import { SeqIndex } from "./seq-index.ts"

const pageBits = 14
const pageSize = 1 << pageBits
const pageMask = pageSize - 1
// below this many slots a re-pack gains nothing worth its time
const smallestRepack = 1024
const derivesBit = 8

interface Page {
  /** The seq of a live slot; −1−s in a free one, where s is a slot nearer to the next live one. */
  readonly seqs: number[]
  /** Kind of the node, and whether a message comes of it. */
  readonly flags: number[]
  /** Price, digest, offset and length of the line; absent while no node of the page has any. */
  detail: number[] | null
}

/**
 * The live nodes of a draft, in slots: surface order is slot order.
 *
 *     append        takes the next slot
 *     replace a..b  the new node takes slot a, the others up to b become free
 *
 * Nothing is renumbered, each slot is freed once, and runs of free slots are skipped with path
 * compression: linear in events, however many replacements. When half of the slots are free they
 * are re-packed, so memory follows the live surface.
 *
 * Pages, since an array that grows by doubling leaves as much behind; and plain arrays that grow
 * with what is in them, since memory beside the heap makes the collector walk all of the heap to
 * look for more of it, and most logs are short.
 *
 * law     PL11 in properties/slots.prop.ts
 */
export class Slots {
  private pages: Page[] = []
  private readonly index: SeqIndex
  private top = 0
  private live = 0

  constructor(baseSeq: number) {
    this.index = new SeqIndex(baseSeq)
  }

  get size(): number {
    return this.live
  }

  /** One past the last slot. */
  get end(): number {
    return this.top
  }

  find(seq: number): number {
    return this.index.find(seq)
  }

  seqAt(slot: number): number {
    return this.page(slot).seqs[slot & pageMask] as number
  }

  kindAt(slot: number): SurfaceKind {
    return ((this.page(slot).flags[slot & pageMask] as number) & ~derivesBit) as SurfaceKind
  }

  derivesAt(slot: number): boolean {
    return ((this.page(slot).flags[slot & pageMask] as number) & derivesBit) !== 0
  }

  tokensAt(slot: number): number {
    return this.detailAt(slot, 0)
  }

  nodeAt(slot: number): SurfaceNode {
    return {
      seq: this.seqAt(slot),
      kind: this.kindAt(slot),
      derives: this.derivesAt(slot),
      tokens: this.detailAt(slot, 0),
      digest: this.detailAt(slot, 1),
      byteOffset: this.detailAt(slot, 2),
      byteLength: this.detailAt(slot, 3),
    }
  }

  /** The first live slot at or after `slot`; `end` where there is none. */
  next(slot: number): number {
    let live = slot
    while (live < this.top) {
      const seq = this.seqAt(live)
      if (seq >= 0) break
      live = -1 - seq
    }
    // compress the path that was walked
    for (let at = slot; at < live;) {
      const { seqs } = this.page(at)
      const further = -1 - (seqs[at & pageMask] as number)
      seqs[at & pageMask] = -1 - live
      at = further
    }
    return live
  }

  append(seq: number, kind: SurfaceKind, detail: NodeDetail): number {
    const slot = this.top
    if (slot >> pageBits === this.pages.length)
      this.pages.push({
        seqs: [],
        flags: [],
        detail: null,
      })
    this.top++
    this.live++
    this.write(slot, seq, kind, detail)
    return slot
  }

  /** Puts a node in the place of the live slots `from` to `to`. */
  replace(from: number, to: number, seq: number, kind: SurfaceKind, detail: NodeDetail): void {
    this.index.remove(this.seqAt(from))
    if (to > from)
      for (let slot = this.next(from + 1); slot <= to; slot = this.next(slot + 1)) this.free(slot)
    this.write(from, seq, kind, detail)
  }

  /** Whether so many slots are free that `repack` pays. It moves nodes: places change. */
  get isSparse(): boolean {
    return this.top > smallestRepack && this.live * 2 < this.top
  }

  repack(): void {
    let to = 0
    for (let slot = this.next(0); slot < this.top; slot = this.next(slot + 1)) {
      if (slot !== to) this.move(slot, to)
      to++
    }
    this.top = to
    this.pages.length = Math.ceil(to / pageSize)
  }

  private page(slot: number): Page {
    return this.pages[slot >> pageBits] as Page
  }

  private detailAt(slot: number, part: 0 | 1 | 2 | 3): number {
    const { detail } = this.page(slot)
    return detail?.[(slot & pageMask) * 4 + part] ?? (part === 2 ? -1 : 0)
  }

  private write(slot: number, seq: number, kind: SurfaceKind, detail: NodeDetail): void {
    const page = this.page(slot)
    const at = slot & pageMask
    page.seqs[at] = seq
    page.flags[at] = detail.derives ? kind | derivesBit : kind
    this.index.add(seq, slot)
    if (page.detail !== null || detail.tokens !== 0 || detail.byteOffset !== -1)
      this.writeDetail(page, at, detail)
  }

  private writeDetail(page: Page, at: number, detail: NodeDetail): void {
    const numbers = (page.detail ??= [])
    // nodes before this one that have none
    while (numbers.length < at * 4) numbers.push(0, 0, -1, 0)
    numbers[at * 4] = detail.tokens
    numbers[at * 4 + 1] = detail.digest
    numbers[at * 4 + 2] = detail.byteOffset
    numbers[at * 4 + 3] = detail.byteLength
  }

  private free(slot: number): void {
    const { seqs } = this.page(slot)
    this.index.remove(seqs[slot & pageMask] as number)
    seqs[slot & pageMask] = -1 - (slot + 1)
    this.live--
  }

  // `to` is before `from` and free, or its node has moved already
  private move(from: number, to: number): void {
    const source = this.page(from)
    const target = this.page(to)
    const at = from & pageMask
    const into = to & pageMask
    const seq = source.seqs[at] as number
    target.seqs[into] = seq
    target.flags[into] = source.flags[at] as number
    if (source.detail !== null || target.detail !== null)
      this.writeDetail(target, into, this.nodeAt(from))
    source.seqs[at] = -1 - (from + 1)
    this.index.move(seq, to)
  }
}
