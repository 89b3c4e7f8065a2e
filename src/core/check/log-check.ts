import { isLeft } from "fp-ts/lib/Either.js"
import { RowSkim } from "../columns/row-skim.ts"
import type { Refusal } from "../data/refusal.ts"
import type { LineRange, LogFoldOptions, Replacement } from "../fold/log-fold.ts"
import { LogFold } from "../fold/log-fold.ts"
import type { LineText } from "../fold/log-reading.ts"
import { openHeader } from "../fold/open-header.ts"
import { lifecycleCheck } from "../format/lifecycle/check.ts"
import type { LifecycleCheck } from "../format/lifecycle/check.ts"
import type { RowPlace } from "../format/lifecycle/findings.ts"
import type { LogHeader } from "../log/header.ts"
import type { LogRow } from "../log/row.ts"
import { readRow } from "../log/row.ts"
import { AcceptanceCheck } from "./acceptance-check.ts"
import type { Found } from "./finding-list.ts"
import { FindingList, findingSeq, isRefusing } from "./finding-list.ts"
import { Sequence } from "./sequence.ts"

export interface LogCheckOptions extends Pick<LogFoldOptions, "projections" | "lineAt"> {
  /** The version that the file's name states, or null where it states none. */
  readonly namedVersion: number | null
  /** Hex SHA-256 of a text in UTF-8. */
  readonly sha256: (text: string) => string
  /** Where the first row of a seq stands that was read before. */
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
}

/**
 * Reads a log line by line and goes on behind whatever is wrong.
 *
 * shape   `line` takes the complete lines in order, `finish` the bytes after the last newline. A row
 *         that is refused keeps its place on the surface, so that one fault is not found again in
 *         all that follow; of a second branch the rows alone are judged
 * cost    memory follows the live surface, and what rules between events must remember
 * law     CK1, CK2 in properties/check.prop.ts: the first refusal is that of reading; a damaged log
 *         has a finding and keeps its longest valid prefix
 */
export class LogCheck {
  private readonly options: LogCheckOptions
  private readonly findings: FindingList = new FindingList()
  private readonly sequence: Sequence = new Sequence()
  private header: LogHeader | null = null
  private body: Body | null = null
  private isLog = false
  private row = 0
  private accepted = Infinity
  private eventCount = 0
  // after a line that is no row nobody knows how many events it held
  private isLost = false
  private isReplacing = false

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
    const isNext = body !== null && !this.isLost && body.fold.surface.nextSeq === seq
    if (!isNext || this.sequence.isForked) return false
    body.fold.passOver(seq, count, timeMs, lastTimeMs)
    this.sequence.forgetLine()
    this.eventCount += count
    this.row++
    return true
  }

  /** Ends the log; `rest` are the bytes after its last newline. */
  finish(rest: LineRange): CheckOutcome {
    if (this.row === 0) this.refuse({ code: "not-a-log" }, { row: 0, byteOffset: 0 })
    if (this.body !== null) this.end(this.body, rest)
    const found = this.findings.found()
    const refusal = found.find(({ finding }) => isRefusing(finding)) ?? null
    return {
      header: this.header,
      isLog: this.isLog,
      found,
      counts: this.findings.counts(),
      refusal,
      eventCount: this.eventCount,
      acceptedEvents: Math.min(this.accepted, this.eventCount),
      tail: rest.byteLength > 0 ? rest : null,
    }
  }

  private begin(text: LineText, place: RowPlace): void {
    const opened = openHeader(text, this.options.namedVersion)
    this.isLog = opened.isLog
    this.header = opened.header
    if (opened.refusal !== null) this.refuse(opened.refusal, place)
    // a log under another name is no less of a log
    if (opened.header !== null) this.body = this.bodyOf(opened.header)
  }

  private bodyOf(header: LogHeader): Body {
    const { projections, lineAt, sha256 } = this.options
    const fold = new LogFold(header, {
      projections,
      lineAt,
      throughSeq: Infinity,
      onReplacement: (replacement) => this.onReplacement(replacement),
    })
    return {
      fold,
      lifecycle: lifecycleCheck(header, sha256),
      acceptance: new AcceptanceCheck(fold.surface),
    }
  }

  private onReplacement({ shadowedSeqs }: Replacement): void {
    this.body?.acceptance.forget(shadowedSeqs)
    this.isReplacing = true
  }

  private step(body: Body, text: LineText, at: LineRange, place: RowPlace): void {
    const { fold } = body
    const row = typeof text === "string" ? readRow(fold.header.format, text) : null
    if (typeof text !== "string" || row === null || isLeft(row)) {
      if (typeof text !== "string") this.refuse(text, place)
      else if (row !== null && isLeft(row)) this.refuse(row.left, place)
      this.isLost = true
      return
    }
    const { facts } = row.right
    this.eventCount += facts.count
    const expected = fold.surface.nextSeq
    const wasForked = this.sequence.isForked
    const step = this.sequence.step(facts.seq, facts.count, expected, text, place)
    if (step !== "next" && !wasForked && !(step === "after-gap" && this.isLost))
      this.refuse({ code: "seq-not-contiguous", seq: facts.seq, expected }, place)
    if (step === "after-gap") fold.surface.skipTo(facts.seq)
    if (step === "next" || step === "after-gap") this.take(body, row.right, at, place)
  }

  private take(
    { fold, lifecycle, acceptance }: Body,
    row: LogRow,
    at: LineRange,
    place: RowPlace,
  ): void {
    this.isLost = false
    this.isReplacing = false
    const refusal = fold.step(row, at)
    if (refusal === null)
      for (const related of lifecycle.step(row, fold.surface, place))
        this.refuse(related.refusal, related)
    else {
      this.refuse(refusal, place)
      fold.pass(row, at)
    }
    for (const finding of acceptance.step(row, this.isReplacing)) this.findings.add(finding, place)
  }

  private end({ fold, lifecycle, acceptance }: Body, rest: LineRange): void {
    const end: RowPlace = { row: this.row, byteOffset: rest.byteOffset }
    for (const related of lifecycle.end()) this.refuse(related.refusal, related)
    const fork = this.sequence.finding(rest.byteOffset, this.options.offsetOfSeq)
    if (fork !== null) {
      const { place, ...finding } = fork
      this.refuse(finding, place)
    }
    const atEnd = fold.endRefusal()
    if (atEnd !== null && fork === null) this.refuse(atEnd, end)
    for (const finding of acceptance.end()) this.findings.add(finding, end)
  }

  private refuse(finding: Refusal | Found["finding"], place: RowPlace): void {
    const seq = findingSeq(finding)
    const due = this.body?.fold.surface.nextSeq ?? 0
    // late findings name an event that was taken long ago
    this.accepted = Math.min(this.accepted, seq === null ? due : Math.min(seq, due))
    this.findings.add(finding, place)
  }
}
