import { isLeft } from "fp-ts/lib/Either.js"
import { RowSkim } from "../columns/row-skim.ts"
import type { JsonValue } from "../data/json.ts"
import type { Finding } from "../data/relation-refusal.ts"
import { layerOf } from "../fold/code-layer.ts"
import type { LineText } from "../fold/line-text.ts"
import type { LineRange, LogFoldOptions } from "../fold/log-fold.ts"
import { LogFold } from "../fold/log-fold.ts"
import { openHeader } from "../fold/open-header.ts"
import { lifecycleCheck } from "../format/lifecycle/check.ts"
import type { LifecycleCheck } from "../format/lifecycle/check.ts"
import type { LocatedRelation, RowPlace } from "../format/lifecycle/findings.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { LogHeader } from "../log/header.ts"
import { readRow } from "../log/row.ts"
import { AcceptanceCheck } from "./acceptance-check.ts"
import { isAftermath } from "./aftermath.ts"
import type { Found } from "./finding-list.ts"
import { FindingList, isRefusing } from "./finding-list.ts"
import type { PlacedRow } from "./placed-row.ts"
import { RowOrder } from "./row-order.ts"
import { SeqRanges } from "./seq-ranges.ts"

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
 * law     CK22, CK23 in properties/check.prop.ts: the first refusal is that of reading; a damaged
 *         log has a finding and keeps its longest valid prefix
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
  private readonly refusedSeqs: SeqRanges = new SeqRanges()
  // replacements whose place on the surface is not known
  private readonly unplacedSeqs: SeqRanges = new SeqRanges()
  // events of a turn in which others are missing
  private readonly astraySeqs: SeqRanges = new SeqRanges()
  private isAstray = false
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

  /** What may be passed over once the header is read; null where nothing may. */
  skim(): RowSkim | null {
    const { body } = this
    if (body === null) return null
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
        this.isAstray = true
        fold.surface.skipTo(seq)
        acceptance.lose()
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
    return { fold, lifecycle: lifecycleCheck(header, sha256), acceptance, order }
  }

  private step(body: Body, text: LineText, at: LineRange, place: RowPlace): void {
    const { header, surface } = body.fold
    const row = typeof text === "string" ? readRow(header.format, text) : null
    if (typeof text !== "string" || row === null || isLeft(row)) {
      const refusal =
        typeof text !== "string" ? text : row !== null && isLeft(row) ? row.left : null
      if (refusal !== null) this.refuse(refusal, place, surface.nextSeq)
      const hasRuns = header.format.rules.packedRuns !== "none"
      // each event of a run takes a byte at least; else the row behind a torn one stands in its line
      body.order.lose(hasRuns ? Math.max(2, at.byteLength) : 2)
      return
    }
    this.eventCount += row.right.facts.count
    body.order.step({ row: row.right, at, place }, text)
  }

  private take(body: Body, { row, at, place }: PlacedRow): void {
    const { fold, lifecycle, acceptance } = body
    const { type, seq, count, kind } = row.facts
    this.shadowedSeqs = null
    const refusal = fold.step(row, at)
    if (refusal !== null) {
      if (!this.isAftermath(body, refusal, row.data)) this.refuse(refusal, place, seq)
      this.refusedSeqs.add(seq, count)
      if (!fold.pass(row, at)) this.unplacedSeqs.add(seq, count)
    }
    if (this.isAstray) this.astraySeqs.add(seq, count)
    if (type === "turn/start") this.isAstray = false
    // a refused row has its part in turns and calls, and only its refusal is shown
    for (const related of lifecycle.step(row, fold.surface, place))
      if (!this.isAftermath(body, related.refusal, row.data)) this.relate(related)
    if (kind === surfaceKind.none) return
    const isRefused = refusal !== null
    if (this.shadowedSeqs === null) acceptance.append(row, isRefused)
    else
      for (const finding of acceptance.replace(row, this.shadowedSeqs, isRefused))
        this.findings.add(finding, place)
  }

  private isAftermath({ order }: Body, finding: Finding, data: JsonValue): boolean {
    if (this.refusal === null) return false
    return isAftermath(finding, data, {
      isUnknown: (seq) => order.isMissing(seq) || this.refusedSeqs.has(seq),
      isShaken: (seq) => order.isMissingAfter(seq) || this.unplacedSeqs.hasAfter(seq),
    })
  }

  private end({ fold, lifecycle, acceptance, order }: Body, rest: LineRange): void {
    const end: RowPlace = { row: this.row, byteOffset: rest.byteOffset }
    const fork = order.end(rest.byteOffset, this.options.offsetOfSeq)
    for (const related of lifecycle.end()) this.relate(related)
    if (fork !== null) {
      const { place, ...finding } = fork
      this.refuse(finding, place, fork.expected)
    }
    const atEnd = fold.endRefusal()
    // of a log that is not whole nobody knows how it ends
    if (atEnd !== null && this.refusedSeqs.isEmpty && !order.isLossy)
      this.refuse(atEnd, end, fold.surface.nextSeq)
    if (order.isEndLost) acceptance.lose()
    for (const finding of acceptance.end()) this.findings.add(finding, end)
  }

  private relate({ refusal, row, byteOffset }: LocatedRelation): void {
    const { seq, code } = refusal
    const isAstray = layerOf(code) === "relationship" && this.astraySeqs.has(seq)
    if (!isAstray && !this.refusedSeqs.has(seq)) this.refuse(refusal, { row, byteOffset }, seq)
  }

  /** `accepted` are the events before the one that is refused. */
  private refuse(finding: Finding, place: RowPlace, accepted: number): void {
    this.accepted = Math.min(this.accepted, accepted)
    this.findings.add(finding, place)
    // what a later event decides may stand before what was found already
    if (isRefusing(finding) && (this.refusal === null || place.row < this.refusal.row))
      this.refusal = { finding, row: place.row, byteOffset: place.byteOffset }
  }
}
