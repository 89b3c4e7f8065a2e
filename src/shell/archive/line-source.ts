import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs"
import type { LineRange } from "../../core/fold/log-fold.ts"
import type { SourceFault } from "../../core/fold/source-fault.ts"
import { errnoOf, faultOfErrno } from "../../core/fold/source-fault.ts"
import type { FileIdentity } from "../../core/log/file-identity.ts"
import { identityOf, isSameFile } from "../../core/log/file-identity.ts"
import { readFully } from "../../core/log/read-fully.ts"

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

const openToRead = (file: string): number | SourceFault => {
  try {
    // without NONBLOCK, opening a FIFO would wait for somebody to write to it
    return openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (cause) {
    const errno = errnoOf(cause)
    if (errno === null) throw cause
    return faultOfErrno(errno)
  }
}

/** Opens the lines of a file, or of a descriptor that stays open. */
export const lineSource = (file: string, descriptor: number | null): LineSource | SourceFault => {
  const opened = descriptor ?? openToRead(file)
  if (typeof opened !== "number") return opened
  const identity = identityOf(fstatSync(opened))
  const bytesAt = (byteOffset: number, byteLength: number): Buffer => {
    const bytes = Buffer.allocUnsafe(byteLength)
    const read = readFully(
      (into, room, at) => readSync(opened, bytes, into, room, at),
      0,
      byteLength,
      byteOffset,
    )
    return bytes.subarray(0, read)
  }
  return {
    identity,
    read: ({ byteOffset, byteLength }) => bytesAt(byteOffset, byteLength).toString("utf8"),
    newlineFrom: (from) => {
      for (let at = from; at < identity.size;) {
        const bytes = bytesAt(at, searchedBytes)
        if (bytes.length === 0) return null
        const found = bytes.indexOf(newline)
        if (found >= 0) return at + found
        at += bytes.length
      }
      return null
    },
    isChanged: () => {
      if (!isSameFile(identity, fstatSync(opened))) return true
      if (descriptor !== null) return false
      const named = statSync(file, { throwIfNoEntry: false })
      return named === undefined || !isSameFile(identity, named)
    },
    close: () => {
      if (descriptor === null) closeSync(opened)
    },
  }
}
