import type { ContainerDamage, ContainerFault } from "../../core/fold/container-fault.ts"
import type { ByteWindow } from "./byte-window.ts"

/** Largest window of a frame that is decoded, in bytes: the limit that libzstd sets by itself. */
const maxWindowBytes: number = 2 ** 27

/** A frame as its structure shows it, nothing decoded. */
export interface Frame {
  readonly byteOffset: number
  /** End of the frame; of a torn one the end of its last whole block. */
  readonly end: number
  /** End of the blocks: what is left of the frame is its checksum. */
  readonly blocksEnd: number
  readonly headerBytes: number
  readonly windowBytes: number
  readonly declaredBytes: number | null
  /** The most that the blocks can decode to. */
  readonly boundBytes: number
  readonly isTorn: boolean
}

// numbers of RFC 8878
const magic = [0x28, 0xb5, 0x2f, 0xfd] as const
const maxHeaderBytes = 18
const dictionaryIdBytes = [0, 1, 2, 4] as const
const maxBlockBytes = 128 * 1024
const blockHeaderBytes = 3
const checksumBytes = 4
const rleBlock = 1
const compressedBlock = 2
const reservedBlock = 3
const openBrace = 0x7b

const corrupt = (what: ContainerDamage, byteOffset: number): ContainerFault => ({
  code: "container-corrupt",
  what,
  byteOffset,
})

interface FrameHeader {
  readonly headerBytes: number
  readonly windowBytes: number
  readonly declaredBytes: number | null
  readonly hasChecksum: boolean
}

// of a frame that ends inside its header
const noHeader: FrameHeader = {
  headerBytes: 0,
  windowBytes: 0,
  declaredBytes: null,
  hasChecksum: false,
}

const littleEndian = (bytes: Uint8Array, from: number, length: number): number => {
  let value = 0
  for (let i = length - 1; i >= 0; i--) value = value * 256 + (bytes[from + i] ?? 0)
  return value
}

/** The header at the start of `bytes`, a fault of it, or null where the bytes end inside it. */
const headerOf = (bytes: Uint8Array, byteOffset: number): FrameHeader | ContainerFault | null => {
  for (let i = 0; i < Math.min(magic.length, bytes.length); i++)
    if (bytes[i] !== magic[i])
      return corrupt(bytes[0] === openBrace ? "plain-text" : "magic", byteOffset)
  const descriptor = bytes[4]
  if (descriptor === undefined) return null
  if ((descriptor & 0x18) !== 0) return corrupt("reserved-bits", byteOffset + 4)
  const isSingleSegment = (descriptor & 0x20) !== 0
  const idBytes = dictionaryIdBytes[(descriptor & 3) as 0 | 1 | 2 | 3]
  const sizeFlag = descriptor >>> 6
  const sizeBytes = sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : 2 ** sizeFlag
  const idAt = isSingleSegment ? 5 : 6
  const headerBytes = idAt + idBytes + sizeBytes
  if (bytes.length < headerBytes) return null
  if (littleEndian(bytes, idAt, idBytes) !== 0) return corrupt("dictionary", byteOffset + idAt)
  // two bytes say 256 less, so that no size has two forms
  const declared = littleEndian(bytes, idAt + idBytes, sizeBytes) + (sizeBytes === 2 ? 256 : 0)
  const exponent = 10 + ((bytes[5] ?? 0) >>> 3)
  const windowBytes = isSingleSegment
    ? declared
    : 2 ** exponent + (2 ** exponent / 8) * ((bytes[5] ?? 0) & 7)
  if (windowBytes > maxWindowBytes)
    return { code: "container-window", byteOffset, windowBytes, limitBytes: maxWindowBytes }
  return {
    headerBytes,
    windowBytes,
    declaredBytes: sizeBytes === 0 ? null : declared,
    hasChecksum: (descriptor & 4) !== 0,
  }
}

/**
 * Walks the structure of the frame at a byte: header, block headers, checksum.
 *
 * errors  any other magic (skippable frames too), reserved bits, a dictionary, a window above the
 *         limit, a reserved block type, blocks above their maximum, a declared size above what the
 *         blocks can hold. A file that ends inside the frame makes it torn instead
 * source  facts of the log format 1.3; RFC 8878
 */
export const frameAt = (window: ByteWindow, byteOffset: number): Frame | ContainerFault => {
  const header = headerOf(window.view(byteOffset, maxHeaderBytes), byteOffset)
  if (header !== null && "code" in header) return header
  const { headerBytes, windowBytes, declaredBytes, hasChecksum } = header ?? noHeader
  const frameTo = (end: number, blocksEnd: number, isTorn: boolean): Frame => ({
    byteOffset,
    end,
    blocksEnd,
    headerBytes,
    windowBytes,
    declaredBytes,
    boundBytes,
    isTorn,
  })
  let at = byteOffset + headerBytes
  let boundBytes = 0
  if (header === null) return frameTo(at, at, true)
  const blockLimit = Math.min(windowBytes, maxBlockBytes)
  for (;;) {
    const bytes = window.view(at, blockHeaderBytes)
    if (bytes.length < blockHeaderBytes) return frameTo(at, at, true)
    const blockHeader = littleEndian(bytes, 0, blockHeaderBytes)
    const type = (blockHeader >>> 1) & 3
    const size = blockHeader >>> 3
    if (type === reservedBlock) return corrupt("block-type", at)
    if (size > blockLimit) return corrupt("block-size", at)
    const next = at + blockHeaderBytes + (type === rleBlock ? 1 : size)
    if (next > window.byteCount) return frameTo(at, at, true)
    boundBytes += type === compressedBlock ? blockLimit : size
    at = next
    if ((blockHeader & 1) === 1) break
  }
  if (declaredBytes !== null && declaredBytes > boundBytes)
    return corrupt("declared-size", byteOffset)
  const end = at + (hasChecksum ? checksumBytes : 0)
  return end > window.byteCount ? frameTo(at, at, true) : frameTo(end, at, false)
}
