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
  // whether the row before was, of those that tell of requests, a chunk in the middle of an answer
  private isAnswering = false

  begin(isWanted: boolean): void {
    this.isWanted = isWanted
    this.isAnswering = false
  }

  get isOn(): boolean {
    return this.isWanted
  }

  /**
   * Whether the next row says something new: all but a chunk that another one comes before, and
   * that does not end the answer. Behind anything else it may be the first one of a further attempt.
   */
  isNews(mark: RequestMark | null, isFinish: boolean): boolean {
    if (!this.isWanted || mark === null) return false
    const isNews = mark !== "chunk" || isFinish || !this.isAnswering
    this.isAnswering = mark === "chunk" && !isFinish
    return isNews
  }
}
