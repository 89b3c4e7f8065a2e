import type { ForkFinding } from "../data/check-finding.ts"
import type { RowPlace } from "../format/lifecycle/findings.ts"
import type { PlacedRow } from "./row-order.ts"

/** A fork, and the row at which the second branch begins. */
export type PlacedFork = ForkFinding & { readonly place: RowPlace }

/**
 * The two branches of a log that two writers went on with, one behind the other or mixed.
 *
 * shape   a row that both branches wait for belongs to the one of the row before it, and one that
 *         neither waits for to the second: a third writer counts as the second
 */
export class Branches {
  private readonly seq: number
  private readonly expected: number
  private readonly place: RowPlace
  private isSecond = true
  private nextSecond: number
  private secondEvents: number
  // what the first branch has behind the row where the second begins
  private laterEvents = 0
  private laterBytes = 0

  /** Begins with the first row of the second branch. */
  constructor({ row, place }: PlacedRow, expected: number) {
    this.seq = row.facts.seq
    this.expected = expected
    this.place = place
    this.nextSecond = row.facts.seq + row.facts.count
    this.secondEvents = row.facts.count
  }

  /** Takes the next row; whether it goes on with the first branch, whose next seq is `due`. */
  isFirst({ row, at }: PlacedRow, due: number): boolean {
    const { seq, count } = row.facts
    this.isSecond = seq !== due || (this.isSecond && seq === this.nextSecond)
    if (this.isSecond) {
      this.nextSecond = seq + count
      this.secondEvents += count
    } else {
      this.laterEvents += count
      this.laterBytes += at.byteLength + 1
    }
    return !this.isSecond
  }

  /**
   * The fork as it was found.
   *
   * @param end  where the log ends
   * @param offsetOfSeq  where the first row of a seq stands
   */
  finding(end: number, offsetOfSeq: (seq: number) => number): PlacedFork {
    const { seq, expected, place, laterEvents, laterBytes } = this
    return {
      code: "sequence-fork",
      seq,
      expected,
      firstEvents: expected - seq + laterEvents,
      firstBytes: place.byteOffset - offsetOfSeq(seq) + laterBytes,
      secondEvents: this.secondEvents,
      secondBytes: end - place.byteOffset - laterBytes,
      place,
    }
  }
}
