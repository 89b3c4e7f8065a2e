/** Zstandard frames of raw blocks: what can be written where Node has no compressor. */

const mask = (1n << 64n) - 1n
const primes: readonly [bigint, bigint, bigint, bigint, bigint] = [
  0x9e3779b185ebca87n,
  0xc2b2ae3d27d4eb4fn,
  0x165667b19e3779f9n,
  0x85ebca77c2b2ae63n,
  0x27d4eb2f165667c5n,
]

const rotate = (value: bigint, bits: bigint): bigint =>
  ((value << bits) | ((value & mask) >> (64n - bits))) & mask

const round = (lane: bigint, input: bigint): bigint =>
  (rotate((lane + input * primes[1]) & mask, 31n) * primes[0]) & mask

/** XXH64 with seed 0, as its specification reads. */
export const xxh64Of = (content: Uint8Array): bigint => {
  const view = new DataView(content.buffer, content.byteOffset, content.length)
  const lanes = [(primes[0] + primes[1]) & mask, primes[1], 0n, -primes[0] & mask]
  let at = 0
  for (; at + 32 <= content.length; at += 32)
    for (let lane = 0; lane < 4; lane++)
      lanes[lane] = round(lanes[lane] ?? 0n, view.getBigUint64(at + 8 * lane, true))
  let hash = primes[4]
  if (content.length >= 32) {
    hash = 0n
    for (const [i, bits] of [1n, 7n, 12n, 18n].entries()) hash += rotate(lanes[i] ?? 0n, bits)
    for (const lane of lanes) hash = ((hash ^ round(0n, lane)) * primes[0] + primes[3]) & mask
  }
  hash = (hash + BigInt(content.length)) & mask
  for (; at + 8 <= content.length; at += 8)
    hash =
      (rotate(hash ^ round(0n, view.getBigUint64(at, true)), 27n) * primes[0] + primes[3]) & mask
  for (; at + 4 <= content.length; at += 4) {
    const word = (BigInt(view.getUint32(at, true)) * primes[0]) & mask
    hash = (rotate(hash ^ word, 23n) * primes[1] + primes[2]) & mask
  }
  for (; at < content.length; at++)
    hash = (rotate(hash ^ ((BigInt(view.getUint8(at)) * primes[4]) & mask), 11n) * primes[0]) & mask
  hash = ((hash ^ (hash >> 33n)) * primes[1]) & mask
  hash = ((hash ^ (hash >> 29n)) * primes[2]) & mask
  return hash ^ (hash >> 32n)
}

const magic = Buffer.from("28b52ffd", "hex")
const rawBlock = 0

/** A block header: 3 bytes, the size above type and last flag. */
export const blockHeader = (type: number, size: number, isLast: boolean): Buffer => {
  const header = Buffer.alloc(3)
  header.writeUIntLE((size << 3) | (type << 1) | (isLast ? 1 : 0), 0, 3)
  return header
}

/** What a frame is made of. */
export interface FrameForm {
  /** Bytes of one block; at most 128 KiB. */
  readonly blockBytes?: number
  /** The size that is declared: that of the content unless said otherwise; null declares none. */
  readonly declaredBytes?: number | null
  readonly hasChecksum?: boolean
  /** Window descriptor: 0x58 is a window of 2 MiB. */
  readonly window?: number
}

/** A frame around blocks that are written already. */
export const frameAround = (
  blocks: readonly Uint8Array[],
  content: Uint8Array,
  form: FrameForm = {},
): Buffer => {
  const declaredBytes = form.declaredBytes === undefined ? content.length : form.declaredBytes
  const hasChecksum = form.hasChecksum ?? true
  const sizeFlag = declaredBytes === null ? 0 : 3
  const size = Buffer.alloc(declaredBytes === null ? 0 : 8)
  if (declaredBytes !== null) size.writeBigUInt64LE(BigInt(declaredBytes))
  const checksum = Buffer.alloc(hasChecksum ? 4 : 0)
  if (hasChecksum) checksum.writeUInt32LE(Number(xxh64Of(content) & 0xffffffffn))
  const descriptor = (sizeFlag << 6) | (hasChecksum ? 4 : 0)
  return Buffer.concat([
    magic,
    Buffer.from([descriptor, form.window ?? 0x58]),
    size,
    ...blocks,
    checksum,
  ])
}

/** A frame of raw blocks. */
export const zstdFrame = (content: string | Uint8Array, form: FrameForm = {}): Buffer => {
  const bytes = Buffer.from(content)
  const blockBytes = form.blockBytes ?? 128 * 1024
  const blocks: Buffer[] = []
  for (let from = 0; from === 0 || from < bytes.length; from += blockBytes) {
    const block = bytes.subarray(from, from + blockBytes)
    const isLast = from + blockBytes >= bytes.length
    blocks.push(blockHeader(rawBlock, block.length, isLast), block)
  }
  return frameAround(blocks, bytes, form)
}

/** A log as the store keeps it: its header in a frame of its own, then a frame a batch of rows. */
export const zstdLog = (lines: readonly string[], rowsAFrame: number): Buffer => {
  const frames: Buffer[] = []
  for (let from = 0; from < lines.length;) {
    const to = from === 0 ? 1 : from + rowsAFrame
    frames.push(
      zstdFrame(
        lines
          .slice(from, to)
          .map((line) => `${line}\n`)
          .join(""),
      ),
    )
    from = to
  }
  return Buffer.concat(frames)
}
