import type { Transform } from "node:stream"
import { transformPump } from "./transform-pump.ts"
import type { FrameDecoding, ZstdDecoder } from "./zstd-decoder.ts"
import type { Frame } from "./zstd-frame.ts"

interface ZstdOptions {
  readonly chunkSize?: number
  readonly maxOutputLength?: number
  readonly params: Readonly<Record<number, number>>
}

/** What node:zlib has of Zstandard; the declarations of Node 20 do not know it. */
export interface NativeZstd {
  readonly zstdDecompressSync: (bytes: Uint8Array, options: ZstdOptions) => Uint8Array
  readonly createZstdDecompress: (options: ZstdOptions) => Transform
  readonly constants: { readonly ZSTD_d_windowLogMax: number }
}

const maxWindowLog = 27
const chunkSize = 1024 * 1024

/** The Zstandard of node:zlib, or null on a Node without it. */
export const nativeZstd = (zlib: object): NativeZstd | null =>
  "zstdDecompressSync" in zlib && "createZstdDecompress" in zlib
    ? (zlib as unknown as NativeZstd)
    : null

/** Decoding by libzstd inside Node, which verifies checksums. */
export const nativeDecoder = (zlib: NativeZstd): ZstdDecoder => {
  const params = { [zlib.constants.ZSTD_d_windowLogMax]: maxWindowLog }
  const begin = (_: Frame, onChunk: (chunk: Uint8Array) => void): FrameDecoding => {
    const pump = transformPump(zlib.createZstdDecompress({ chunkSize, params }), onChunk)
    return {
      push: async (piece) => {
        await pump.push(piece)
        return pump.state().kind !== "failed"
      },
      finish: async (checksum) => {
        if (checksum.length > 0) await pump.push(checksum)
        await pump.finish()
        return pump.state().kind === "ended"
      },
      close: pump.close,
    }
  }
  const whole = (frames: Uint8Array, boundBytes: number): Uint8Array | null => {
    try {
      // a limit of none is no limit
      return zlib.zstdDecompressSync(frames, { maxOutputLength: boundBytes + 1, params })
    } catch {
      return null
    }
  }
  return { whole, takesRuns: true, begin }
}
