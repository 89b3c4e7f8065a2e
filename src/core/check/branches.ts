import type { ForkFinding } from "../data/check-finding.ts"
import type { RowPlace } from "../format/lifecycle/findings.ts"
import type { PlacedRow } from "./placed-row.ts"

/** A fork, and the row at which the second branch begins. */
export type PlacedFork = ForkFinding & { readonly place: RowPlace }

/**
 * The two branches of a log that two writers went on with, one behind the other or mixed.
 *
 * shape   a row that both branches wait for counts as one of the branch of the row before it, and
 *         one that neither waits for as the second's, which a third writer is, too
 */
export class Branches {
  private readonly seq: number
  private readonly expected: number
  private readonly place: RowPlace
  private isSecond = true
  private nextFirst: number
  private nextSecond: number
  // both waited for the same seq once: nobody knows any more whose a row is
  private isMixed = false
  private secondEvents: number
  // what the first branch has behind the row where the second begins
  private laterEvents = 0
  private laterBytes = 0

  /** Begins with the first row of the second branch. */
  constructor({ row, place }: PlacedRow, expected: number) {
    this.seq = row.facts.seq
    this.expected = expected
    this.place = place
    this.nextFirst = expected
    this.nextSecond = row.facts.seq + row.facts.count
    this.secondEvents = row.facts.count
  }

  /** Takes the next row; whether it certainly goes on with the first branch. */
  isFirst({ row, at }: PlacedRow): boolean {
    const { seq, count } = row.facts
    const isEither = seq === this.nextFirst && seq === this.nextSecond
    this.isMixed ||= isEither
    this.isSecond = isEither ? this.isSecond : seq !== this.nextFirst
    if (this.isSecond) {
      this.nextSecond = seq + count
      this.secondEvents += count
    } else {
      this.nextFirst = seq + count
      this.laterEvents += count
      this.laterBytes += at.byteLength + 1
    }
    return !this.isSecond && !this.isMixed
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
