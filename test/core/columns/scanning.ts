import { isUtf8 } from "node:buffer"
import type { DigestKey } from "#core/columns/digest"
import type { RangeScan, RangeStop } from "#core/columns/row-columns"
import { numbersPerSample, sourcesAt } from "#core/columns/row-columns"
import { Lexer } from "#core/columns/lexer"
import { Scanner } from "#core/columns/scanner"
import type { LineText } from "#core/fold/log-reading"
import { formats } from "#core/format/catalog"
import type { Format, FormatVersion } from "#core/format/format"

const newline = 10
const slackBytes = 8

/** Any two numbers: tests that compare digests compare them under one key. */
export const testKey: DigestKey = [0x1234_5678, -0x0765_4321]

export interface ScanOptions {
  /** Whether lines in plain layout are read without the parser. */
  readonly isFast: boolean
  readonly throughSeq?: number
  readonly withRequests?: boolean
  readonly key?: DigestKey
  /** Numbers of the lines that begin a block; modulo what there is. */
  readonly cuts?: readonly number[]
  /** Place of the first byte in the log. */
  readonly byteOffset?: number
  /** Called with each block as it was scanned. */
  readonly onRange?: (scan: RangeScan) => boolean
}

const formatOf = (version: FormatVersion): Format => {
  const format = formats[version]
  if (format === undefined) throw new RangeError(`no format ${version}`)
  return format
}

/** Where the lines of some bytes begin, and where the last one ends. */
export const lineStarts = (bytes: Buffer): readonly number[] => {
  const starts = [0]
  for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1))
    starts.push(at + 1)
  return starts
}

/** The bytes of some lines, each with its newline. */
export const bytesOf = (lines: readonly (Buffer | string)[]): Buffer =>
  Buffer.concat(lines.flatMap((line) => [Buffer.from(line as string), Buffer.from("\n")]))

/** The text of some bytes, or that they have none. */
export const textIn = (bytes: Buffer, from: number, to: number): LineText =>
  isUtf8(bytes.subarray(from, to)) ? bytes.toString("utf8", from, to) : { code: "invalid-utf8" }

/** Scans complete lines, block by block, each in a buffer of its own. */
export const scanRanges = (
  version: FormatVersion,
  bytes: Buffer,
  options: ScanOptions,
): Scanner => {
  const starts = lineStarts(bytes)
  const chosen = (options.cuts ?? []).map((cut) => starts[cut % starts.length] ?? 0)
  const end = starts.at(-1) ?? 0
  const places = [...new Set([0, ...chosen, end])].toSorted((a, b) => a - b)
  let block: Buffer = Buffer.alloc(0)
  const scanner = new Scanner({
    format: formatOf(version),
    digestKey: options.key ?? testKey,
    throughSeq: options.throughSeq ?? Infinity,
    withRequests: options.withRequests ?? false,
    textAt: (from, to) => textIn(block, from, to),
  })
  for (const [i, to] of places.slice(1).entries()) {
    const from = places[i] ?? 0
    // the bytes before and behind belong to nobody: any will do
    const before = i % 3
    block = Buffer.alloc(before + to - from + slackBytes, i % 2 === 0 ? '"' : "0")
    bytes.copy(block, before, from, to)
    const isPlain = options.isFast && isUtf8(bytes.subarray(from, to))
    const byteOffset = (options.byteOffset ?? 0) + from - before
    scanner.scan(block, before, before + to - from, isPlain, byteOffset)
    if (options.onRange?.(scanner.take()) === false || scanner.isStopped) break
  }
  return scanner
}

/** All that was found in some ranges, as one: plain values that can be compared. */
export interface Found {
  readonly rows: readonly object[]
  readonly digests: readonly number[]
  readonly samples: readonly (readonly number[])[]
  readonly counts: Omit<RangeScan["counts"], "fallbackCount">
  readonly fallbackCount: number
  readonly stop: RangeStop | null
}

const rowsOf = ({ rows }: RangeScan): readonly object[] =>
  Array.from({ length: rows.rowCount }, (_, row) => ({
    seq: rows.seqs[row],
    type: rows.types[row],
    op: rows.ops[row],
    start: rows.starts[row],
    end: rows.ends[row],
    sources: sourcesAt(rows, row),
    tokens: rows.tokens[row],
    derives: rows.derives[row],
    byteOffset: rows.byteOffsets[row],
    byteLength: rows.byteLengths[row],
  }))

const samplesOf = ({ rows }: RangeScan, rowsBefore: number): readonly (readonly number[])[] =>
  Array.from({ length: rows.sampleLength / numbersPerSample }, (_, i) => {
    const at = i * numbersPerSample
    const [row = NaN, ...rest] = rows.samples.subarray(at, at + numbersPerSample)
    return [row + rowsBefore, ...rest]
  })

export const noneFound: Found = {
  rows: [],
  digests: [],
  samples: [],
  counts: {
    eventCount: 0,
    turnCount: 0,
    stepCount: 0,
    firstSeq: NaN,
    firstTimeMs: NaN,
    lastTimeMs: NaN,
    lineCount: 0,
  },
  fallbackCount: 0,
  stop: null,
}

/** Adds a range to those before it. */
const joined = (before: Found, scan: RangeScan): Found => {
  const { counts, stop } = scan
  const isFirst = before.counts.eventCount === 0
  const isEmpty = counts.eventCount === 0
  return {
    rows: [...before.rows, ...rowsOf(scan)],
    digests: [...before.digests, ...scan.rows.digests.subarray(0, scan.rows.rowCount)],
    samples: [...before.samples, ...samplesOf(scan, before.rows.length)],
    counts: {
      eventCount: before.counts.eventCount + counts.eventCount,
      turnCount: before.counts.turnCount + counts.turnCount,
      stepCount: before.counts.stepCount + counts.stepCount,
      firstSeq: isFirst ? counts.firstSeq : before.counts.firstSeq,
      firstTimeMs: isFirst ? counts.firstTimeMs : before.counts.firstTimeMs,
      lastTimeMs: isEmpty ? before.counts.lastTimeMs : counts.lastTimeMs,
      lineCount: before.counts.lineCount + counts.lineCount,
    },
    fallbackCount: before.fallbackCount + counts.fallbackCount,
    stop: stop === null ? null : { ...stop, line: before.counts.lineCount + stop.line },
  }
}

export interface FoundOptions extends ScanOptions {
  /** What was found in earlier ranges. */
  readonly before?: Found
}

/** What one scanner finds in complete lines. */
export const scanned = (version: FormatVersion, bytes: Buffer, options: FoundOptions): Found => {
  let found = options.before ?? noneFound
  scanRanges(version, bytes, {
    ...options,
    onRange: (scan) => {
      found = joined(found, scan)
      return options.onRange?.(scan) !== false
    },
  })
  return found
}

const lexer = new Lexer()

/** A lexer that stands on a text, and the bytes of the text. */
export const lexerOf = (text: string): { readonly lexer: Lexer; readonly length: number } => {
  // whatever stands behind the newline is nothing to it
  lexer.bind(Buffer.from(`${text}\n"0123456`))
  return { lexer, length: Buffer.byteLength(text) }
}
