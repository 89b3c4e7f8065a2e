import Database from "libsql"
import { entriesOf } from "#workers/container/entries"
import type { Folder } from "../../shell/folder.ts"
import { temporaryFolder } from "../../shell/folder.ts"
import { collected, withOpen } from "./decoding.ts"

/** A store of format 0 as its facts describe it, written without the code that reads it. */

export const storeSchema = `
CREATE TABLE persistence_state (singleton INTEGER PRIMARY KEY CHECK (singleton = 1), store_id TEXT NOT NULL) STRICT;
CREATE TABLE sessions (id TEXT PRIMARY KEY, version INTEGER NOT NULL, created_at INTEGER NOT NULL, cwd TEXT,
  parent_session TEXT, seed_length INTEGER, origin TEXT, delegation_depth INTEGER, agent_preset TEXT,
  incarnation TEXT NOT NULL, revision INTEGER NOT NULL) STRICT;
CREATE TABLE events (session_id TEXT NOT NULL REFERENCES sessions (id), seq INTEGER NOT NULL, type TEXT NOT NULL,
  time INTEGER NOT NULL, data ANY NOT NULL, source_event_seqs ANY, surface_op TEXT,
  ignorable INTEGER CHECK (ignorable IN (0, 1)), PRIMARY KEY (session_id, seq)) STRICT;
`

export const storePragmas = "PRAGMA application_id = 1146308688; PRAGMA user_version = 17;"

export interface SessionRow {
  readonly id: string
  readonly createdAt?: number
  readonly cwd?: string | null
  readonly parent?: string | null
  readonly seedLength?: number | null
  readonly origin?: string | null
  readonly depth?: number | null
  readonly preset?: string | null
}

export interface EventRow {
  readonly seq: number | bigint
  readonly type?: string
  readonly time?: number
  readonly data: string | Buffer
  readonly sources?: Buffer | null
  readonly op?: string | null
  readonly ignorable?: 0 | 1 | null
}

/** Fills a new database; the caller closes it. */
export const newStore = (
  path: string,
  sessions: readonly (readonly [SessionRow, readonly EventRow[]])[],
  journal = "delete",
): Database.Database => {
  const database = new Database(path)
  database.prepare(`PRAGMA journal_mode = ${journal}`).all()
  database.exec(storePragmas + storeSchema)
  database.exec("INSERT INTO persistence_state VALUES (1, 'a-store')")
  database.exec("BEGIN")
  for (const [session, events] of sessions) {
    database
      .prepare("INSERT INTO sessions VALUES (?, 0, ?, ?, ?, ?, ?, ?, ?, 'an-incarnation', 1)")
      .run(
        session.id,
        session.createdAt ?? 1,
        session.cwd ?? null,
        session.parent ?? null,
        session.seedLength ?? null,
        session.origin ?? null,
        session.depth ?? null,
        session.preset ?? null,
      )
    const insert = database.prepare("INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    for (const event of events)
      insert.run(
        session.id,
        event.seq,
        event.type ?? "plan/mode",
        event.time ?? 5,
        event.data,
        event.sources ?? null,
        event.op ?? null,
        event.ignorable ?? null,
      )
  }
  database.exec("COMMIT")
  return database
}

/** All logs of a store. */
interface Listed {
  readonly names: readonly string[]
  readonly texts: readonly string[]
  readonly faults: readonly unknown[]
}

/** Where the tests of a file keep their stores. */
export interface StoreFolder {
  readonly folder: Folder
  /** What copies are made in. */
  readonly temporary: string
  /** A path for a store in a folder of its own. */
  readonly place: () => string
  /** Decodes all sessions of a store; the fault where it has none. */
  readonly listed: (path: string) => Promise<Listed | object>
}

export const storeFolder = (): StoreFolder => {
  const folder = temporaryFolder()
  const temporary = folder.folder("temporary")
  let count = 0
  const place = (): string => `${folder.folder(`store-${count++}`)}/sessions.db`
  const listed = (path: string): Promise<Listed | object> =>
    withOpen(path, async (open) => {
      const found = await entriesOf(open, "sqlite", {
        isLog: () => true,
        temporaryFolder: temporary,
      })
      if ("code" in found) return found
      const logs = []
      for (const entry of found.entries) logs.push(await collected(entry.decode))
      found.close()
      return {
        names: found.entries.map(({ name }) => name),
        texts: logs.map(({ text }) => text),
        faults: logs.map(({ end }) => end.fault),
      }
    })
  return { folder, temporary, place, listed }
}
