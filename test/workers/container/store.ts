import Database from "libsql"

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
