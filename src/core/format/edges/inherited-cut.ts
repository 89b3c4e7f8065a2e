import type { EdgeLog } from "./edge-log.ts"

/** Follows the markers that end an inherited prefix: a seeded log has one, any other has none. */
export class InheritedCut {
  private readonly log: EdgeLog
  private isMarked = false

  constructor(log: EdgeLog) {
    this.log = log
  }

  mark(seq: number): void {
    this.isMarked = true
    if (!this.log.header.isSeeded)
      this.log.refuse("malformed", seq, { code: "inherited-marker-unexpected" })
  }

  end(): void {
    if (this.log.header.isSeeded && !this.isMarked)
      this.log.refuse("malformed", null, { code: "inherited-marker-missing" })
  }
}
