import { readFully } from "../log/read-fully.ts"
import type { LineRange } from "../log/line-range.ts"

export interface LineWindowOptions {
  /** Reads into `bytes` from `into` on, up to `length` bytes at `position`; the bytes read. */
  readonly readAt: (bytes: Uint8Array, into: number, length: number, position: number) => number
  readonly decodeUtf8: (bytes: Uint8Array) => string
}

// live lines mostly stand in the order of the log, many of them close together
const windowBytes = 256 * 1024

const noBytes = new Uint8Array()

/**
 * Lines that are read again, by their places.
 *
 * cost    one read for all lines of a window, where they are asked for in the order of the log;
 *         a read of its own for a line elsewhere
 */
export class LineWindow {
  private readonly options: LineWindowOptions
  private bytes: Uint8Array = noBytes
  // what of the log is in `bytes`; at first nothing, and no line is the next one
  private from = Infinity
  private to = Infinity

  constructor(options: LineWindowOptions) {
    this.options = options
  }

  /** The text of a line. */
  read({ byteOffset, byteLength }: LineRange): string {
    const end = byteOffset + byteLength
    if (byteOffset < this.from || end > this.to) {
      const isNext = byteOffset >= this.from && byteOffset - this.to < windowBytes
      if (byteLength > windowBytes || !isNext) return this.single(byteOffset, byteLength)
      if (this.bytes.length === 0) this.bytes = new Uint8Array(windowBytes)
      this.from = byteOffset
      this.to = byteOffset + this.fill(this.bytes, windowBytes, byteOffset)
    }
    const from = byteOffset - this.from
    const room = Math.min(byteLength, this.to - byteOffset)
    return this.options.decodeUtf8(this.bytes.subarray(from, from + room))
  }

  private single(byteOffset: number, byteLength: number): string {
    // the next line may be the first of many in order
    this.from = byteOffset
    this.to = byteOffset
    const bytes = new Uint8Array(byteLength)
    const read = this.fill(bytes, byteLength, byteOffset)
    return this.options.decodeUtf8(bytes.subarray(0, read))
  }

  private fill(bytes: Uint8Array, length: number, position: number): number {
    return readFully(
      (into, room, at) => this.options.readAt(bytes, into, room, at),
      0,
      length,
      position,
    )
  }
}
