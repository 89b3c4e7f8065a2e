import { isUtf8 } from "node:buffer"
import { readSync } from "node:fs"
import { LineWindow } from "../core/fold/line-window.ts"
import type { LineRange } from "../core/log/line-range.ts"
import { readFully } from "../core/log/read-fully.ts"
import type { LineText } from "../core/fold/log-reading.ts"
import type { ByteRange } from "./task-protocol.ts"

/** Longest line that is read, in bytes. */
export const maxLineBytes: number = 256 * 1024 * 1024

const newline = 10
// with its lines it stays in the cache that is next to the core
const firstBlockBytes = 256 * 1024
// what the scanner may read behind the last newline
const slackBytes = 8

// one block a worker, reused: a fresh buffer for each file costs more than reading it
let block: Buffer = Buffer.alloc(firstBlockBytes + slackBytes)

const room = (): number => block.length - slackBytes

const grow = (filled: number): void => {
  const longer = Buffer.alloc(Math.min(room() * 2, maxLineBytes + 1) + slackBytes)
  block.copy(longer, 0, 0, filled)
  block = longer
}

/** Gives back what a long line took, so that one does not stay with a worker for ever. */
export const releaseBlock = (): void => {
  if (room() > firstBlockBytes) block = Buffer.alloc(firstBlockBytes + slackBytes)
}

const fill = (descriptor: number, from: number, length: number, position: number): number =>
  readFully(
    (into, wanted, at) => readSync(descriptor, block, into, wanted, at),
    from,
    length,
    position,
  )

/** The text of some bytes of the block at hand. */
export const blockText = (start: number, end: number): LineText =>
  isUtf8(block.subarray(start, end)) ? block.toString("utf8", start, end) : { code: "invalid-utf8" }

/** Where the lines of a range of a file go. */
export interface BlockSink {
  /** Complete lines, from `from` to behind the newline before `to`; false ends the reading. */
  readonly block: (bytes: Buffer, from: number, to: number, byteOffset: number) => boolean
  /** A line that is too long to be read; false ends the reading. */
  readonly tooLong: (refusal: Exclude<LineText, string>, at: LineRange) => boolean
}

/**
 * Reads a range of a file in blocks that end with a newline.
 *
 * shape   the answer is what follows the last newline, empty when the range ends with one
 * cost    one reused block, as long as the longest line
 */
export const readBlocks = (descriptor: number, range: ByteRange, sink: BlockSink): LineRange => {
  // block[0] is the byte at lineStart of the file; bytes up to `filled` are in
  let lineStart = range.from
  let filled = 0
  let searched = 0
  // of a line that is too long only the length matters: its bytes are dropped as they come
  let dropped = 0
  for (;;) {
    const position = lineStart + dropped + filled
    const wanted = Math.min(room() - filled, range.to - position)
    const read = wanted > 0 ? fill(descriptor, filled, wanted, position) : 0
    if (read === 0) break
    filled += read
    let start = 0
    const first = dropped > 0 || filled > maxLineBytes ? firstNewline(searched, filled) : -1
    if (first >= 0 && first + dropped > maxLineBytes) {
      const at = { byteOffset: lineStart, byteLength: first + dropped }
      start = first + 1
      if (!sink.tooLong({ code: "line-too-long", limitBytes: maxLineBytes }, at))
        return { byteOffset: lineStart + at.byteLength + 1, byteLength: 0 }
      lineStart += at.byteLength + 1
      dropped = 0
    }
    const last = block.lastIndexOf(newline, filled - 1)
    if (last >= Math.max(start, searched)) {
      if (!sink.block(block, start, last + 1, lineStart - start))
        return { byteOffset: lineStart + last + 1 - start, byteLength: 0 }
      lineStart += last + 1 - start
      start = last + 1
    }
    block.copyWithin(0, start, filled)
    filled -= start
    searched = filled
    if (filled > maxLineBytes || dropped > 0) {
      dropped += filled
      filled = 0
      searched = 0
    } else if (filled === room()) grow(filled)
  }
  return { byteOffset: lineStart, byteLength: dropped + filled }
}

const firstNewline = (from: number, filled: number): number => {
  const found = block.indexOf(newline, from)
  // beyond `filled` the block holds bytes of earlier reads
  return found < filled ? found : -1
}

/** Reads a range of a file line by line; `onLine` says whether to go on. */
export const readLines = (
  descriptor: number,
  range: ByteRange,
  onLine: (text: LineText, at: LineRange) => boolean,
): LineRange => {
  let ended: LineRange | null = null
  const rest = readBlocks(descriptor, range, {
    tooLong: onLine,
    block: (bytes, from, to, byteOffset) => {
      for (let start = from; start < to;) {
        const end = bytes.indexOf(newline, start)
        const at = { byteOffset: byteOffset + start, byteLength: end - start }
        if (!onLine(blockText(start, end), at)) {
          ended = { byteOffset: at.byteOffset + at.byteLength + 1, byteLength: 0 }
          return false
        }
        start = end + 1
      }
      return true
    },
  })
  return ended ?? rest
}

const decodeUtf8 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")

/** The lines of a file that were read before, by their places. */
export const linesOf = (descriptor: number): LineWindow =>
  new LineWindow({
    readAt: (bytes, into, length, position) => readSync(descriptor, bytes, into, length, position),
    decodeUtf8,
  })
