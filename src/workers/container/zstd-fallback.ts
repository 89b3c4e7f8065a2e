import { xxh64 } from "./xxh64.ts"
import type { FrameDecoding, ZstdDecoder } from "./zstd-decoder.ts"
import type { Frame } from "./zstd-frame.ts"
import { frameBlocks } from "./zstd-script/frame-blocks.ts"

let initialized: Promise<void> | null = null

/**
 * Decoding on a Node without Zstandard. Frames that fit into memory go to libzstd as WebAssembly,
 * which is the fastest there is and verifies checksums, but has no streams. The others are decoded
 * in JavaScript.
 */
export const fallbackDecoder = async (): Promise<ZstdDecoder> => {
  const { decompress, init } = await import("@bokuweb/zstd-wasm")
  // once a thread: a second time it would answer before it is ready
  await (initialized ??= init())
  const whole = (frames: Uint8Array, boundBytes: number): Uint8Array | null => {
    try {
      return decompress(frames, { defaultHeapSize: boundBytes + 1 })
    } catch {
      // what is thrown tells no more than that
      return null
    }
  }
  const begin = (frame: Frame, onChunk: (chunk: Uint8Array) => void): FrameDecoding => {
    const hash = xxh64()
    const blocks = frameBlocks(frame, (chunk) => {
      hash.update(chunk)
      onChunk(chunk)
    })
    const finish = async (checksum: Uint8Array): Promise<boolean> =>
      checksum.length === 0 ||
      Buffer.from(checksum).readUInt32LE() === Number(BigInt.asUintN(32, hash.digest()))
    return { push: async (piece) => blocks.push(piece), finish, close: () => {} }
  }
  return { whole, takesRuns: false, begin }
}
