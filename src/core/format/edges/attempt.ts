import type { JsonObject } from "../../data/json.ts"
import type { EventFacts } from "../../log/event-facts.ts"
import type { SourceRuns } from "../../log/source-runs.ts"
import { StreamDraft } from "./stream-draft.ts"

/** A call to a model whose chunks were seen, and which no message has claimed yet. */
export class Attempt {
  readonly turn: number
  readonly step: number
  readonly firstSeq: number
  readonly stream: StreamDraft = new StreamDraft()
  isFinished = false
  isSound = true
  /** Whether it was told already that it lies on both sides of the cut. */
  isCut = false
  lastSeq = -1
  lastTimeMs = 0
  // first and last seqs of its chunks, in pairs, flat
  private readonly runs: number[] = []

  constructor(turn: number, step: number, firstSeq: number) {
    this.turn = turn
    this.step = step
    this.firstSeq = firstSeq
  }

  /** Whether a chunk with these coordinates belongs to it. */
  goesOn(turn: number, step: number): boolean {
    return !this.isFinished && this.isOf(turn, step)
  }

  isOf(turn: number, step: number): boolean {
    return this.turn === turn && this.step === step
  }

  /** Counts the events of a row in; what they say goes into `stream`. */
  count({ seq, count, lastTimeMs }: EventFacts): void {
    if (this.runs.at(-1) === seq - 1) this.runs[this.runs.length - 1] = seq + count - 1
    else this.runs.push(seq, seq + count - 1)
    this.lastSeq = seq + count - 1
    this.lastTimeMs = lastTimeMs
  }

  /** Whether a list cites exactly its chunks, in their order. */
  isCitedBy({ runs, isAscending }: SourceRuns): boolean {
    return (
      isAscending &&
      runs.length === this.runs.length &&
      runs.every((seq, i) => seq === this.runs[i])
    )
  }

  /** The payload of an attempt that stays without a message. */
  payload(): JsonObject {
    return { turn: this.turn, step: this.step, stream: this.stream.seal() }
  }
}
