import { isUtf8 } from "node:buffer"
import { randomBytes } from "node:crypto"
import { digestKeyOf } from "../core/columns/digest.ts"
import type { RangeScan } from "../core/columns/row-columns.ts"
import type { ScannerOptions } from "../core/columns/scanner.ts"
import { Scanner } from "../core/columns/scanner.ts"
import type { LineRange } from "../core/log/line-range.ts"
import type { LogOutcome, LogReading } from "../core/fold/log-reading.ts"
import type { Format } from "../core/format/format.ts"
import type { OpenLog } from "./log-file.ts"
import type { BlockSink } from "./log-lines.ts"
import { blockText, linesOf, readBlocks, releaseBlock } from "./log-lines.ts"
import type { Watermark } from "./watermark.ts"
import { tailBefore } from "./watermark.ts"
import type { ByteRange } from "./task-protocol.ts"

const newline = 10

// one worker, one key: digests are compared within a log, and a log is scanned under one key
const digestKey = digestKeyOf(randomBytes(8))

// what a scanner knows of its format is worth more than a short log
const scanners: Map<Format, Scanner> = new Map()

/** The scanner of a format, turned to a log. One log is scanned at a time. */
const scannerOf = (options: Omit<ScannerOptions, "textAt">): Scanner => {
  const { format } = options
  const known = scanners.get(format)
  if (known !== undefined) {
    known.begin(options)
    return known
  }
  const scanner = new Scanner({ ...options, textAt: blockText })
  scanners.set(format, scanner)
  return scanner
}

/** How far a log is scanned, and what for. */
export type PrefixOptions = Pick<ScannerOptions, "throughSeq" | "withRequests">

/**
 * Reads a log by the scanner, block by block.
 *
 * shape   the outcome of the reading; null when something in the log would be refused: why, only
 *         the parser can say, line by line, in a reading of its own
 */
export const scanLog = (
  log: OpenLog,
  reading: LogReading,
  options: PrefixOptions,
): LogOutcome | null => {
  let scanner: Scanner | null = null
  let isRefused = false
  const sink: BlockSink = {
    tooLong: () => {
      isRefused = true
      return false
    },
    block: (bytes, from, to, byteOffset) => {
      let start = from
      if (scanner === null) {
        const end = bytes.indexOf(newline, from)
        const at: LineRange = { byteOffset: byteOffset + from, byteLength: end - from }
        reading.line(blockText(from, end), at)
        const header = reading.openHeader
        if (header === null) return false
        scanner = scannerOf({ ...options, format: header.format, digestKey })
        start = end + 1
      }
      scanner.scan(bytes, start, to, isUtf8(bytes.subarray(start, to)), byteOffset)
      isRefused = !reading.range(scanner.take())
      return !isRefused && !scanner.isStopped
    },
  }
  const rest = readBlocks(log.descriptor, { from: 0, to: log.byteCount }, sink)
  return isRefused ? null : reading.finish(rest)
}

/**
 * Goes on with a log that was read before, from its watermark.
 *
 * shape   null where the bytes before it are not the same, and where something behind it would be
 *         refused: the whole log is to be read then
 */
export const resumeLog = (
  log: OpenLog,
  reading: LogReading,
  watermark: Watermark,
): { readonly outcome: LogOutcome; readonly readBytes: number } | null => {
  const { byteOffset, headerLength } = watermark
  if (byteOffset > log.byteCount) return null
  const tail = tailBefore(log.descriptor, byteOffset)
  if (tail.sha256 !== watermark.tailSha256) return null
  const header = { byteOffset: 0, byteLength: headerLength }
  reading.line(linesOf(log.descriptor).read(header), header)
  const { format } = reading.openHeader ?? {}
  if (format === undefined || !reading.resume(watermark.reading)) return null
  const range = { from: byteOffset, to: log.byteCount }
  const { scan, rest } = scanRange(log, range, {
    format,
    digestKey,
    throughSeq: Infinity,
    withRequests: false,
  })
  if (!reading.range(scan)) return null
  const readBytes = tail.byteCount + headerLength + (range.to - range.from)
  return { outcome: reading.finish(rest), readBytes }
}

/** Scans a range of a log in one go; the columns are a view, valid until the next scan. */
export const scanRange = (
  log: OpenLog,
  range: ByteRange,
  options: Omit<ScannerOptions, "textAt">,
): { readonly scan: RangeScan; readonly rest: LineRange } => {
  const scanner = scannerOf(options)
  const rest = readBlocks(log.descriptor, range, {
    tooLong: (refusal, at) => {
      scanner.refuse(refusal, at.byteOffset)
      return false
    },
    block: (bytes, from, to, byteOffset) => {
      scanner.scan(bytes, from, to, isUtf8(bytes.subarray(from, to)), byteOffset)
      return !scanner.isStopped
    },
  })
  releaseBlock()
  return { scan: scanner.take(), rest }
}
