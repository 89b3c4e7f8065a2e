import type { Writable } from "node:stream"
import { setImmediate as nextRound } from "node:timers/promises"
import { errnoOf, UsageError } from "../border.ts"

/** The reader of our output went away: the command ends quietly. */
export class ClosedPipe extends Error {
  override readonly name = "ClosedPipe"
}

const chunkLength = 65_536

// a full disk is no defect of ours: its name says all
const failureOf = (cause: Error): Error => {
  const errno = errnoOf(cause)
  if (errno === "EPIPE") return new ClosedPipe()
  return errno === null ? cause : new UsageError(`cannot write the result: ${errno}`)
}

/**
 * Text on its way to a stream, in pieces worth a system call.
 *
 * shape   complete however long it is: a full pipe is waited for
 * errors  ClosedPipe once the reader is gone; a UsageError where nothing can be written; the reason
 *         of the signal after an abort, also while a reader keeps us waiting
 */
export class Output {
  private readonly stream: Writable
  private readonly signal: AbortSignal
  private pending = ""
  private failure: Error | null = null

  constructor(stream: Writable, signal: AbortSignal) {
    this.stream = stream
    this.signal = signal
    // without a listener a closed pipe would end the process with a stack trace
    stream.on("error", (cause: Error) => {
      this.failureOnce(cause)
    })
  }

  async write(text: string): Promise<void> {
    this.pending += text
    if (this.pending.length >= chunkLength) await this.flush()
  }

  async flush(): Promise<void> {
    const text = this.pending
    this.pending = ""
    if (this.failure !== null) throw this.failure
    this.signal.throwIfAborted()
    if (text === "") return
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => reject(this.signal.reason as Error)
      this.signal.addEventListener("abort", leave, { once: true })
      this.stream.write(text, (cause) => {
        this.signal.removeEventListener("abort", leave)
        if (cause === null || cause === undefined) resolve()
        else reject(this.failureOnce(cause))
      })
    })
    // a file takes everything at once: without a pause Ctrl-C would be heard at the end
    await nextRound()
  }

  // the stream tells one failure twice
  private failureOnce(cause: Error): Error {
    this.failure ??= failureOf(cause)
    return this.failure
  }
}
