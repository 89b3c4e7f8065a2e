import { createHash } from "node:crypto"
import { closeSync, openSync, writeSync } from "node:fs"

/** Where a log writes its lines; `line` has no newline of its own. */
export type LineSink = {
  readonly byteCount: number
  write(line: string): void
}

/** Size and digest of a finished file. */
export type Written = {
  readonly bytes: number
  readonly sha256: string
}

/** Keeps a log in memory, so that it can be forked and torn. */
export class MemorySink implements LineSink {
  private header = ""
  private readonly body: Buffer[] = []
  // Encoding many lines at once is cheaper than one by one.
  private lines = ""
  private encoded = 0
  private tail: Buffer = Buffer.alloc(0)

  get byteCount(): number {
    this.encode()
    return this.encoded
  }

  write(line: string): void {
    if (this.header === "") {
      this.header = line + "\n"
      this.encoded = Buffer.byteLength(this.header)
    } else {
      this.lines += line + "\n"
    }
  }

  /** Takes over the rows of another log, behind its own header. */
  copyBody(other: MemorySink): void {
    other.encode()
    for (const part of other.body) {
      this.body.push(part)
      this.encoded += part.length
    }
  }

  /** Puts bytes behind the last newline, as a crashed writer leaves them. */
  tear(bytes: Buffer): void {
    this.tail = bytes
  }

  toBuffer(): Buffer {
    this.encode()
    return Buffer.concat([Buffer.from(this.header), ...this.body, this.tail])
  }

  private encode(): void {
    if (this.lines === "") return
    const part = Buffer.from(this.lines)
    this.body.push(part)
    this.encoded += part.length
    this.lines = ""
  }
}

const blockBytes = 1 << 20
const linesUnits = 1 << 16
// No UTF-16 code unit needs more UTF-8 bytes than this.
const bytesPerUnit = 3

/** Streams a log to a file through one block; memory does not grow with the log. */
export class FileSink implements LineSink {
  private readonly file: number
  private readonly hash = createHash("sha256")
  private block = Buffer.alloc(blockBytes)
  private used = 0
  private flushed = 0
  private lines = ""

  constructor(path: string) {
    this.file = openSync(path, "w")
  }

  get byteCount(): number {
    this.encode()
    return this.flushed + this.used
  }

  write(line: string): void {
    this.lines += line + "\n"
    if (this.lines.length > linesUnits) this.encode()
  }

  close(): Written {
    const bytes = this.byteCount
    this.flush()
    closeSync(this.file)
    return { bytes, sha256: this.hash.digest("hex") }
  }

  private encode(): void {
    const worst = this.lines.length * bytesPerUnit
    if (worst > this.block.length - this.used) {
      this.flush()
      if (worst > this.block.length) this.block = Buffer.alloc(worst)
    }
    this.used += this.block.write(this.lines, this.used)
    this.lines = ""
  }

  private flush(): void {
    const bytes = this.block.subarray(0, this.used)
    this.hash.update(bytes)
    for (let at = 0; at < bytes.length;) at += writeSync(this.file, bytes, at)
    this.flushed += this.used
    this.used = 0
  }
}

export const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex")
