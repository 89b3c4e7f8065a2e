import type { LineText } from "../fold/line-text.ts"
import type { PlacedFork } from "./branches.ts"
import { Branches } from "./branches.ts"
import type { PlacedRow } from "./placed-row.ts"
import { SeqRanges } from "./seq-ranges.ts"

/** What is done with the rows of a log whose order may be damaged. */
export interface RowSink {
  /** The seq of the event that is due. */
  readonly due: () => number
  /** Takes the row of the event that is due. */
  readonly take: (row: PlacedRow) => void
  /** Goes on to a later event; those in between are not known. */
  readonly skipTo: (seq: number) => void
  /** Whether the line before a row is the same text. */
  readonly isLineBefore: (row: PlacedRow, text: LineText) => boolean
  /** Says that a row is not the one that is due. */
  readonly misplaced: (row: PlacedRow) => void
}

// what is kept for the events of a log must not grow with the seqs that it names
const mostMissing = 1_000_000

const endOf = ({ row }: PlacedRow): number => row.facts.seq + row.facts.count

/**
 * Puts the rows of a log that may be damaged in the order of their seqs.
 *
 * shape   what a row out of order means is seen with the row behind it: two rows were exchanged,
 *         events are missing, one row has a wrong seq or does not belong there, or a second writer
 *         begins. Each of these is one misplaced row; a line that stands there twice is another
 * cost    one row, and the ranges of missing events; of those a million at most
 */
export class RowOrder {
  private readonly sink: RowSink
  /** The events that were passed over. */
  readonly missing: SeqRanges = new SeqRanges()
  private missingRoom = mostMissing
  // events that lines which are no rows may have held
  private lostRoom = 0
  private held: PlacedRow | null = null
  private branches: Branches | null = null
  // what follows a row that is too far ahead to be gone on to
  private farSeq = -1

  constructor(sink: RowSink) {
    this.sink = sink
  }

  get isForked(): boolean {
    return this.branches !== null
  }

  /** Whether events may be missing at the end. */
  get isEndLost(): boolean {
    return this.lostRoom > 0
  }

  /** Whether a row of a seq is the one that is due, in a log without damage behind the last row. */
  isPlainNext(seq: number): boolean {
    const isPlain = this.branches === null && this.held === null && this.lostRoom === 0
    return isPlain && seq === this.sink.due()
  }

  /** Takes a line that is no row, and may have held so many events. */
  lose(most: number): void {
    if (this.held !== null) this.goOn(this.held)
    this.lostRoom += most
  }

  /** Takes the next row, with its text. */
  step(next: PlacedRow, text: LineText): void {
    if (this.branches !== null) return this.follow(this.branches, next)
    if (this.held !== null && this.settle(this.held, next)) return
    if (this.branches === null) this.find(next, text)
    else this.follow(this.branches, next)
  }

  /** Ends the log; its fork, or null. */
  end(end: number, offsetOfSeq: (seq: number) => number): PlacedFork | null {
    const { held } = this
    const due = this.sink.due()
    if (held !== null && held.row.facts.seq < due) this.branches = new Branches(held, due)
    else if (held !== null) this.goOn(held)
    return this.branches?.finding(end, offsetOfSeq) ?? null
  }

  private follow(branches: Branches, next: PlacedRow): void {
    if (branches.isFirst(next)) this.take(next)
  }

  private take(next: PlacedRow): void {
    this.lostRoom = 0
    this.sink.take(next)
  }

  private isNear({ row }: PlacedRow): boolean {
    return row.facts.seq - this.sink.due() <= this.missingRoom
  }

  private pass(count: number): void {
    const due = this.sink.due()
    this.missing.add(due, count)
    this.missingRoom -= count
    this.lostRoom = 0
    this.sink.skipTo(due + count)
  }

  private jump(next: PlacedRow): void {
    this.pass(next.row.facts.seq - this.sink.due())
    this.take(next)
  }

  // from a row that is ahead, or else past a row that has no place
  private goOn(held: PlacedRow): void {
    this.held = null
    if (held.row.facts.seq < this.sink.due()) return
    if (this.isNear(held)) this.jump(held)
    else this.farSeq = endOf(held)
  }

  private find(next: PlacedRow, text: LineText): void {
    const { seq } = next.row.facts
    const due = this.sink.due()
    const ahead = seq - due
    if (ahead === 0) return this.take(next)
    // the lines before it were found to be wrong
    if (ahead > 0 && ahead <= Math.min(this.lostRoom, this.missingRoom)) return this.jump(next)
    const isRepeated = endOf(next) === due && this.sink.isLineBefore(next, text)
    // part of what was found where these events were missing, or that follows a row too far ahead
    if (ahead < 0 && !isRepeated && this.missing.has(seq)) return
    if (seq === this.farSeq) {
      this.farSeq = endOf(next)
      return
    }
    this.sink.misplaced(next)
    if (!isRepeated) this.held = next
  }

  // whether the row behind a misplaced one is dealt with, too
  private settle(held: PlacedRow, next: PlacedRow): boolean {
    this.held = null
    const due = this.sink.due()
    const { seq, count } = held.row.facts
    const nextSeq = next.row.facts.seq
    if (seq < due && nextSeq === seq + count) this.branches = new Branches(held, due)
    else if (nextSeq === due) {
      if (endOf(next) !== seq) return false
      // they were exchanged
      this.take(next)
      this.take(held)
      return true
    } else if (nextSeq === due + count && count <= this.missingRoom) this.pass(count)
    else if (nextSeq > seq) this.goOn(held)
    return false
  }
}
