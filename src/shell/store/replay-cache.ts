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
const engine = `${version()} 2`

/** What is asked of a log beside its figures; a report that says less, or other, is no answer. */
export interface Asked {
  readonly digest: boolean
  /** What texts are counted by; null for nothing. */
  readonly tokenizer: string | null
  /** Digest of the prices; null without any. */
  readonly prices: string | null
}

const schema = `
  CREATE TABLE IF NOT EXISTS asked_replays (
    path TEXT NOT NULL, entry TEXT NOT NULL, engine TEXT NOT NULL, digest INTEGER NOT NULL,
    tokenizer TEXT, prices TEXT,
    dev REAL NOT NULL, ino REAL NOT NULL, size REAL NOT NULL, mtime REAL NOT NULL,
    report TEXT NOT NULL, watermark TEXT, PRIMARY KEY (path, entry)) STRICT
`

interface Row {
  readonly engine: string
  readonly digest: number
  readonly tokenizer: string | null
  readonly prices: string | null
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
  private readonly asked: Asked

  private constructor(database: Database, asked: Asked) {
    this.database = database
    this.asked = asked
  }

  /** Opens the cache of a folder, for reports that say what is asked. */
  static async open(
    folder: string,
    asked: Asked,
    onDamage: (aside: string) => void,
  ): Promise<ReplayCache> {
    return new ReplayCache(await openDatabase(folder, "replays.sqlite", schema, onDamage), asked)
  }

  /** What is known of a log as it is now. */
  known(log: FoundLog, identity: FileIdentity): Known | null {
    const row = this.database
      .prepare("SELECT * FROM asked_replays WHERE path = ? AND entry = ?")
      .get(resolve(log.file), log.entry ?? "") as Row | undefined
    if (row === undefined || row.engine !== engine) return null
    const { dev, ino, size } = row
    try {
      const isSame = isSameFile(identity, { dev, ino, size, mtimeMs: row.mtime })
      const { digest, tokenizer, prices } = this.asked
      const isAnswer =
        (row.digest === 1) === digest && row.tokenizer === tokenizer && row.prices === prices
      if (isSame && isAnswer) return { is: "same", report: JSON.parse(row.report) as LogReport }
      // costs go on only from costs by the same prices
      return row.watermark === null || (prices !== null && row.prices !== prices)
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
      .prepare("INSERT OR REPLACE INTO asked_replays VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .run(
        resolve(log.file),
        log.entry ?? "",
        engine,
        this.asked.digest ? 1 : 0,
        this.asked.tokenizer,
        this.asked.prices,
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
      .prepare("DELETE FROM asked_replays WHERE path = ? AND entry = ?")
      .run(resolve(log.file), log.entry ?? "")
  }
}
