import { isUtf8 } from "node:buffer"
import { readSync } from "node:fs"
import type { LineRange } from "../core/fold/log-fold.ts"
import { readFully } from "../core/log/read-fully.ts"
import type { LineText } from "../core/fold/log-reading.ts"

/** Longest line that is read, in bytes. */
export const maxLineBytes: number = 256 * 1024 * 1024

const newline = 10
const firstBlockBytes = 1024 * 1024

// one block a worker, reused: a fresh buffer for each file costs more than reading it
let block: Buffer = Buffer.allocUnsafe(firstBlockBytes)

const grow = (filled: number): void => {
  const longer = Buffer.allocUnsafe(Math.min(block.length * 2, maxLineBytes + 1))
  block.copy(longer, 0, 0, filled)
  block = longer
}

const fill = (descriptor: number, from: number, length: number, position: number): number =>
  readFully((into, room, at) => readSync(descriptor, block, into, room, at), from, length, position)

const textOf = (start: number, end: number): LineText =>
  isUtf8(block.subarray(start, end)) ? block.toString("utf8", start, end) : { code: "invalid-utf8" }

/**
 * Reads the first `byteCount` bytes of a file line by line.
 *
 * shape   `onLine` gets complete lines without their newline and says whether to go on; the answer
 *         is what follows the last newline, empty when the file ends with one
 * cost    one reused block, as long as the longest line
 */
export const readLines = (
  descriptor: number,
  byteCount: number,
  onLine: (text: LineText, at: LineRange) => boolean,
): LineRange => {
  // block[0] is the byte at lineStart of the file; bytes up to `filled` are in
  let lineStart = 0
  let filled = 0
  let searched = 0
  // of a line that is too long only the length matters: its bytes are dropped as they come
  let dropped = 0
  for (;;) {
    const position = lineStart + dropped + filled
    const wanted = Math.min(block.length - filled, byteCount - position)
    const read = wanted > 0 ? fill(descriptor, filled, wanted, position) : 0
    if (read === 0) break
    filled += read
    let start = 0
    for (;;) {
      const end = block.indexOf(newline, Math.max(start, searched))
      // beyond `filled` the block holds bytes of earlier reads
      if (end < 0 || end >= filled) break
      const byteLength = end - start + dropped
      const text: LineText =
        dropped > 0 || byteLength > maxLineBytes
          ? { code: "line-too-long", limitBytes: maxLineBytes }
          : textOf(start, end)
      if (!onLine(text, { byteOffset: lineStart, byteLength }))
        return { byteOffset: lineStart + byteLength + 1, byteLength: 0 }
      lineStart += byteLength + 1
      dropped = 0
      start = end + 1
    }
    block.copyWithin(0, start, filled)
    filled -= start
    searched = filled
    if (filled > maxLineBytes || dropped > 0) {
      dropped += filled
      filled = 0
      searched = 0
    } else if (filled === block.length) grow(filled)
  }
  return { byteOffset: lineStart, byteLength: dropped + filled }
}

/** Gives back what a long line took, so that one does not stay with a worker for ever. */
export const releaseBlock = (): void => {
  if (block.length > firstBlockBytes) block = Buffer.allocUnsafe(firstBlockBytes)
}

/** The text of a line that was read before. */
export const readLineAt = (descriptor: number, line: LineRange): string => {
  const bytes = Buffer.allocUnsafe(line.byteLength)
  const read = readFully(
    (into, room, at) => readSync(descriptor, bytes, into, room, at),
    0,
    bytes.length,
    line.byteOffset,
  )
  return bytes.toString("utf8", 0, read)
}
