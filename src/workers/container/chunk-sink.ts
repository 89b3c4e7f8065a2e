import type { OnBytes } from "./container.ts"

const chunkBytes = 1024 * 1024
const directBytes = 256 * 1024

/** Joins pieces of any size to chunks that are worth a call. */
export interface ChunkSink {
  /** Takes a copy of a piece, or gives it on at once when it is large; whether to go on. */
  readonly add: (piece: Uint8Array) => boolean
  /** Gives out what is left; whether to go on. */
  readonly flush: () => boolean
  readonly decodedBytes: () => number
}

/** Chunks for `onBytes`. After it said no, pieces are dropped. */
export const chunkSink = (onBytes: OnBytes): ChunkSink => {
  let buffer: Buffer | null = null
  let filled = 0
  let goesOn = true
  let decodedBytes = 0
  const give = (chunk: Uint8Array): void => {
    decodedBytes += chunk.length
    goesOn = onBytes(chunk)
  }
  const flush = (): boolean => {
    if (goesOn && filled > 0 && buffer !== null) give(buffer.subarray(0, filled))
    filled = 0
    return goesOn
  }
  const add = (piece: Uint8Array): boolean => {
    if (piece.length >= directBytes && filled === 0) {
      if (goesOn) give(piece)
      return goesOn
    }
    buffer ??= Buffer.allocUnsafe(chunkBytes)
    for (let from = 0; from < piece.length && goesOn;) {
      const taken = Math.min(piece.length - from, chunkBytes - filled)
      buffer.set(piece.subarray(from, from + taken), filled)
      filled += taken
      from += taken
      if (filled === chunkBytes) flush()
    }
    return goesOn
  }
  return { add, flush, decodedBytes: () => decodedBytes }
}
