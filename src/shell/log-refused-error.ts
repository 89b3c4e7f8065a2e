import type { FoldRecord } from "./report/fold-record.ts"

/**
 * A log that could not be read to its end: what was asked for would be a part, and not say so.
 * `record` tells where and why, and describes the accepted prefix.
 */
export class LogRefusedError extends Error {
  override readonly name = "LogRefusedError"
  readonly record: FoldRecord

  constructor(path: string, record: FoldRecord) {
    super(`${path}: ${record.status} [${record.refusalCode ?? ""}]`)
    this.record = record
  }
}
