import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { errnoOf } from "../../core/fold/source-fault.ts"
import type { LogLock } from "./log-lock.ts"
import type { StoreRefusal } from "./store-refusal.ts"

/** What a writer needs of an open file; writes go to its end. */
export interface LogHandle {
  readonly stat: () => Promise<{ readonly size: number }>
  readonly write: (bytes: Buffer, offset: number) => Promise<{ readonly bytesWritten: number }>
  readonly truncate: (byteLength: number) => Promise<void>
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

type Done = Promise<Either<StoreRefusal, void>>

interface Batch {
  readonly texts: string[]
  readonly done: Done
}

const written: Either<StoreRefusal, void> = right(undefined)

/**
 * Appends whole lines to a log that is its own.
 *
 * shape   what is appended while a batch is being written is the next batch: one write and one
 *         sync for all of it. What was answered for is on the disk. After a failure nothing more is
 *         written, and what was not answered for is taken back as far as the system lets it
 * cost    memory for what waits
 */
export class LogWriter {
  readonly path: string
  /** Why nothing is written any more; null while all is well. */
  failure: StoreRefusal | null = null
  private readonly handle: LogHandle
  private readonly lock: LogLock
  private byteLength: number
  private waiting: Batch | null = null
  private last: Done = Promise.resolve(written)
  private isClosed = false

  /** Writes behind the first `byteLength` bytes, which must be all of the file. */
  constructor(path: string, handle: LogHandle, byteLength: number, lock: LogLock) {
    this.path = path
    this.handle = handle
    this.byteLength = byteLength
    this.lock = lock
  }

  /** Appends lines, each with its newline; answers once they are on the disk. */
  append(text: string): Done {
    if (this.isClosed) return Promise.resolve(left({ code: "log-closed", path: this.path }))
    if (this.waiting === null) {
      const texts: string[] = []
      const done = this.last.then(() => {
        this.waiting = null
        return this.write(texts)
      })
      this.waiting = { texts, done }
      this.last = done
    }
    this.waiting.texts.push(text)
    return this.waiting.done
  }

  /** Answers once all that was appended is on the disk, or why it is not. */
  settled(): Done {
    return this.last.then(() => (this.failure === null ? written : left(this.failure)))
  }

  /** Writes what waits, and gives the log away; a second call waits for the first. */
  close(): Done {
    if (this.isClosed) return this.settled()
    this.isClosed = true
    this.last = this.last.then(async () => {
      try {
        await this.handle.close()
      } catch (cause) {
        this.fail(cause)
      }
      this.lock.release()
      return written
    })
    return this.settled()
  }

  private async write(texts: readonly string[]): Done {
    if (this.failure !== null) return left(this.failure)
    const bytes = Buffer.from(texts.join(""))
    try {
      const { size } = await this.handle.stat()
      if (size !== this.byteLength) {
        const [expectedBytes, foundBytes] = [this.byteLength, size]
        this.failure = { code: "log-changed", path: this.path, expectedBytes, foundBytes }
        return left(this.failure)
      }
      for (let at = 0; at < bytes.length;) at += (await this.handle.write(bytes, at)).bytesWritten
      await this.handle.sync()
    } catch (cause) {
      const refusal = this.fail(cause)
      await this.takeBack()
      return left(refusal)
    }
    this.byteLength += bytes.length
    return written
  }

  private fail(cause: unknown): StoreRefusal {
    const errno = errnoOf(cause)
    if (errno === null) throw cause
    this.failure ??= { code: "log-unwritten", path: this.path, errno }
    return this.failure
  }

  private async takeBack(): Promise<void> {
    try {
      await this.handle.truncate(this.byteLength)
      await this.handle.sync()
    } catch {
      // a part of the batch may stay: whole events behind the last one that was answered for
    }
  }
}
