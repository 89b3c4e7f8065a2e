import type { Format } from "../format/format.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import { leave } from "./lexer.ts"
import { RowScan } from "./row-scan.ts"
import { RunScan } from "./run-scan.ts"

/**
 * Passes over rows off the surface that nobody asks about: proven valid and counted, not parsed.
 *
 * shape   after `row` the fields tell of the row; `leave` for a row that somebody asks about, and
 *         for one that is not plainly right
 */
export class RowSkim {
  seq = 0
  count = 0
  timeMs = 0
  lastTimeMs = 0
  private readonly rows: RowScan
  private readonly runs: RunScan
  private readonly hasRuns: boolean

  constructor(format: Format, isAsked: (type: string) => boolean) {
    // no digest is made of a row off the surface
    this.rows = new RowScan(
      format,
      [0, 0],
      ({ kind, isKept, type }) => kind === surfaceKind.none && !isKept && !isAsked(type),
    )
    this.runs = new RunScan(this.rows.lexer)
    this.hasRuns = format.rules.packedRuns !== "none"
  }

  /** Turns to a block of valid UTF-8; at least 8 readable bytes follow its last newline. */
  bind(bytes: Uint8Array): void {
    this.rows.lexer.bind(bytes)
  }

  /** Reads the row at `from`; answers the place of its newline. */
  row(from: number): number {
    const { rows, runs } = this
    const end = rows.row(from)
    if (end >= 0) {
      this.seq = rows.seq
      this.count = 1
      this.timeMs = rows.timeMs
      this.lastTimeMs = rows.timeMs
      return end
    }
    const runEnd = this.hasRuns ? runs.row(from) : leave
    if (runEnd < 0) return leave
    this.seq = runs.seq
    this.count = runs.count
    this.timeMs = runs.timeMs
    this.lastTimeMs = runs.lastTimeMs
    return runEnd
  }
}
