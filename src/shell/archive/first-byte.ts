import { closeSync, readSync } from "node:fs"
import { openToRead } from "./open-to-read.ts"

const firstByte = (file: string, descriptor: number | null): number | null => {
  const first = Buffer.alloc(1)
  try {
    const opened = descriptor ?? openToRead(file)
    try {
      return readSync(opened, first, 0, 1, 0) === 1 ? (first[0] ?? null) : null
    } finally {
      if (descriptor === null) closeSync(opened)
    }
  } catch {
    // what cannot be opened is named by who reads it
    return null
  }
}

/** Whether a file, or a descriptor, begins as the text of a log does: with an opening brace. */
export const beginsAsText = (file: string, descriptor: number | null): boolean =>
  firstByte(file, descriptor) === 0x7b

/** Whether a file may be an archive (PK…) or a store (SQLite…). */
export const mayHoldLogs = (file: string, descriptor: number | null): boolean => {
  const first = firstByte(file, descriptor)
  return first === 0x50 || first === 0x53
}
