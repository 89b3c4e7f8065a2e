import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs"
import type { LineRange } from "../../core/fold/log-fold.ts"
import type { SourceFault } from "../../core/fold/source-fault.ts"
import { errnoOf, faultOfErrno } from "../../core/fold/source-fault.ts"
import { isSameFile } from "../../core/log/file-identity.ts"
import { readFully } from "../../core/log/read-fully.ts"

/** Lines of a log by their place, read when somebody asks. */
export interface LineSource {
  readonly read: (line: LineRange) => string
  /** Whether the log was written to, renamed or replaced since it was opened. */
  readonly isChanged: () => boolean
  readonly close: () => void
}

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
  const identity = fstatSync(opened)
  return {
    read: ({ byteOffset, byteLength }) => {
      const bytes = Buffer.allocUnsafe(byteLength)
      const read = readFully(
        (into, room, at) => readSync(opened, bytes, into, room, at),
        0,
        byteLength,
        byteOffset,
      )
      return bytes.toString("utf8", 0, read)
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
