import type { JsonObject } from "#core/data/json"
import type { SessionEvent } from "#core/log/envelope"
import type { EventDraft } from "#core/request/request-log"
import { appendEvents } from "#core/session/append"
import { snapshotEvents } from "#core/session/read"
import type { Session } from "#core/session/session"
import { createSession } from "#core/session/session"
import { builtInProjections } from "#core/surface/image-offload"
import { rightOf } from "../surface/events.ts"

export const newSession = (id = "s"): Session =>
  rightOf(createSession({ id, createdAtMs: 5 }, builtInProjections))

/** What a row says, without its place. */
export const draftOf = (row: JsonObject): EventDraft => {
  const { seq: _seq, time: _time, ...draft } = row
  return draft as unknown as EventDraft
}

/** A session with these rows, all at one time. */
export const sessionWith = (...rows: readonly JsonObject[]): Session =>
  rightOf(appendEvents(newSession(), rows.map(draftOf), 1))[0]

/** The log of a session, as it is written. */
export const logText = (session: Session): string =>
  [session.headerRow, ...snapshotEvents(session)].map((row) => `${JSON.stringify(row)}\n`).join("")

/** Events read again, as from a file: no object of them is shared, and none is frozen. */
export const readAgain = (session: Session): readonly SessionEvent[] =>
  JSON.parse(JSON.stringify(snapshotEvents(session))) as SessionEvent[]

export const typesOf = (events: readonly SessionEvent[]): readonly string[] =>
  events.map(({ type }) => type)
