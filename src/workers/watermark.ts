import { createHash } from "node:crypto"
import { readSync } from "node:fs"
import type { ReadingState } from "../core/fold/log-reading.ts"
import { readFully } from "../core/log/read-fully.ts"

/** How far a log was read, and what it had come to there. */
export interface Watermark {
  /** Behind the last complete line. */
  readonly byteOffset: number
  readonly headerLength: number
  readonly reading: ReadingState
  /** Hex SHA-256 of the bytes before, to know them again. */
  readonly tailSha256: string
}

/** A watermark on its way to a store and back: as text it crosses threads faster than as objects. */
export type WatermarkText = string

/** Bytes before a watermark that tell one log from another. */
const tailBytes = 64 * 1024

/** Digest of the bytes before a place in a file, and how many they are. */
export const tailBefore = (
  descriptor: number,
  byteOffset: number,
): { readonly sha256: string; readonly byteCount: number } => {
  const from = Math.max(0, byteOffset - tailBytes)
  const bytes = Buffer.allocUnsafe(byteOffset - from)
  const byteCount = readFully(
    (into, room, at) => readSync(descriptor, bytes, into, room, at),
    0,
    bytes.length,
    from,
  )
  const sha256 = createHash("sha256").update(bytes.subarray(0, byteCount)).digest("hex")
  return { sha256, byteCount }
}
