import { closeSync, fstatSync, readSync } from "node:fs"
import { errnoOf } from "../../core/fold/source-fault.ts"
import { UsageError } from "../border.ts"
import { openToRead } from "./open-to-read.ts"

/** The longest file that an option may name, in bytes. */
export const optionFileLimit: number = 16 * 1024 * 1024

/**
 * Reads a small file that an option names, whole.
 *
 * errors  a UsageError for what is no regular file, is longer than `optionFileLimit`, or cannot be
 *         read; a FIFO is not waited for
 */
export const readOptionFile = (path: string): Buffer => {
  try {
    const descriptor = openToRead(path)
    try {
      return readWhole(path, descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    const errno = errnoOf(cause)
    if (errno === null) throw cause
    throw new UsageError(`${path}: cannot be read (${errno})`)
  }
}

const readWhole = (path: string, descriptor: number): Buffer => {
  const stats = fstatSync(descriptor)
  const { size } = stats
  if (!stats.isFile()) throw new UsageError(`${path}: not a regular file`)
  if (size > optionFileLimit)
    throw new UsageError(
      `${path}: ${size} bytes are more than the ${optionFileLimit} that are read`,
    )
  const bytes = Buffer.alloc(size)
  let length = 0
  for (let read = -1; read !== 0 && length < size; length += read)
    read = readSync(descriptor, bytes, length, size - length, length)
  return bytes.subarray(0, length)
}
