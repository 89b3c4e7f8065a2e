import * as zlib from "node:zlib"
import type { ZstdDecoder } from "./zstd-decoder.ts"
import { fallbackDecoder } from "./zstd-fallback.ts"
import { nativeDecoder, nativeZstd } from "./zstd-native.ts"

/** The decoder of this Node: that of node:zlib since 22.15 and 23.8, packages before. */
export const loadZstd = async (): Promise<ZstdDecoder> => {
  const native = nativeZstd(zlib)
  return native === null ? fallbackDecoder() : nativeDecoder(native)
}
