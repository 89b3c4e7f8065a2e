import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { addAbortSignal, Readable } from "node:stream"

/** A stream, kept in a file that only this process can see. */
export interface Spool {
  readonly descriptor: number
  readonly close: () => void
}

// a first line that is longer than any that is read: what follows is no log, however long it is
const maxHeaderBytes = 256 * 1024 * 1024
const newline = 10

/** An empty file without a name: nothing is left behind however the process ends. */
export const openSpool = (): number => {
  const directory = mkdtempSync(join(tmpdir(), "refold-"))
  const descriptor = openSync(join(directory, "log"), "wx+", 0o600)
  rmSync(directory, { recursive: true })
  return descriptor
}

/**
 * Writes a stream to a private temporary file, since a log is read more than once.
 *
 * shape   the file has no name when this returns
 */
export const spool = async (
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<Spool> => {
  const descriptor = openSpool()
  // a stream that stays silent must not keep an abort waiting
  if (stream instanceof Readable) addAbortSignal(signal, stream)
  try {
    let bytes = 0
    let hasLine = false
    for await (const chunk of stream) {
      signal.throwIfAborted()
      bytes += chunk.length
      hasLine ||= chunk.includes(newline)
      if (!hasLine && bytes > maxHeaderBytes) break
      let written = 0
      while (written < chunk.length) written += writeSync(descriptor, chunk, written)
    }
  } catch (cause) {
    closeSync(descriptor)
    throw cause
  }
  return { descriptor, close: () => closeSync(descriptor) }
}
