import { readSync } from "node:fs"
import { readFully } from "../../core/log/read-fully.ts"
import type { OpenContainer } from "./container.ts"

const windowBytes = 1024 * 1024

/** Bytes of a file or of memory, by their place. */
export interface ByteWindow {
  readonly byteCount: number
  /**
   * Up to `length` bytes from `start`, fewer at the end. They are valid until the next call.
   *
   * cost    one buffer of 1 MiB, or of the longest view; bytes that follow each other are read once
   */
  readonly view: (start: number, length: number) => Uint8Array
}

/** A window on a file, read by `pread`. */
export const fileWindow = ({ descriptor, byteCount }: OpenContainer): ByteWindow => {
  let buffer = Buffer.allocUnsafe(Math.min(windowBytes, byteCount))
  // buffer[0] is the byte at base of the file; bytes up to `filled` are in
  let base = 0
  let filled = 0
  const view = (start: number, asked: number): Uint8Array => {
    const length = Math.max(0, Math.min(asked, byteCount - start))
    if (start < base || start + length > base + filled) {
      if (length > buffer.length) buffer = Buffer.allocUnsafe(length)
      base = start
      filled = readFully(
        (into, room, at) => readSync(descriptor, buffer, into, room, at),
        0,
        Math.min(buffer.length, byteCount - start),
        start,
      )
    }
    // a file that shrank gives fewer
    return buffer.subarray(start - base, Math.min(start - base + length, filled))
  }
  return { byteCount, view }
}

/** A window on bytes that are in memory. */
export const memoryWindow = (bytes: Uint8Array): ByteWindow => ({
  byteCount: bytes.length,
  view: (start, length) => bytes.subarray(start, start + length),
})
