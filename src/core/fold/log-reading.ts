import { isLeft, left } from "fp-ts/lib/Either.js"
import type { RangeScan } from "../columns/row-columns.ts"
import type { LocatedRefusal } from "../data/located.ts"
import type { Refusal } from "../data/refusal.ts"
import type { Tolerance } from "../format/tolerance.ts"
import { isCommitRow, isRowDamage } from "../format/tolerance.ts"
import { hardRefusal } from "../format/hard-admission.ts"
import type { LogHeader } from "../log/header.ts"
import { parseLine, readRow } from "../log/row.ts"
import type { LineText } from "./line-text.ts"
import type { LogFoldOptions } from "./log-fold-options.ts"
import type { LineRange } from "../log/line-range.ts"
import { LogFold } from "./log-fold.ts"
import type { LogFoldState } from "./log-fold-state.ts"
import { surfaceOfState } from "./log-fold-state.ts"
import { openHeader } from "./open-header.ts"

export type { LineText } from "./line-text.ts"

/** Bytes at the end of a log that were not read as events. */
export interface Tail extends LineRange {
  /** `unterminated`, or the refusal of the first dropped row in recoverable mode. */
  readonly cause: "unterminated" | LocatedRefusal
}

/** How a log ended. Whatever the status, the fold holds the accepted prefix. */
export interface LogOutcome {
  readonly status: "ok" | "torn" | "refused" | "unreadable"
  readonly header: LogHeader | null
  readonly fold: LogFold | null
  readonly refusal: LocatedRefusal | null
  readonly tail: Tail | null
}

export interface LogReadingOptions extends LogFoldOptions {
  readonly tolerance: Tolerance
  /** The version that the file's name states, or null where it states none. */
  readonly namedVersion: number | null
  /** Asked once the header is known; false ends the reading before the first event. */
  readonly wants?: (header: LogHeader) => boolean
}

/** A reading of a prefix as plain data. */
export interface ReadingState {
  readonly row: number
  readonly fold: LogFoldState
}

// a line that holds no row to be asked
const none = left(null)

/**
 * Reads a log line by line, whoever cuts the lines.
 *
 * shape   `line` takes complete lines in order and says whether to go on; `finish` takes the bytes
 *         after the last newline, which are torn off and never an error
 * errors  the first refusal that the tolerance does not forgive ends the log
 */
export class LogReading {
  private readonly options: LogReadingOptions
  private header: LogHeader | null = null
  private fold: LogFold | null = null
  private row = 0
  /** Bytes of the first line. */
  headerLength = 0
  private isUnreadable = false
  private refusal: LocatedRefusal | null = null
  // first damage in recoverable mode; everything from there on may be a torn tail
  private damage: LocatedRefusal | null = null
  private isStopped = false

  constructor(options: LogReadingOptions) {
    this.options = options
  }

  /** The header, once it was read and found to be one of ours; null before, and for all others. */
  get openHeader(): LogHeader | null {
    return this.isStopped ? null : this.header
  }

  /** Whether the header was read and the caller did not want the log. */
  get isUnwanted(): boolean {
    return this.isStopped && this.header !== null && this.fold === null && this.refusal === null
  }

  /** Where the reading is: how many lines it has taken, and the fold as plain data; null before. */
  state(): ReadingState | null {
    const { fold, row } = this
    return fold === null ? null : { row, fold: fold.state() }
  }

  /**
   * Goes on behind a prefix that was read before; false where that cannot be. To be called behind
   * the first line, which says what log it is.
   */
  resume({ row, fold: state }: ReadingState): boolean {
    const { header } = this
    if (header === null || this.fold === null || this.row !== 1) return false
    const isPriced = (this.options.prices ?? null) !== null
    if (isPriced && state.costs === null) return false
    const surface = surfaceOfState(header.format, state, this.options.projections)
    if (surface === null) return false
    this.fold = new LogFold(header, this.options, { state, surface })
    this.row = row
    return true
  }

  /** Takes one complete line without its newline; false ends the reading. */
  line(text: LineText, at: LineRange): boolean {
    if (this.isStopped) return false
    if (this.row === 0) {
      this.headerLength = at.byteLength
      this.begin(text, at)
    } else if (this.damage !== null) this.afterDamage(text, at)
    else this.step(text, at)
    this.row++
    return !this.isStopped
  }

  /**
   * Takes what the scanner found in the next range; false where a row of it would be refused. Why,
   * only a reading line by line can say: this one is of no use then.
   */
  range(scan: RangeScan): boolean {
    const { fold } = this
    // a refused row may have any seq: the surface must never see it
    const isRefused = scan.stop !== null && scan.stop.refusal !== null
    if (fold === null || isRefused || fold.stepRange(scan) !== null) return false
    this.row += scan.counts.lineCount
    if (fold.isDone) this.isStopped = true
    return true
  }

  /** Ends the reading; `rest` are the bytes after the last newline, `end` is the end of the log. */
  finish(rest: LineRange): LogOutcome {
    if (this.row === 0) {
      this.isUnreadable = true
      this.refuse({ code: "not-a-log" }, rest)
    }
    const { fold } = this
    const atEnd = fold !== null && !this.isStopped ? fold.endRefusal() : null
    if (atEnd !== null) this.refuse(atEnd, rest)
    const tail = this.tail(rest)
    const status =
      this.refusal !== null
        ? this.isUnreadable
          ? "unreadable"
          : "refused"
        : tail === null
          ? "ok"
          : "torn"
    return { status, header: this.header, fold, refusal: this.refusal, tail }
  }

  private tail(rest: LineRange): Tail | null {
    if (this.refusal !== null || this.isStopped) return null
    if (this.damage !== null) {
      const { byteOffset } = this.damage
      const end = rest.byteOffset + rest.byteLength
      return { cause: this.damage, byteOffset, byteLength: end - byteOffset }
    }
    return rest.byteLength > 0 ? { cause: "unterminated", ...rest } : null
  }

  private begin(text: LineText, at: LineRange): void {
    const { header, refusal, isLog } = openHeader(text, this.options.namedVersion)
    this.header = header
    this.isUnreadable = !isLog
    if (refusal !== null) return this.refuse(refusal, at)
    if (header === null) return
    if (this.options.wants?.(header) === false) this.isStopped = true
    else this.fold = new LogFold(header, this.options)
  }

  private step(text: LineText, at: LineRange): void {
    const { fold, header } = this
    if (fold === null || header === null) return
    if (typeof text !== "string") return this.damaged(text, null, at)
    const row = readRow(header.format, text)
    const refusal = isLeft(row) ? row.left : fold.step(row.right, at)
    if (refusal !== null) return this.damaged(refusal, text, at)
    if (fold.isDone) this.isStopped = true
  }

  private damaged(refusal: Refusal, text: string | null, at: LineRange): void {
    const { format } = this.header ?? {}
    const mayBeTail =
      this.options.tolerance === "recoverable" &&
      format !== undefined &&
      isRowDamage(refusal, format.version)
    if (!mayBeTail) return this.refuse(refusal, at)
    const row = text === null ? none : parseLine(text)
    if (isLeft(row)) this.damage = { refusal, row: this.row, byteOffset: at.byteOffset }
    else {
      const hard = hardRefusal(format, row.right)
      if (hard !== null || isCommitRow(row.right)) this.refuse(hard ?? refusal, at)
      else this.damage = { refusal, row: this.row, byteOffset: at.byteOffset }
    }
  }

  private afterDamage(text: LineText, at: LineRange): void {
    const row = typeof text === "string" ? parseLine(text) : none
    if (this.header === null || isLeft(row)) return
    const hard = hardRefusal(this.header.format, row.right)
    if (hard !== null) this.refuse(hard, at)
    else if (isCommitRow(row.right)) {
      // what was damaged lies before a completed turn: it was not a tail
      this.refusal = this.damage
      this.isStopped = true
    }
    if (this.isStopped) this.damage = null
  }

  private refuse(refusal: Refusal, at: LineRange): void {
    this.refusal = { refusal, row: this.row, byteOffset: at.byteOffset }
    this.isStopped = true
  }
}
