import type { Attempt } from "./attempt.ts"
import type { MadeEvent, TargetWriter } from "./target-writer.ts"

/** The attempt that is under way, and what came behind its last chunk and waits for its place. */
export class AttemptQueue {
  attempt: Attempt | null = null
  private waiting: (() => void)[] = []
  private readonly out: TargetWriter

  constructor(out: TargetWriter) {
    this.out = out
  }

  /** Writes now, or once the place of the attempt is known. */
  emit(write: () => void): void {
    if (this.attempt === null) write()
    else this.waiting.push(write)
  }

  insert(anchor: number | null, made: MadeEvent): void {
    this.emit(() => {
      this.out.insert(anchor, made)
    })
  }

  /** Writes what waits: the attempt goes on behind it, or became a message. */
  flush(): void {
    const { waiting } = this
    this.waiting = []
    for (const write of waiting) write()
  }

  /** Ends the attempt unclaimed: it keeps the place and the time of its last chunk. */
  close(): void {
    const { attempt } = this
    this.attempt = null
    if (attempt !== null) {
      const { lastSeq, lastTimeMs: timeMs, isSound } = attempt
      const made = { type: "assistant/attempt", timeMs, data: attempt.payload() }
      this.out.insert(lastSeq, made, isSound)
    }
    this.flush()
  }
}
