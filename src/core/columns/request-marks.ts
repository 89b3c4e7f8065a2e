import { surfaceKind } from "../format/surface-kind.ts"
import type { EventFacts } from "../log/event-facts.ts"
import { surfaceOp } from "../log/event-facts.ts"
import type { RequestMark } from "../request/request-points.ts"

export const stepStartType = "step/start"
export const chunkType = "assistant/chunk"

/** Facts of the first chunk of a run, which stands for all of them. */
export const runFacts = (seq: number, timeMs: number): EventFacts => ({
  type: chunkType,
  seq,
  count: 1,
  timeMs,
  lastTimeMs: timeMs,
  kind: surfaceKind.none,
  op: surfaceOp.none,
  start: -1,
  end: -1,
  sources: null,
})

/** Which rows of a range are kept because they tell of requests. */
export class RequestMarks {
  private isWanted = false
  // whether the answer of the attempt at hand has begun, as far as this range shows
  private isAnswered = false

  begin(isWanted: boolean): void {
    this.isWanted = isWanted
    this.isAnswered = false
  }

  get isOn(): boolean {
    return this.isWanted
  }

  /**
   * Whether the next row says something new: all but a chunk between the first one and the last
   * one of an answer.
   */
  isNews(mark: RequestMark | null, isFinish: boolean): boolean {
    if (!this.isWanted || mark === null) return false
    const isNews = mark !== "chunk" || isFinish || !this.isAnswered
    this.isAnswered = mark !== "bound" && !isFinish
    return isNews
  }
}
