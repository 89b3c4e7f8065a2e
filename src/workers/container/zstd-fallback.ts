import { xxh64 } from "./xxh64.ts"
import type { FrameDecoding, ZstdDecoder } from "./zstd-decoder.ts"

// Both packages throw whatever they stumble over where bytes do not decode.

/**
 * Decoding on a Node without Zstandard. Frames that fit into memory go to libzstd as WebAssembly,
 * which is four times as fast and verifies checksums, but has no streams. The others are decoded in
 * JavaScript, and their checksums verified here.
 */
export const fallbackDecoder = async (): Promise<ZstdDecoder> => {
  const [wasm, { Decompress }] = await Promise.all([import("@bokuweb/zstd-wasm"), import("fzstd")])
  await wasm.init()
  const whole = (frames: Uint8Array, boundBytes: number): Uint8Array | null => {
    try {
      return wasm.decompress(frames, { defaultHeapSize: boundBytes + 1 })
    } catch {
      return null
    }
  }
  const begin = (onChunk: (chunk: Uint8Array) => void): FrameDecoding => {
    const hash = xxh64()
    const decompress = new Decompress((chunk) => {
      hash.update(chunk)
      onChunk(chunk)
    })
    const push = async (piece: Uint8Array): Promise<boolean> => {
      try {
        // what is left of a piece is kept until the next one, whose memory may be the same
        decompress.push(new Uint8Array(piece))
        return true
      } catch {
        return false
      }
    }
    const finish = async (checksum: Uint8Array): Promise<boolean> =>
      checksum.length === 0 ||
      Buffer.from(checksum).readUInt32LE() === Number(BigInt.asUintN(32, hash.digest()))
    return { push, finish, close: () => {} }
  }
  return { whole, takesRuns: false, begin }
}
