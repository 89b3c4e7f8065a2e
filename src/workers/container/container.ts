import type { Container } from "../../core/fold/container-report.ts"
import type { ContainerFault } from "../../core/fold/container-fault.ts"

export type { Container } from "../../core/fold/container-report.ts"

/** A file that is open for reading, and how much of it is read. */
export interface OpenContainer {
  readonly descriptor: number
  readonly byteCount: number
}

/**
 * Takes decoded bytes in order and says whether to go on.
 *
 * shape   chunks are at least 256 KiB, the last one excepted; they end anywhere, also inside a
 *         record or a character. A chunk is valid until the call returns: its memory is used again
 */
export type OnBytes = (chunk: Uint8Array) => boolean

/**
 * How decoding ended.
 *
 * shape   `torn` is the place in the file of a frame or member that the file ends in; what of it
 *         decodes was given out. With a fault, all that decodes before the faulty part was
 * units   `decodedBytes` were given out; the first `verifiedBytes` of them are of frames or members
 *         that are complete and hold what their checksums say. `frames` counts those
 */
export interface ContainerEnd {
  readonly fault: ContainerFault | null
  readonly torn: { readonly byteOffset: number; readonly byteLength: number } | null
  readonly decodedBytes: number
  readonly verifiedBytes: number
  readonly frames: number
}

/** One log among others in a container. */
export interface ContainerEntry {
  /** Path in a zip archive, or id of a session in a store. */
  readonly name: string
  readonly decode: (onBytes: OnBytes) => Promise<ContainerEnd>
}

/** The logs of a container, until it is closed. */
export interface ContainerEntries {
  readonly entries: readonly ContainerEntry[]
  /** Gives back what is held for the entries; the descriptor that was handed in stays open. */
  readonly close: () => void
}

const magics: readonly (readonly [Container, Buffer])[] = [
  ["zstd", Buffer.from("28b52ffd", "hex")],
  ["gzip", Buffer.from("1f8b", "hex")],
  ["zip", Buffer.from("504b0304", "hex")],
  // an archive without entries
  ["zip", Buffer.from("504b0506", "hex")],
  ["sqlite", Buffer.from("SQLite format 3\0", "latin1")],
]

const startsWith = (bytes: Uint8Array, magic: Buffer): boolean =>
  bytes.length >= magic.length && magic.equals(bytes.subarray(0, magic.length))

const endings: readonly (readonly [Container, RegExp])[] = [
  ["zstd", /\.(?:zstd|zst)$/],
  ["gzip", /\.gz$/],
  ["zip", /\.zip$/],
]

/**
 * The container that a file is, by its first 16 bytes. The name is a hint where the file is so short
 * that its first bytes are but the beginning of one: a torn first frame.
 */
export const containerOf = (firstBytes: Uint8Array, name: string): Container => {
  for (const [container, magic] of magics) if (startsWith(firstBytes, magic)) return container
  for (const [container, ending] of endings) {
    if (firstBytes.length === 0 || !ending.test(name)) continue
    const isBeginning = magics.some(
      ([other, magic]) =>
        other === container && startsWith(magic, Buffer.from(firstBytes.subarray(0, magic.length))),
    )
    if (isBeginning) return container
  }
  return "plain"
}
