import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { JsonValue } from "../../core/data/json.ts"
import type { CloserTexts, ForkTexts } from "../../core/format/closers.ts"
import type { SessionEvent } from "../../core/log/envelope.ts"
import { parseLine } from "../../core/log/row.ts"
import { forkSession as forked } from "../../core/session/fork.ts"
import type { SessionDraft } from "../../core/session/header.ts"
import { snapshotEvents } from "../../core/session/read.ts"
import type { SessionRefusal } from "../../core/session/refusal.ts"
import { restoreSession, resumeSession } from "../../core/session/restore.ts"
import type { Session } from "../../core/session/session.ts"
import { createSession as created } from "../../core/session/session.ts"
import { builtInProjections } from "../../core/surface/image-offload.ts"
import { SessionStoreError } from "../border.ts"
import { createLog, linesOf, openLog } from "../store/log-files.ts"
import type { StoreRefusal } from "../store/store-refusal.ts"
import { linesText, LiveSession } from "./live-session.ts"

/** Whose a session is that begins now. */
export type NewSession = Omit<SessionDraft, "createdAtMs">

const orThrow = <A>(result: Either<SessionRefusal | StoreRefusal, A>): A => {
  if (isLeft(result)) throw new SessionStoreError(result.left)
  return result.right
}

const stored = async (path: string, session: Session): Promise<LiveSession> => {
  const text = linesText([session.headerRow, ...snapshotEvents(session)])
  return new LiveSession(session, orThrow(await createLog(path, text)))
}

/**
 * Begins a session, and its log at a path where nothing is.
 *
 * shape   the log has its header, and is on the disk, before the session is there
 * errors  a SessionStoreError: header-field, not-lossless, log-exists, log-locked, log-unwritten
 */
export const createSession = async (path: string, draft: NewSession): Promise<LiveSession> => {
  const createdAtMs = Date.now()
  return stored(path, orThrow(created({ ...draft, createdAtMs }, builtInProjections)))
}

const rowsOf = (bytes: Buffer): Either<SessionRefusal, readonly JsonValue[]> => {
  const rows: JsonValue[] = []
  for (const line of linesOf(bytes)) {
    const row = line === null ? left({ code: "invalid-utf8" } as const) : parseLine(line)
    if (isLeft(row))
      return left(
        rows.length === 0
          ? row.left
          : { code: "event-refused", index: rows.length - 1, refusal: row.left },
      )
    rows.push(row.right)
  }
  return right(rows)
}

const restored = (bytes: Buffer): Either<SessionRefusal, Session> => {
  const rows = rowsOf(bytes)
  if (isLeft(rows)) return rows
  const [header, ...events] = rows.right
  if (header === undefined) return left({ code: "not-a-log" })
  // what is no event is refused as one
  return restoreSession(header, events as unknown as readonly SessionEvent[], builtInProjections)
}

export interface OpenSessionOptions {
  /** Texts of the results that close a turn which a crash left open; without them it stays open. */
  readonly closers?: CloserTexts | undefined
}

/**
 * Goes on with a session whose log is there.
 *
 * shape   an open turn is closed where there are texts for it, and the mark ends what the session
 *         began with; both are on the disk before it is there. A torn last line is set aside
 * errors  a SessionStoreError: log-unreadable, log-locked, log-unwritten, what the log is refused for
 *         (session-outdated for one of an older format), closer-text-missing. The log is as it was
 */
export const openSession = async (
  path: string,
  { closers }: OpenSessionOptions = {},
): Promise<LiveSession> => {
  const opened = orThrow(await openLog(path))
  const session = restored(opened.bytes)
  const resumed = isLeft(session)
    ? session
    : resumeSession(session.right, { timeMs: Date.now(), texts: closers ?? null })
  if (isLeft(resumed)) {
    await opened.release()
    throw new SessionStoreError(resumed.left)
  }
  const writer = await opened.writer()
  if (isLeft(writer)) {
    await opened.release()
    throw new SessionStoreError(writer.left)
  }
  const [live, events] = resumed.right
  if (events.length > 0) {
    const end = await writer.right.append(linesText(events))
    if (isLeft(end)) {
      await writer.right.close()
      throw new SessionStoreError(end.left)
    }
  }
  return new LiveSession(live, writer.right)
}

/** A session that begins with what another one began with. */
export interface ForkDraft {
  readonly draft: Omit<NewSession, "parentSession">
  /** Events to take over: those before this seq. */
  readonly inheritedEvents: number
  /** Texts of the results for calls that were open there. */
  readonly texts: ForkTexts
}

/**
 * Forks a session into a log of its own, at a path where nothing is.
 *
 * shape   the log appears whole: the inherited events, their mark, and what closes the turn that was
 *         open behind them
 * errors  a SessionStoreError: inherited-cut-beyond-end, and those of `createSession`
 */
export const forkSession = async (
  session: Session,
  path: string,
  { draft, inheritedEvents, texts }: ForkDraft,
): Promise<LiveSession> => {
  const createdAtMs = Date.now()
  const fork = { draft: { ...draft, createdAtMs }, inheritedEvents, texts }
  const [child] = orThrow(forked(session, fork))
  return stored(path, child)
}
