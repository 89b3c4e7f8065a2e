import { statSync } from "node:fs"
import { resolve } from "node:path"
import type { LogReport } from "../../core/fold/log-report.ts"
import type { FileIdentity } from "../../core/log/file-identity.ts"
import { identityOf, isSameFile } from "../../core/log/file-identity.ts"
import type { Watermark } from "../../workers/watermark.ts"
import type { FoundLog } from "../archive/discover.ts"
import { version } from "../version.ts"
import type { Database } from "./database.ts"
import { openDatabase } from "./database.ts"

/** What is known of a log that was replayed before. */
export type Known =
  /** The file is what it was: so is the report. */
  | { readonly is: "same"; readonly report: LogReport }
  /** The file grew, or was written to: it may be read on from where it ended. */
  | { readonly is: "changed"; readonly watermark: Watermark }

// what is stored says how it was made: after a change of either it is made anew
const engine = `${version()} 1`

const schema = `
  CREATE TABLE IF NOT EXISTS replays (
    path TEXT NOT NULL, entry TEXT NOT NULL, engine TEXT NOT NULL, digest INTEGER NOT NULL,
    dev REAL NOT NULL, ino REAL NOT NULL, size REAL NOT NULL, mtime REAL NOT NULL,
    report TEXT NOT NULL, watermark TEXT, PRIMARY KEY (path, entry)) STRICT
`

interface Row {
  readonly engine: string
  readonly digest: number
  readonly dev: number
  readonly ino: number
  readonly size: number
  readonly mtime: number
  readonly report: string
  readonly watermark: string | null
}

/** What a file is now, or null where it is none or cannot be asked. */
export const identityNow = (log: FoundLog): FileIdentity | null => {
  if (log.descriptor !== null || log.fault !== null) return null
  try {
    return identityOf(statSync(log.file))
  } catch {
    return null
  }
}

/**
 * Replays that were made before, in a folder of the user's choice.
 *
 * shape   a log is known by its path, its size, its time of change and its place on the disk, and by
 *         the version that read it; what grew is known by the bytes before it as well. A record that
 *         cannot be read is removed, a database that is damaged is set aside: neither loses anything
 *         but time
 */
export class ReplayCache {
  private readonly database: Database
  private readonly digest: boolean

  private constructor(database: Database, digest: boolean) {
    this.database = database
    this.digest = digest
  }

  /** Opens the cache of a folder; `digest` asks for reports with the digest of the messages. */
  static async open(
    folder: string,
    digest: boolean,
    onDamage: (aside: string) => void,
  ): Promise<ReplayCache> {
    return new ReplayCache(await openDatabase(folder, "replays.sqlite", schema, onDamage), digest)
  }

  /** What is known of a log as it is now. */
  known(log: FoundLog, identity: FileIdentity): Known | null {
    const row = this.database
      .prepare("SELECT * FROM replays WHERE path = ? AND entry = ?")
      .get(resolve(log.file), log.entry ?? "") as Row | undefined
    if (row === undefined || row.engine !== engine) return null
    const { dev, ino, size } = row
    try {
      const isSame = isSameFile(identity, { dev, ino, size, mtimeMs: row.mtime })
      // a report without a digest is no answer to who asks for one
      if (isSame && (row.digest === 1) === this.digest)
        return { is: "same", report: JSON.parse(row.report) as LogReport }
      return row.watermark === null
        ? null
        : { is: "changed", watermark: JSON.parse(row.watermark) as Watermark }
    } catch {
      this.forget(log)
      return null
    }
  }

  /** Keeps what a replay said of a log that was one thing from its beginning to its end. */
  keep(
    log: FoundLog,
    { dev, ino, size, mtimeMs }: FileIdentity,
    report: LogReport,
    watermark: Watermark | null,
  ): void {
    this.database
      .prepare("INSERT OR REPLACE INTO replays VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(
        resolve(log.file),
        log.entry ?? "",
        engine,
        this.digest ? 1 : 0,
        dev,
        ino,
        size,
        mtimeMs,
        JSON.stringify(report),
        watermark === null ? null : JSON.stringify(watermark),
      )
  }

  /** Runs writes as one: each by itself would wait for the disk. */
  transaction(write: () => void): void {
    this.database.transaction(write)()
  }

  close(): void {
    this.database.close()
  }

  private forget(log: FoundLog): void {
    this.database
      .prepare("DELETE FROM replays WHERE path = ? AND entry = ?")
      .run(resolve(log.file), log.entry ?? "")
  }
}
