import type { Frame } from "./zstd-frame.ts"

/** Decodes frames whose structure was walked. */
export interface ZstdDecoder {
  /**
   * What whole frames in a row decode to, their checksums verified; null where they do not.
   *
   * cost    all of it is in memory: `boundBytes` says how much that can be
   */
  readonly whole: (frames: Uint8Array, boundBytes: number) => Uint8Array | null
  /** Whether one call for many frames is worth it. */
  readonly takesRuns: boolean
  /** Begins a frame of any size. Its window and a block or two are in memory. */
  readonly begin: (frame: Frame, onChunk: (chunk: Uint8Array) => void) => FrameDecoding
}

/** A frame that is being decoded. */
export interface FrameDecoding {
  /** Decodes as far as the next piece of header and blocks goes; false where it does not decode. */
  readonly push: (piece: Uint8Array) => Promise<boolean>
  /** Takes the checksum, 4 bytes or none: whether the frame came to its end and holds what it says. */
  readonly finish: (checksum: Uint8Array) => Promise<boolean>
  readonly close: () => void
}
