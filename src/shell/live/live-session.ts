import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { JsonObject } from "../../core/data/json.ts"
import type { SessionEvent } from "../../core/log/envelope.ts"
import type { EventDraft, RequestLog } from "../../core/request/request-log.ts"
import { appendEvents } from "../../core/session/append.ts"
import type { SessionRefusal } from "../../core/session/refusal.ts"
import type { Session, SessionStep } from "../../core/session/session.ts"
import { withLog } from "../../core/session/session.ts"
import { SessionStoreError } from "../border.ts"
import type { LogWriter } from "../store/log-writer.ts"
import { Listeners } from "./listeners.ts"
import type { LiveRefusal } from "./live-refusal.ts"

/** The lines of rows, as they are stored. */
export const linesText = (rows: readonly JsonObject[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join("")

const warn = (cause: unknown): void => {
  process.emitWarning(cause instanceof Error ? cause : String(cause), "RefoldListenerWarning")
}

/**
 * A session whose log is on the disk.
 *
 * shape   what happens is decided and told at once, and written behind that: `flush` says when it is
 *         on the disk. Nothing is written behind something that could not be written
 */
export class LiveSession implements AsyncDisposable {
  private current: Session
  private readonly writer: LogWriter
  private readonly listeners: Listeners<SessionEvent> = new Listeners()
  private tellingSeq: number | null = null
  private isClosed = false

  /** A session whose log is all written; the writer is its own from now on. */
  constructor(session: Session, writer: LogWriter) {
    this.current = session
    this.writer = writer
  }

  /** The session as it is now: a value, which stays as it is. */
  get session(): Session {
    return this.current
  }

  /** Where its log is. */
  get path(): string {
    return this.writer.path
  }

  /** False once something could not be written; the session does not grow after that. */
  get isDurable(): boolean {
    return this.writer.failure === null
  }

  /**
   * Appends an event at the next seq, with the time of now.
   *
   * errors  append-reentrant, session-closed, session-not-durable, then what the session refuses
   */
  append(draft: EventDraft): Either<LiveRefusal, SessionEvent> {
    const events = this.appendAll([draft])
    if (isLeft(events))
      return events.left.code === "event-refused" ? left(events.left.refusal) : events
    return right(events.right[0] as SessionEvent)
  }

  /** Appends several events at one time, or none of them. Errors as for `append`. */
  appendAll(drafts: readonly EventDraft[]): Either<LiveRefusal, readonly SessionEvent[]> {
    return this.happens((session) => appendEvents(session, drafts, Date.now()))
  }

  /**
   * Takes a log that grew from that of the session as it is now, as the one of an admitted attempt
   * did; the events are those that it gained.
   *
   * errors  session-diverged, and the first three of `append`
   */
  take(log: RequestLog): Either<LiveRefusal, readonly SessionEvent[]> {
    return this.happens((session) => {
      const { nextSeq } = session.log.surface
      const isGrown =
        log.surface.nextSeq >= nextSeq &&
        log.events[nextSeq - 1] === session.log.events[nextSeq - 1]
      return isGrown
        ? right(withLog(session, log))
        : left({ code: "session-diverged", seq: nextSeq })
    })
  }

  /**
   * Has a listener told of each event from now on, in order, as soon as the session has it.
   *
   * shape   what a listener throws, or rejects with, is a warning of the process and nothing else.
   *         Who comes while an event is told is not told of that one
   */
  listen(listener: (event: SessionEvent) => unknown): Disposable {
    return this.listeners.add(listener)
  }

  /** Resolves once all that happened so far is on the disk. A SessionStoreError where it is not. */
  async flush(): Promise<void> {
    const end = await this.writer.settled()
    if (isLeft(end)) throw new SessionStoreError(end.left)
  }

  /** Waits until all is on the disk, and gives the log away. A SessionStoreError as for `flush`. */
  async close(): Promise<void> {
    this.isClosed = true
    const end = await this.writer.close()
    if (isLeft(end)) throw new SessionStoreError(end.left)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  private happens(
    step: (session: Session) => Either<SessionRefusal | LiveRefusal, SessionStep>,
  ): Either<LiveRefusal, readonly SessionEvent[]> {
    if (this.tellingSeq !== null) return left({ code: "append-reentrant", seq: this.tellingSeq })
    if (this.isClosed) return left({ code: "session-closed" })
    const { failure } = this.writer
    if (failure !== null) return left({ code: "session-not-durable", cause: failure })
    const stepped = step(this.current)
    if (isLeft(stepped)) return stepped
    const [session, events] = stepped.right
    this.current = session
    if (events.length > 0) void this.writer.append(linesText(events))
    for (const event of events) this.tell(event)
    return right(events)
  }

  private tell(event: SessionEvent): void {
    this.tellingSeq = event.seq
    for (const listener of this.listeners.now())
      try {
        const told = listener(event)
        if (told instanceof Promise) told.catch(warn)
      } catch (cause) {
        warn(cause)
      }
    this.tellingSeq = null
  }
}
