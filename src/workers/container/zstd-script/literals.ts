import type { HuffmanTable } from "./huffman-table.ts"
import { decodeHuffman, emptyHuffman, readHuffman } from "./huffman-table.ts"

const maxLiterals = 128 * 1024
const rawLiterals = 0
const rleLiterals = 1
const compressedLiterals = 2

/** The literals of one block, and the table that the next block may use again. */
export interface Literals {
  readonly bytes: Uint8Array
  length: number
  table: HuffmanTable | null
  readonly room: HuffmanTable
}

export const newLiterals = (): Literals => ({
  bytes: new Uint8Array(maxLiterals),
  length: 0,
  table: null,
  room: emptyHuffman(),
})

const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0

/**
 * Reads the literals section of a block at `from`; the byte behind it, or −1 where it is none.
 *
 * source  RFC 8878, 3.1.1.3.1
 */
export const readLiterals = (
  literals: Literals,
  bytes: Uint8Array,
  from: number,
  end: number,
): number => {
  const head = byteAt(bytes, from)
  const kind = head & 3
  const form = (head >>> 2) & 3
  if (kind === rawLiterals || kind === rleLiterals) {
    const headBytes = form === 1 ? 2 : form === 3 ? 3 : 1
    const more = headBytes === 1 ? 0 : byteAt(bytes, from + 1) << 4
    const most = headBytes === 3 ? byteAt(bytes, from + 2) << 12 : 0
    const length = headBytes === 1 ? head >>> 3 : (head >>> 4) | more | most
    const at = from + headBytes
    const behind = at + (kind === rawLiterals ? length : 1)
    if (length > maxLiterals || behind > end) return -1
    literals.length = length
    if (kind === rawLiterals) literals.bytes.set(bytes.subarray(at, behind))
    else literals.bytes.fill(byteAt(bytes, at), 0, length)
    return behind
  }
  const headBytes = form < 2 ? 3 : form + 2
  const sizeBits = form < 2 ? 10 : form === 2 ? 14 : 18
  let sizes = 0
  for (let i = headBytes - 1; i >= 0; i--) sizes = sizes * 256 + byteAt(bytes, from + i)
  sizes = Math.floor(sizes / 16)
  const length = sizes % 2 ** sizeBits
  const behind = from + headBytes + Math.floor(sizes / 2 ** sizeBits)
  if (length > maxLiterals || behind > end) return -1
  let at = from + headBytes
  if (kind === compressedLiterals) {
    at = readHuffman(literals.room, bytes, at, behind)
    if (at < 0) return -1
    literals.table = literals.room
  }
  const { table, bytes: output } = literals
  if (table === null) return -1
  literals.length = length
  if (form === 0) return decodeHuffman(table, bytes, at, behind, output, 0, length) ? behind : -1
  // four streams of equal parts, the sizes of three ahead
  const part = (length + 3) >> 2
  if (part * 3 > length || at + 6 > behind) return -1
  let start = at + 6
  for (let i = 0; i < 4; i++) {
    const size = byteAt(bytes, at + 2 * i) | (byteAt(bytes, at + 2 * i + 1) << 8)
    const stop = i === 3 ? behind : start + size
    const to = i === 3 ? length : part * (i + 1)
    if (stop > behind || !decodeHuffman(table, bytes, start, stop, output, part * i, to)) return -1
    start = stop
  }
  return behind
}
