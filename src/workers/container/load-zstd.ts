import * as zlib from "node:zlib"
import type { ZstdDecoder } from "./zstd-decoder.ts"
import { fallbackDecoder } from "./zstd-fallback.ts"
import { nativeDecoder, nativeZstd } from "./zstd-native.ts"

let loaded: Promise<ZstdDecoder> | null = null

/** The decoder of this Node: that of node:zlib since 22.15 and 23.8, packages before. */
export const loadZstd = (): Promise<ZstdDecoder> => {
  const native = nativeZstd(zlib)
  // the WebAssembly must be instantiated once a thread: a second time it answers before it is ready
  loaded ??= native === null ? fallbackDecoder() : Promise.resolve(nativeDecoder(native))
  return loaded
}
