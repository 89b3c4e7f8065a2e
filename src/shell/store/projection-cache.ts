import type { Either } from "fp-ts/lib/Either.js"
import { isLeft } from "fp-ts/lib/Either.js"
import type { LogHeader } from "../../core/log/header.ts"
import type { Believed, Distrust } from "../../core/projection/believed-rows.ts"
import { believedRows, storedSnapshot } from "../../core/projection/believed-rows.ts"
import type { ProjectionRows } from "../../core/projection/checkpoint.ts"
import type { Snapshot } from "../../core/projection/read.ts"
import type { RecordRefusal } from "../../core/projection/record.ts"
import { recordText } from "../../core/projection/record.ts"
import type { RegistryRefusal } from "../../core/projection/refusal.ts"
import type { ProjectionRegistry } from "../../core/projection/registry.ts"
import type { Database, DatabaseFault } from "./database.ts"
import { openDatabase, sha256Of, unusable } from "./database.ts"

/** Rows to restore from, or why there are none. */
export interface KnownRows extends Omit<Believed, "distrust"> {
  readonly distrust: Distrust | DatabaseFault | null
}

const schema = `
  CREATE TABLE IF NOT EXISTS sessions (
    id TEXT PRIMARY KEY, record TEXT NOT NULL, sha256 TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS damaged (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL, record TEXT NOT NULL) STRICT
`

interface Stored {
  readonly record: string
  /** Whether the text is the one that was put in. */
  readonly isWhole: boolean
}

const notAsStored: Distrust = {
  code: "record-damaged",
  fault: { path: [], expected: "the text that was stored" },
}

const noDatabase: DatabaseFault = { code: "database-unusable", cause: "it could not be opened" }

/**
 * Checkpoints of sessions in a folder of the user's choice, in `projections.sqlite`: what folds of a
 * log came to, so that the next one to ask reads the end of the log alone.
 *
 * shape   one record a session, taken as a whole or not at all. It may lag behind its log, and never
 *         leads it. Nothing here throws: what cannot be read is not known, and what cannot be written
 *         is answered with
 */
export class ProjectionCache {
  private readonly database: Database | null

  private constructor(database: Database | null) {
    this.database = database
  }

  /**
   * Opens the cache of a folder. Where it cannot be used, it knows nothing and keeps nothing.
   *
   * @param onFault  told of a database that was damaged and set aside, or cannot be used
   * errors  a UsageError where the package libsql is missing
   */
  static async open(
    folder: string,
    onFault: (fault: DatabaseFault) => void = () => {},
  ): Promise<ProjectionCache> {
    return new ProjectionCache(await openDatabase(folder, "projections.sqlite", schema, onFault))
  }

  /**
   * What a session can be restored from. A record that is damaged is set aside, and kept.
   *
   * @param inheritedEventCount  null where only the log says it and was not read yet
   */
  known(header: LogHeader, inheritedEventCount: number | null): KnownRows {
    const stored = this.stored(header.id)
    if (stored !== null && "code" in stored)
      return { rows: {}, inheritedEventCount, distrust: stored }
    const believed =
      stored?.isWhole === false
        ? { rows: {}, inheritedEventCount, distrust: notAsStored }
        : believedRows(stored?.record ?? null, header, inheritedEventCount)
    if (believed.distrust?.code === "record-damaged") this.setAside(header.id)
    return believed
  }

  /**
   * What is shown of a session without its log, as of its lowest watermark: a hint. Null where nothing
   * is known.
   *
   * errors  view-shape
   */
  snapshot(
    registry: ProjectionRegistry,
    header: LogHeader,
    keys?: readonly string[],
  ): Either<RegistryRefusal, Snapshot | null> {
    const stored = this.stored(header.id)
    const isReadable = stored !== null && !("code" in stored) && stored.isWhole
    return storedSnapshot(registry, isReadable ? stored.record : null, header, keys)
  }

  /**
   * Puts a checkpoint in the place of what was stored of a session; null where it is stored.
   *
   * units   `durableSeq` is the seq of the last event that the log is sure to keep: flush it first
   * errors  those of recordText, database-unusable. What was stored before stays then
   */
  write(
    header: LogHeader,
    inheritedEventCount: number,
    rows: ProjectionRows,
    durableSeq: number,
  ): RecordRefusal | DatabaseFault | null {
    const text = recordText(header, inheritedEventCount, rows, durableSeq)
    if (isLeft(text)) return text.left
    if (this.database === null) return noDatabase
    try {
      this.database
        .prepare("INSERT OR REPLACE INTO sessions VALUES (?, ?, ?)")
        .run(header.id, text.right, sha256Of(text.right))
      return null
    } catch (cause) {
      return unusable(cause)
    }
  }

  close(): void {
    this.database?.close()
  }

  private stored(id: string): Stored | DatabaseFault | null {
    if (this.database === null) return noDatabase
    try {
      const row = this.database
        .prepare("SELECT record, sha256 FROM sessions WHERE id = ?")
        .get(id) as { readonly record: string; readonly sha256: string } | undefined
      return row === undefined
        ? null
        : { record: row.record, isWhole: sha256Of(row.record) === row.sha256 }
    } catch (cause) {
      return unusable(cause)
    }
  }

  private setAside(id: string): void {
    const { database } = this
    try {
      database?.transaction(() => {
        database
          .prepare("INSERT INTO damaged (id, record) SELECT id, record FROM sessions WHERE id = ?")
          .run(id)
        database.prepare("DELETE FROM sessions WHERE id = ?").run(id)
      })()
    } catch {
      // it stays where it is, and the next write takes its place
    }
  }
}
