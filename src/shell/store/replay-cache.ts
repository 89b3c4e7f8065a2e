import { statSync } from "node:fs"
import { resolve } from "node:path"
import type { LogReport } from "../../core/fold/log-report.ts"
import type { FileIdentity } from "../../core/log/file-identity.ts"
import { identityOf, isSameFile } from "../../core/log/file-identity.ts"
import type { WatermarkText } from "../../workers/watermark.ts"
import type { FoundLog } from "../archive/discover.ts"
import { version } from "../version.ts"
import type { Database, DatabaseFault, Statement } from "./database.ts"
import { openDatabase, sha256Of, unusable } from "./database.ts"

/** What is known of a log that was replayed before. */
export type Known =
  /** The file is what it was: so is the report. */
  | { readonly is: "same"; readonly report: LogReport }
  /** The file grew, or was written to: it may be read on from where it ended. */
  | { readonly is: "changed"; readonly watermark: WatermarkText }

// what is stored says how it was made: after a change of either it is made anew
const engine = `${version()} 3`

/** What is asked of a log beside its figures; a report that says less, or other, is no answer. */
export interface Asked {
  readonly digest: boolean
  /** What texts are counted by; null for nothing. */
  readonly tokenizer: string | null
  /** Digest of the prices; null without any. */
  readonly prices: string | null
}

// the digests tell a text that was damaged on the disk, which a database does not notice; the watermark
// is long and stands last, so that what is unchanged is known without it
const schema = `
  CREATE TABLE IF NOT EXISTS timed_replays (
    path TEXT NOT NULL, entry TEXT NOT NULL, engine TEXT NOT NULL, digest INTEGER NOT NULL,
    tokenizer TEXT, prices TEXT,
    dev REAL NOT NULL, ino REAL NOT NULL, size REAL NOT NULL, mtime REAL NOT NULL,
    ctime REAL NOT NULL,
    report TEXT NOT NULL, report_sha256 TEXT NOT NULL, watermark_sha256 TEXT, watermark TEXT,
    PRIMARY KEY (path, entry)) STRICT
`

interface ReportRow {
  readonly engine: string
  readonly digest: number
  readonly tokenizer: string | null
  readonly prices: string | null
  readonly dev: number
  readonly ino: number
  readonly size: number
  readonly mtime: number
  readonly ctime: number
  readonly report: string
  readonly report_sha256: string
}

interface WatermarkRow {
  readonly watermark: string | null
  readonly watermark_sha256: string | null
}

const place = "FROM timed_replays WHERE path = ? AND entry = ?"

const statementsOf = (
  database: Database,
): Readonly<Record<"report" | "watermark" | "keep" | "forget", Statement>> => ({
  report: database.prepare(
    `SELECT engine, digest, tokenizer, prices, dev, ino, size, mtime, ctime, report, report_sha256 ${place}`,
  ),
  watermark: database.prepare(`SELECT watermark, watermark_sha256 ${place}`),
  keep: database.prepare(
    `INSERT OR REPLACE INTO timed_replays VALUES (${Array.from({ length: 15 }, () => "?").join()})`,
  ),
  forget: database.prepare(`DELETE ${place}`),
})

const keyOf = ({ file, entry }: FoundLog): readonly [path: string, entry: string] => [
  resolve(file),
  entry ?? "",
]

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
 *         cannot be read is removed, a database that is damaged is set aside, and one that cannot be
 *         used is told once and left alone: nothing is lost but time
 */
export class ReplayCache {
  private readonly database: Database
  private readonly statements: ReturnType<typeof statementsOf>
  private readonly asked: Asked
  private readonly onFault: (fault: DatabaseFault) => void
  private isFaulty = false

  private constructor(database: Database, asked: Asked, onFault: (fault: DatabaseFault) => void) {
    this.database = database
    this.statements = statementsOf(database)
    this.asked = asked
    this.onFault = onFault
  }

  /**
   * Opens the cache of a folder, for reports that say what is asked. Null where there can be none.
   */
  static async open(
    folder: string,
    asked: Asked,
    onFault: (fault: DatabaseFault) => void,
  ): Promise<ReplayCache | null> {
    const database = await openDatabase(folder, "replays.sqlite", schema, onFault)
    if (database === null) return null
    try {
      return new ReplayCache(database, asked, onFault)
    } catch (cause) {
      // a table of that name with other columns
      database.close()
      onFault(unusable(cause))
      return null
    }
  }

  /** What is known of a log as it is now. */
  known(log: FoundLog, identity: FileIdentity): Known | null {
    return this.softly(() => this.knownIn(log, identity)) ?? null
  }

  /** Keeps what a replay said of a log that was one thing from its beginning to its end. */
  keep(
    log: FoundLog,
    { dev, ino, size, mtimeMs, ctimeMs }: FileIdentity,
    report: LogReport,
    watermark: WatermarkText | null,
  ): void {
    const reportText = JSON.stringify(report)
    this.statements.keep.run(
      ...keyOf(log),
      engine,
      this.asked.digest ? 1 : 0,
      this.asked.tokenizer,
      this.asked.prices,
      dev,
      ino,
      size,
      mtimeMs,
      ctimeMs,
      reportText,
      sha256Of(reportText),
      watermark === null ? null : sha256Of(watermark),
      watermark,
    )
  }

  /** Runs writes as one: each by itself would wait for the disk. */
  transaction(write: () => void): void {
    this.softly(this.database.transaction(write))
  }

  close(): void {
    this.database.close()
  }

  private knownIn(log: FoundLog, identity: FileIdentity): Known | null {
    const key = keyOf(log)
    const row = this.statements.report.get(...key) as ReportRow | undefined
    if (row === undefined || row.engine !== engine) return null
    const { dev, ino, size, mtime: mtimeMs, ctime: ctimeMs, report } = row
    if (sha256Of(report) !== row.report_sha256) return this.forget(key)
    // a time of change that was set back shows in the other time
    const isSame =
      isSameFile(identity, { dev, ino, size, mtimeMs, ctimeMs }) && identity.ctimeMs === ctimeMs
    const { digest, tokenizer, prices } = this.asked
    const isAnswer =
      (row.digest === 1) === digest && row.tokenizer === tokenizer && row.prices === prices
    if (isSame && isAnswer) return { is: "same", report: JSON.parse(report) as LogReport }
    // costs go on only from costs by the same prices
    if (prices !== null && row.prices !== prices) return null
    const { watermark, watermark_sha256 } = this.statements.watermark.get(...key) as WatermarkRow
    if (watermark === null) return null
    return sha256Of(watermark) === watermark_sha256
      ? { is: "changed", watermark }
      : this.forget(key)
  }

  private forget(key: readonly [path: string, entry: string]): null {
    this.statements.forget.run(...key)
    return null
  }

  // a full disk or a folder that is only read must not end a replay
  private softly<A>(use: () => A): A | undefined {
    if (this.isFaulty) return undefined
    try {
      return use()
    } catch (cause) {
      this.isFaulty = true
      this.onFault(unusable(cause))
      return undefined
    }
  }
}
