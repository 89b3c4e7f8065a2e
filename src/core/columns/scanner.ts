import { isLeft } from "fp-ts/lib/Either.js"
import type { JsonValue } from "../data/json.ts"
import type { Refusal } from "../data/refusal.ts"
import type { LineText } from "../fold/line-text.ts"
import type { Format } from "../format/format.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { EventFacts } from "../log/event-facts.ts"
import { offSurfaceFacts } from "../log/event-facts.ts"
import { runPrefix } from "../log/packed-run.ts"
import { payloadRefusal } from "../log/payload.ts"
import { turnStepOf } from "../log/turn-step.ts"
import { readRow } from "../log/row.ts"
import { derivesMessage, eventMessage } from "../messages/event-message.ts"
import { messageTokens } from "../tokens/estimate.ts"
import { isFinish, requestMark } from "../request/request-points.ts"
import type { UsageSample } from "../tokens/usage.ts"
import { bucketsOf, usageSample } from "../tokens/usage.ts"
import type { DigestKey } from "./digest.ts"
import type { RangeCounts, RangeScan, RangeStop } from "./row-columns.ts"
import { RowWriter } from "./row-columns.ts"
import { chunkType, RequestMarks, stepStartType } from "./request-marks.ts"
import { ReportScan } from "./report-scan.ts"
import { RowScan } from "./row-scan.ts"
import { RunScan } from "./run-scan.ts"

export interface ScannerOptions {
  readonly format: Format
  readonly digestKey: DigestKey
  /** Last seq to accept; Infinity for all. */
  readonly throughSeq: number
  /** Whether rows are kept that tell where requests were sent. */
  readonly withRequests: boolean
  /** The text of the bytes of the bound block, or why they have none. */
  readonly textAt: (from: number, to: number) => LineText
}

/** Type index of a row that no vocabulary names; such rows are kept only where they are refused. */
const unknownType = 255

const noBuckets: readonly number[] = []
const noExtras = { tokens: 0, derives: false, digest: 0 } as const

const newline = 10

/**
 * Fills columns from the bytes of a range of a log.
 *
 * shape   `scan` takes blocks of complete lines in order; `take` gives what was found since. Rows
 *         that no fold needs are checked, counted and dropped
 * errors  none: a refused row ends the range, and is its `stop`
 * law     CO1 in properties/columns.prop.ts: the same columns, counts and refusals as by the
 *         parser alone, for any bytes and any blocks
 */
export class Scanner {
  private readonly options: ScannerOptions
  private readonly rows: RowScan
  private readonly runs: RunScan
  private readonly report: ReportScan
  private readonly marks: RequestMarks = new RequestMarks()
  private readonly writer: RowWriter = new RowWriter()
  private readonly typeIndex: ReadonlyMap<string, number>
  private throughSeq: number
  private nextSeq = NaN
  private eventCount = 0
  private turnCount = 0
  private stepCount = 0
  private firstSeq = NaN
  private firstTimeMs = NaN
  private lastTimeMs = NaN
  private lineCount = 0
  private fallbackCount = 0
  private stop: RangeStop | null = null

  constructor(options: ScannerOptions) {
    this.options = options
    this.throughSeq = options.throughSeq
    this.rows = new RowScan(options.format, options.digestKey)
    this.runs = new RunScan(this.rows.lexer)
    this.report = new ReportScan(this.rows)
    this.marks.begin(options.withRequests)
    const { vocabulary } = options.format.rules
    this.typeIndex = new Map(vocabulary.map((type, index) => [type, index] as const))
  }

  /** Turns to another log of the same format, or to another range. */
  begin({
    digestKey,
    throughSeq,
    withRequests,
  }: Pick<ScannerOptions, "digestKey" | "throughSeq" | "withRequests">): void {
    this.take()
    this.rows.key = digestKey
    this.throughSeq = throughSeq
    this.marks.begin(withRequests)
    this.nextSeq = NaN
    this.lastTimeMs = NaN
    this.stop = null
  }

  get isStopped(): boolean {
    return this.stop !== null
  }

  /**
   * Scans the complete lines of a block.
   *
   * @param bytes  the block; at least 8 readable bytes follow `to`
   * @param to  behind the last newline
   * @param isUtf8  whether the lines are known to be valid UTF-8; if not, the parser reads them all
   * @param byteOffset  place of the block's first byte in the log
   */
  scan(bytes: Uint8Array, from: number, to: number, isUtf8: boolean, byteOffset: number): void {
    this.rows.lexer.bind(bytes)
    for (let at = from; at < to && this.stop === null;) {
      const end = isUtf8 ? this.line(at, byteOffset) : -1
      at = end >= 0 ? end + 1 : this.parse(bytes, at, byteOffset)
      this.lineCount++
    }
  }

  /** A line of which the bytes are not at hand. */
  refuse(refusal: Refusal, byteOffset: number): void {
    this.stop = { refusal, isPlanned: false, line: this.lineCount, byteOffset }
    this.lineCount++
  }

  /** What was found since the last call. The rows are a view, valid until the next scan. */
  take(): RangeScan {
    const counts: RangeCounts = {
      eventCount: this.eventCount,
      turnCount: this.turnCount,
      stepCount: this.stepCount,
      firstSeq: this.firstSeq,
      firstTimeMs: this.firstTimeMs,
      lastTimeMs: this.lastTimeMs,
      lineCount: this.lineCount,
      fallbackCount: this.fallbackCount,
    }
    const scan: RangeScan = { rows: this.writer.view(), counts, stop: this.stop }
    this.writer.clear()
    this.eventCount = 0
    this.turnCount = 0
    this.stepCount = 0
    this.firstSeq = NaN
    this.firstTimeMs = NaN
    this.lineCount = 0
    this.fallbackCount = 0
    return scan
  }

  // a line in plain layout: its newline, or −1 with nothing changed
  private line(from: number, byteOffset: number): number {
    const { rows, runs } = this
    const end = rows.row(from)
    if (end < 0) {
      const runEnd = this.options.format.rules.packedRuns === "none" ? -1 : runs.row(from)
      if (runEnd < 0 || !this.fits(runs.seq, runs.count)) return -1
      if (this.marks.isNews("chunk", false)) this.keepRun(byteOffset + from, runEnd - from)
      return this.count(runs.seq, runs.count, runs.timeMs, runs.lastTimeMs, runEnd)
    }
    const { entry, seq, timeMs } = rows
    if (!this.fits(seq, 1)) return -1
    const report = this.report.read()
    if (report === "unclear") return -1
    const isStart = this.marks.isOn && entry.type === stepStartType
    if (isStart && !this.report.isPlaced()) return -1
    if (
      this.marks.isNews(entry.mark, this.marks.isOn && this.report.isFinish()) ||
      entry.isKept ||
      report === "usage"
    ) {
      this.writer.row(rows.facts(), entry.index, {
        tokens: rows.tokens,
        derives: rows.derives,
        digest: rows.digest,
        byteOffset: byteOffset + from,
        byteLength: end - from,
      })
      const { turn, step, buckets } = this.report
      if (report === "usage") this.writer.sample(turn, step, timeMs, buckets)
      if (isStart) this.writer.sample(turn, step, timeMs, noBuckets)
    }
    if (entry.counts === "turn") this.turnCount++
    else if (entry.counts === "step") this.stepCount++
    return this.count(seq, 1, timeMs, timeMs, end)
  }

  // the expected seq, and wholly inside the prefix; the parser's path says what else there is
  private fits(seq: number, count: number): boolean {
    return !(seq !== this.nextSeq && !Number.isNaN(this.nextSeq)) && seq + count <= this.throughSeq
  }

  private count(
    seq: number,
    count: number,
    timeMs: number,
    lastTimeMs: number,
    end: number,
  ): number {
    if (Number.isNaN(this.firstSeq)) {
      this.firstSeq = seq
      this.firstTimeMs = timeMs
    }
    this.nextSeq = seq + count
    this.eventCount += count
    this.lastTimeMs = lastTimeMs
    return end
  }

  // a run stands for the chunks in it
  private keepRun(byteOffset: number, byteLength: number): void {
    const { seq, timeMs } = this.runs
    const index = this.typeIndex.get(chunkType) ?? unknownType
    this.writer.row(offSurfaceFacts(chunkType, seq, timeMs), index, {
      ...noExtras,
      byteOffset,
      byteLength,
    })
  }

  private sample({ turn, step, usage }: UsageSample, timeMs: number): void {
    const buckets = usage === null ? [] : bucketsOf(usage)
    this.writer.sample(turn, step, timeMs, buckets)
  }

  // a line by the parser: the place behind its newline
  private parse(bytes: Uint8Array, from: number, byteOffset: number): number {
    this.fallbackCount++
    const end = bytes.indexOf(newline, from)
    const place = byteOffset + from
    const text = this.options.textAt(from, end)
    const row = typeof text === "string" ? readRow(this.options.format, text) : null
    if (row === null || isLeft(row)) {
      const refusal = row === null ? (text as Exclude<LineText, string>) : row.left
      this.stop = { refusal, isPlanned: false, line: this.lineCount, byteOffset: place }
      return end + 1
    }
    const { facts, data, value } = row.right
    const isNext = Number.isNaN(this.nextSeq) || facts.seq === this.nextSeq
    // a refused row is the last one, and the planner judges it before its payload is judged
    const refusal: Refusal | null = isNext
      ? payloadRefusal(this.options.format, facts, data)
      : { code: "seq-not-contiguous", seq: facts.seq, expected: this.nextSeq }
    // of a range that begins beyond the prefix one event is counted, so that the seam shows it
    const room = Math.max(1, this.throughSeq - facts.seq + 1)
    const cut = facts.count > room ? runPrefix(facts, value, room) : facts
    this.keep(cut, data, place, end - from, refusal !== null)
    if (refusal !== null)
      this.stop = { refusal, isPlanned: true, line: this.lineCount, byteOffset: place }
    else {
      this.count(cut.seq, cut.count, cut.timeMs, cut.lastTimeMs, end)
      if (facts.type === "turn/start") this.turnCount++
      else if (facts.type === "step/start") this.stepCount++
      if (cut.seq + cut.count > this.throughSeq)
        this.stop = { refusal: null, isPlanned: false, line: this.lineCount, byteOffset: place }
    }
    return end + 1
  }

  private keep(
    facts: EventFacts,
    data: JsonValue,
    byteOffset: number,
    byteLength: number,
    isRefused: boolean,
  ): void {
    const isMark =
      !isRefused && this.marks.isNews(requestMark(facts.type), isFinish(facts.type, data))
    const isRun = isMark && !this.typeIndex.has(facts.type)
    const type = this.typeIndex.get(isRun ? chunkType : facts.type) ?? unknownType
    const sample = isRefused ? null : usageSample(facts.type, data)
    const isNeeded = isRefused || isMark || sample !== null || this.isRead(facts)
    if (!isNeeded) return
    const message = eventMessage(facts.kind, data)
    this.writer.row(facts, type, {
      tokens: message === null ? 0 : messageTokens(facts.kind, message),
      derives: message !== null && derivesMessage(facts.kind, message),
      digest: 0,
      byteOffset,
      byteLength,
    })
    const { timeMs } = facts
    if (sample !== null) this.sample(sample, timeMs)
    const { turn, step } = turnStepOf(data)
    if (isMark && facts.type === stepStartType) this.writer.sample(turn, step, timeMs, noBuckets)
  }

  private isRead(facts: EventFacts): boolean {
    return (
      facts.kind !== surfaceKind.none ||
      facts.type === "request/header" ||
      facts.type === "session/end-seed" ||
      this.options.format.projections.has(facts.type) ||
      // what may not stand on this event: the planner refuses it
      facts.op !== 0 ||
      facts.sources !== null
    )
  }
}
