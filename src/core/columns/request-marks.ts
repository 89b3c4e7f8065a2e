import type { RequestMark } from "../request/request-points.ts"

export const stepStartType = "step/start"
export const chunkType = "assistant/chunk"

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
