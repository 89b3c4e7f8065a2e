import type { Frame } from "../zstd-frame.ts"
import { newLiterals, readLiterals } from "./literals.ts"
import { newSequences, runSequences } from "./sequences.ts"

const blockHeaderBytes = 3
const maxBlockBytes = 128 * 1024
const rawBlock = 0
const rleBlock = 1
// room behind the window, so that it is moved once for so many bytes
const roomBytes = 1024 * 1024

const headerOf = (block: Uint8Array): number =>
  (block[0] ?? 0) | ((block[1] ?? 0) << 8) | ((block[2] ?? 0) << 16)

/** How many bytes follow the header of a block. */
const contentBytes = (header: number): number =>
  ((header >>> 1) & 3) === rleBlock ? 1 : header >>> 3

/** Decodes the blocks of one frame in JavaScript. */
export interface FrameBlocks {
  /** Decodes the whole blocks of what was pushed so far; whether they decode. */
  readonly push: (piece: Uint8Array) => boolean
}

/**
 * A decoder of Zstandard in JavaScript, for frames that are too large to be decoded whole.
 *
 * shape   pieces are cut anywhere and begin with the frame's header, whose structure was walked.
 *         Chunks are valid until the call returns
 * errors  whatever the bytes: no more is written than a block may have, nothing is read that is not
 *         decoded yet, and each step takes at least a bit or ends
 * cost    the window (or what the frame can hold, where that is less), 1 MiB, and a block
 * source  RFC 8878
 */
export const frameBlocks = (frame: Frame, onChunk: (chunk: Uint8Array) => void): FrameBlocks => {
  const { windowBytes, headerBytes } = frame
  const windowRoom = Math.min(windowBytes, frame.boundBytes)
  const blockLimit = Math.min(windowBytes, maxBlockBytes)
  const output = new Uint8Array(windowRoom + roomBytes)
  const literals = newLiterals()
  const sequences = newSequences()
  let filled = 0
  // a block that is not whole yet, with its header; behind it is room to read past its end
  const block = new Uint8Array(blockHeaderBytes + maxBlockBytes + 8)
  let pending = 0
  let toSkip = headerBytes
  const decode = (type: number, size: number): number => {
    if (type === rawBlock) {
      output.set(block.subarray(blockHeaderBytes, blockHeaderBytes + size), filled)
      return size
    }
    if (type === rleBlock) {
      output.fill(block[blockHeaderBytes] ?? 0, filled, filled + size)
      return size
    }
    const end = blockHeaderBytes + size
    const at = readLiterals(literals, block, blockHeaderBytes, end)
    if (at < 0) return -1
    const reach = Math.min(filled, windowBytes)
    const place = { bytes: output, at: filled, reach, maxBytes: blockLimit }
    return runSequences(sequences, literals, block, at, end, place)
  }
  const push = (piece: Uint8Array): boolean => {
    let from = Math.min(toSkip, piece.length)
    toSkip -= from
    let given = filled
    const give = (): void => {
      if (filled > given) onChunk(output.subarray(given, filled))
      given = filled
    }
    while (from < piece.length) {
      const wanted =
        blockHeaderBytes + (pending < blockHeaderBytes ? 0 : contentBytes(headerOf(block)))
      const taken = Math.min(wanted - pending, piece.length - from)
      block.set(piece.subarray(from, from + taken), pending)
      pending += taken
      from += taken
      if (pending < blockHeaderBytes) continue
      const header = headerOf(block)
      if (pending < blockHeaderBytes + contentBytes(header)) continue
      pending = 0
      if (filled + maxBlockBytes > output.length) {
        give()
        output.copyWithin(0, filled - windowRoom, filled)
        filled = windowRoom
        given = filled
      }
      const length = decode((header >>> 1) & 3, header >>> 3)
      if (length < 0) {
        give()
        return false
      }
      filled += length
    }
    give()
    return true
  }
  return { push }
}
