import { closeSync, openSync, readSync } from "node:fs"
import type { LineRange } from "../../core/fold/log-fold.ts"
import { readFully } from "../../core/log/read-fully.ts"

/** Lines of a log by their place, read when somebody asks. */
export interface LineSource {
  readonly read: (line: LineRange) => string
  readonly close: () => void
}

/** The lines of a file, or of a descriptor that stays open. */
export const lineSource = (file: string, descriptor: number | null): LineSource => {
  const opened = descriptor ?? openSync(file, "r")
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
    close: () => {
      if (descriptor === null) closeSync(opened)
    },
  }
}
