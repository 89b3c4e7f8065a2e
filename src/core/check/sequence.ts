import type { ForkFinding } from "../data/check-finding.ts"
import type { RowPlace } from "../format/lifecycle/findings.ts"

/** A place where a log begins to tell once more what it told before. */
interface Fork extends RowPlace {
  readonly seq: number
  readonly expected: number
  events: number
}

// a hostile seq must not make anything in its size
const widestGap = 1_000_000

/** What the seq of a row says about its place. */
export type Step = "next" | "after-gap" | "repeated" | "forked" | "far"

/**
 * Follows the seqs of a log that may be damaged.
 *
 * shape   `next` for the event that is due; `after-gap` where some are missing; `repeated` for the
 *         line before once more; `forked` for the first event of a second branch and all that
 *         follow it; `far` for a seq that no log of this length has
 */
export class Sequence {
  private fork: Fork | null = null
  private before = ""

  get isForked(): boolean {
    return this.fork !== null
  }

  /** The line before is not at hand. */
  forgetLine(): void {
    this.before = ""
  }

  /** Judges the row of an event, or of `count` events, by its seq and its text. */
  step(seq: number, count: number, expected: number, text: string, place: RowPlace): Step {
    const isSameLine = text === this.before
    this.before = text
    if (this.fork !== null) {
      this.fork.events += count
      return "forked"
    }
    if (seq === expected) return "next"
    if (seq > expected) return seq - expected > widestGap ? "far" : "after-gap"
    if (isSameLine) return "repeated"
    this.fork = { ...place, seq, expected, events: count }
    return "forked"
  }

  /**
   * The fork of the log, or null.
   *
   * @param end  where the log ends
   * @param offsetOfSeq  where the first row of a seq stands
   */
  finding(
    end: number,
    offsetOfSeq: (seq: number) => number,
  ): (ForkFinding & { readonly place: RowPlace }) | null {
    if (this.fork === null) return null
    const { seq, expected, events, row, byteOffset } = this.fork
    return {
      code: "sequence-fork",
      seq,
      expected,
      firstEvents: expected - seq,
      firstBytes: byteOffset - offsetOfSeq(seq),
      secondEvents: events,
      secondBytes: end - byteOffset,
      place: { row, byteOffset },
    }
  }
}
