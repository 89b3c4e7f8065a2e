// a short log must not pay for a long one
const pageBits = 10
const pageSize = 1 << pageBits
const pageMask = pageSize - 1

interface Page {
  /** Slot + 1 of each seq, 0 for a seq that is not live. */
  readonly slots: Int32Array
  live: number
}

/**
 * Finds the slot of a live seq: one array over all seqs, in pages that exist only while one of
 * their seqs is live. So memory follows the live surface and finding is two loads.
 *
 * law     PL10 in properties/slots.prop.ts
 */
export class SeqIndex {
  private readonly pages: (Page | undefined)[] = []
  // an emptied page is all zeros again, and the next new one takes it over
  private spare: Page | undefined
  private readonly baseSeq: number

  constructor(baseSeq: number) {
    this.baseSeq = baseSeq
  }

  /** The slot that holds `seq`, or −1. */
  find(seq: number): number {
    const at = seq - this.baseSeq
    if (at < 0) return -1
    const page = this.pages[Math.floor(at / pageSize)]
    return page === undefined ? -1 : (page.slots[at & pageMask] as number) - 1
  }

  /** Says where a seq is that was not live before. */
  add(seq: number, slot: number): void {
    const at = seq - this.baseSeq
    const number = Math.floor(at / pageSize)
    while (this.pages.length <= number) this.pages.push(undefined)
    let page = this.pages[number]
    if (page === undefined) {
      page = this.spare ?? { slots: new Int32Array(pageSize), live: 0 }
      this.spare = undefined
      this.pages[number] = page
    }
    page.slots[at & pageMask] = slot + 1
    page.live++
  }

  /** Says where a live seq has moved to. */
  move(seq: number, slot: number): void {
    const at = seq - this.baseSeq
    const page = this.pages[Math.floor(at / pageSize)]
    if (page !== undefined) page.slots[at & pageMask] = slot + 1
  }

  /** Forgets a live seq. */
  remove(seq: number): void {
    const at = seq - this.baseSeq
    const number = Math.floor(at / pageSize)
    const page = this.pages[number]
    if (page === undefined) return
    page.slots[at & pageMask] = 0
    if (--page.live > 0) return
    this.pages[number] = undefined
    this.spare = page
  }
}
