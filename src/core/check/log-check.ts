import { isLeft, left } from "fp-ts/lib/Either.js"
import { RowSkim } from "../columns/row-skim.ts"
import type { Finding } from "../data/relation-refusal.ts"
import type { LineText } from "../fold/line-text.ts"
import type { LogFoldOptions } from "../fold/log-fold-options.ts"
import type { LineRange } from "../log/line-range.ts"
import { LogFold } from "../fold/log-fold.ts"
import { openHeader } from "../fold/open-header.ts"
import { lifecycleCheck } from "../format/lifecycle/check.ts"
import type { LifecycleCheck } from "../format/lifecycle/check.ts"
import type { LocatedRelation, RowPlace } from "../format/lifecycle/findings.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { Format } from "../format/format.ts"
import type { LogHeader } from "../log/header.ts"
import { readRow } from "../log/row.ts"
import { AcceptanceCheck } from "./acceptance-check.ts"
import { Aftermath } from "./aftermath.ts"
import type { Found } from "./finding-list.ts"
import { FindingList } from "./finding-list.ts"
import type { PlacedRow } from "./placed-row.ts"
import { RowOrder } from "./row-order.ts"

export interface LogCheckOptions extends Pick<LogFoldOptions, "projections" | "lineAt"> {
  /** The version that the file's name states, or null where it states none. */
  readonly namedVersion: number | null
  /** Hex SHA-256 of a text in UTF-8. */
  readonly sha256: (text: string) => string
  /** Where the first row of a seq stands that was read before; asked once, for a fork. */
  readonly offsetOfSeq: (seq: number) => number
}

/** All that a check says of one log. */
export interface CheckOutcome {
  readonly header: LogHeader | null
  /** Whether the first line is a session header at all. */
  readonly isLog: boolean
  /** In the order of the log. */
  readonly found: readonly Found[]
  readonly counts: ReturnType<FindingList["counts"]>
  /** The first finding for which a reader refuses the log; null for a log that is read whole. */
  readonly refusal: Found | null
  /** Events that were read, whatever was found in them. */
  readonly eventCount: number
  /** Events before the first one that is refused. */
  readonly acceptedEvents: number
  /** Bytes after the last newline. */
  readonly tail: LineRange | null
}

interface Body {
  readonly fold: LogFold
  readonly lifecycle: LifecycleCheck
  readonly acceptance: AcceptanceCheck
  readonly order: RowOrder
  readonly aftermath: Aftermath
}

/**
 * Reads a log line by line and goes on behind whatever is wrong.
 *
 * shape   `line` takes the complete lines in order, `finish` the bytes after the last newline. One
 *         fault is not found again in all that follow: a row that is refused keeps its place on the
 *         surface and its part in turns and calls, what rests on an event that is missing or was
 *         refused is not said to be wrong, and where events are missing the rules between events
 *         are asked again from the next turn on. Of a second branch the rows alone are judged
 * cost    memory follows the live surface, what rules between events must remember, and what is
 *         missing or was refused
 * law     CK22, CK23, CK26 in properties/check.prop.ts: the first refusal is that of reading; a
 *         damaged log keeps its longest valid prefix; rows may be passed over
 */
export class LogCheck {
  private readonly options: LogCheckOptions
  private readonly findings: FindingList = new FindingList()
  private header: LogHeader | null = null
  private body: Body | null = null
  private isLog = false
  private row = 0
  private refusal: Found | null = null
  private accepted = Infinity
  private eventCount = 0
  private shadowedSeqs: readonly number[] | null = null

  constructor(options: LogCheckOptions) {
    this.options = options
  }

  /** Takes one complete line without its newline. */
  line(text: LineText, at: LineRange): void {
    const place: RowPlace = { row: this.row++, byteOffset: at.byteOffset }
    if (place.row === 0) this.begin(text, place)
    else if (this.body !== null) this.step(this.body, text, at, place)
  }

  /**
   * What may be passed over once the header is read; null where nothing may.
   *
   * @param known  skims of earlier logs by format, kept since one costs more than a short log
   */
  skim(known: Map<Format, RowSkim> = new Map()): RowSkim | null {
    const { body } = this
    if (body === null) return null
    const { format } = body.fold.header
    const skim = known.get(format) ?? this.newSkim(body)
    known.set(format, skim)
    return skim
  }

  // which types rules read is a matter of the format alone
  private newSkim(body: Body): RowSkim {
    return new RowSkim(
      body.fold.header.format,
      (type) => body.lifecycle.reads(type) || type === "turn/start" || type === "step/start",
    )
  }

  /** Takes a row that was passed over; false where it is no plain next one, and must be read. */
  passOver({ seq, count, timeMs, lastTimeMs }: RowSkim): boolean {
    const { body } = this
    if (body === null || !body.order.isPlainNext(seq)) return false
    body.fold.passOver(seq, count, timeMs, lastTimeMs)
    this.eventCount += count
    this.row++
    return true
  }

  /** Ends the log; `rest` are the bytes after its last newline. */
  finish(rest: LineRange): CheckOutcome {
    if (this.row === 0) this.refuse({ code: "not-a-log" }, { row: 0, byteOffset: 0 }, 0)
    if (this.body !== null) this.end(this.body, rest)
    return {
      header: this.header,
      isLog: this.isLog,
      found: this.findings.found(),
      counts: this.findings.counts(),
      refusal: this.refusal,
      eventCount: this.eventCount,
      acceptedEvents: Math.min(this.accepted, this.eventCount),
      tail: rest.byteLength > 0 ? rest : null,
    }
  }

  private begin(text: LineText, place: RowPlace): void {
    const { header, refusal, isLog } = openHeader(text, this.options.namedVersion)
    this.isLog = isLog
    this.header = header
    if (refusal !== null) this.refuse(refusal, place, 0)
    // a log under another name is no less of a log
    if (header !== null) this.body = this.bodyOf(header)
  }

  private bodyOf(header: LogHeader): Body {
    const { projections, lineAt, sha256 } = this.options
    const fold = new LogFold(header, {
      projections,
      lineAt,
      throughSeq: Infinity,
      onReplacement: ({ shadowedSeqs }) => {
        this.shadowedSeqs = shadowedSeqs
      },
    })
    const acceptance = new AcceptanceCheck(header.format)
    const order = new RowOrder({
      due: () => fold.surface.nextSeq,
      take: (row) => {
        if (this.body !== null) this.take(this.body, row)
      },
      skipTo: (seq) => {
        fold.surface.skipTo(seq)
        acceptance.lose()
        this.body?.aftermath.lose()
      },
      isLineBefore: ({ at: { byteOffset, byteLength } }, text) => {
        const before = byteOffset - 1 - byteLength
        return before > 0 && lineAt({ byteOffset: before, byteLength }) === text
      },
      misplaced: ({ row, place }) => {
        const expected = fold.surface.nextSeq
        this.refuse({ code: "seq-not-contiguous", seq: row.facts.seq, expected }, place, expected)
      },
    })
    const aftermath = new Aftermath(order.missing)
    return { fold, lifecycle: lifecycleCheck(header, sha256), acceptance, order, aftermath }
  }

  private step(body: Body, text: LineText, at: LineRange, place: RowPlace): void {
    const { header, surface } = body.fold
    const row = typeof text === "string" ? readRow(header.format, text) : left(text)
    if (isLeft(row)) {
      this.refuse(row.left, place, surface.nextSeq)
      const hasRuns = header.format.rules.packedRuns !== "none"
      // each event of a run takes a byte at least; else the row behind a torn one stands in its line
      body.order.lose(hasRuns ? Math.max(2, at.byteLength) : 2)
      return
    }
    this.eventCount += row.right.facts.count
    body.order.step({ row: row.right, at, place }, text)
  }

  private take(body: Body, { row, at, place }: PlacedRow): void {
    const { fold, lifecycle, acceptance, aftermath } = body
    const { facts, data } = row
    this.shadowedSeqs = null
    const refusal = fold.step(row, at)
    if (refusal !== null) {
      if (!aftermath.explains(refusal, data)) this.refuse(refusal, place, facts.seq)
      aftermath.refuse(facts, fold.pass(row, at))
    }
    aftermath.take(facts)
    // a refused row has its part in turns and calls, and only its refusal is shown
    for (const related of lifecycle.step(row, fold.surface, place))
      if (!aftermath.explains(related.refusal, data)) this.relate(aftermath, related)
    if (facts.kind === surfaceKind.none) return
    const isRefused = refusal !== null
    if (this.shadowedSeqs === null) acceptance.append(row, isRefused)
    else
      for (const finding of acceptance.replace(row, this.shadowedSeqs, isRefused))
        this.findings.add(finding, place)
  }

  private end({ fold, lifecycle, acceptance, order, aftermath }: Body, rest: LineRange): void {
    const end: RowPlace = { row: this.row, byteOffset: rest.byteOffset }
    const fork = order.end(rest.byteOffset, this.options.offsetOfSeq)
    for (const related of lifecycle.end()) this.relate(aftermath, related)
    if (fork !== null) {
      const { place, ...finding } = fork
      this.refuse(finding, place, fork.expected)
    }
    const atEnd = fold.endRefusal()
    // of a log that is not whole nobody knows how it ends
    const isWhole = aftermath.isEmpty && !order.isEndLost && !order.isForked
    if (atEnd !== null && isWhole) this.refuse(atEnd, end, fold.surface.nextSeq)
    if (order.isEndLost) acceptance.lose()
    for (const finding of acceptance.end()) this.findings.add(finding, end)
  }

  private relate(aftermath: Aftermath, { refusal, row, byteOffset }: LocatedRelation): void {
    if (!aftermath.silences(refusal)) this.refuse(refusal, { row, byteOffset }, refusal.seq)
  }

  /** Adds what a reader refuses the log for; `accepted` are the events before the one at fault. */
  private refuse(finding: Finding, place: RowPlace, accepted: number): void {
    this.accepted = Math.min(this.accepted, accepted)
    this.findings.add(finding, place)
    // what a later event decides may stand before what was found already
    if (this.refusal === null || place.row < this.refusal.row)
      this.refusal = { finding, row: place.row, byteOffset: place.byteOffset }
  }
}
