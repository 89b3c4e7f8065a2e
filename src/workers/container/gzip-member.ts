import type { ByteWindow } from "./byte-window.ts"

const fixedBytes = 10
const nameBytes = 64 * 1024

const flag = { headerChecksum: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 } as const

/** What begins at a byte: a member whose data starts at `dataAt`, a torn or a broken header. */
export type MemberHeader =
  | { readonly kind: "member"; readonly dataAt: number }
  | { readonly kind: "torn" }
  | { readonly kind: "no-member" }
  | { readonly kind: "broken" }

const torn: MemberHeader = { kind: "torn" }

/** The byte behind the next zero, or null where there is none. */
const behindZero = (window: ByteWindow, from: number): number | null => {
  for (let at = from; ;) {
    const bytes = window.view(at, nameBytes)
    if (bytes.length === 0) return null
    const zero = bytes.indexOf(0)
    if (zero >= 0) return at + zero + 1
    at += bytes.length
  }
}

/**
 * Reads the header of a gzip member; its own checksum, which nobody writes, is not looked at.
 *
 * source  RFC 1952
 */
export const memberHeaderAt = (window: ByteWindow, start: number): MemberHeader => {
  const header = window.view(start, fixedBytes)
  if (header[0] !== 0x1f || (header.length > 1 && header[1] !== 0x8b)) return { kind: "no-member" }
  const flags = header[3] ?? 0
  if ((header.length > 2 && header[2] !== 8) || (flags & flag.reserved) !== 0)
    return { kind: "broken" }
  if (header.length < fixedBytes) return torn
  let at = start + fixedBytes
  if ((flags & flag.extra) !== 0) {
    const [low, high] = window.view(at, 2)
    if (low === undefined || high === undefined) return torn
    at += 2 + low + 256 * high
  }
  for (const text of [flag.name, flag.comment]) {
    if ((flags & text) === 0) continue
    const behind = behindZero(window, at)
    if (behind === null) return torn
    at = behind
  }
  if ((flags & flag.headerChecksum) !== 0) at += 2
  return at > window.byteCount ? torn : { kind: "member", dataAt: at }
}
