import { closeSync, fstatSync, readSync, statSync } from "node:fs"
import { LineWindow } from "../../core/fold/line-window.ts"
import type { LineRange } from "../../core/log/line-range.ts"
import type { SourceFault } from "../../core/fold/source-fault.ts"
import { errnoOf, faultOfErrno } from "../../core/fold/source-fault.ts"
import type { FileIdentity } from "../../core/log/file-identity.ts"
import { identityOf, isSameFile } from "../../core/log/file-identity.ts"
import { openToRead } from "./open-to-read.ts"

/** Lines of a log by their place, read when somebody asks. */
export interface LineSource {
  /** What the file was when it was opened. */
  readonly identity: FileIdentity
  readonly read: (line: LineRange) => string
  /** The place of the first newline at or after `from`, or null where none follows. */
  readonly newlineFrom: (from: number) => number | null
  /** Whether the log was written to, renamed or replaced since it was opened. */
  readonly isChanged: () => boolean
  readonly close: () => void
}

const newline = 10
// most lines are shorter
const searchedBytes = 16 * 1024

const decodeUtf8 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8")

const opened = (file: string): number | SourceFault => {
  try {
    return openToRead(file)
  } catch (cause) {
    const errno = errnoOf(cause)
    if (errno === null) throw cause
    return faultOfErrno(errno)
  }
}

/** Opens the lines of a file, or of a descriptor that stays open. */
export const lineSource = (file: string, descriptor: number | null): LineSource | SourceFault => {
  const open = descriptor ?? opened(file)
  if (typeof open !== "number") return open
  const identity = identityOf(fstatSync(open))
  const readAt = (bytes: Uint8Array, into: number, length: number, position: number): number =>
    readSync(open, bytes, into, length, position)
  const window = new LineWindow({ readAt, decodeUtf8 })
  const searched = Buffer.allocUnsafe(searchedBytes)
  return {
    identity,
    read: (line) => window.read(line),
    newlineFrom: (from) => {
      for (let at = from; at < identity.size;) {
        const read = readAt(searched, 0, searchedBytes, at)
        if (read === 0) return null
        const found = searched.subarray(0, read).indexOf(newline)
        if (found >= 0) return at + found
        at += read
      }
      return null
    },
    isChanged: () => {
      if (!isSameFile(identity, fstatSync(open))) return true
      if (descriptor !== null) return false
      const named = statSync(file, { throwIfNoEntry: false })
      return named === undefined || !isSameFile(identity, named)
    },
    close: () => {
      if (descriptor === null) closeSync(open)
    },
  }
}
