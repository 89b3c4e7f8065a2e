import { errnoOf, faultOfErrno } from "../../core/fold/source-fault.ts"
import type { ByteWindow } from "./byte-window.ts"
import { fileWindow } from "./byte-window.ts"
import type { Container, ContainerEnd, OnBytes, OpenContainer } from "./container.ts"
import { decodeGzip } from "./gzip.ts"
import { decodePlain } from "./plain.ts"
import { decodeZstd } from "./zstd.ts"

/** Containers that hold one log and nothing else. */
export type LogContainer = Exclude<Container, "zip" | "sqlite">

const decoders: Readonly<
  Record<LogContainer, (window: ByteWindow, onBytes: OnBytes) => Promise<ContainerEnd>>
> = { plain: decodePlain, zstd: decodeZstd, gzip: decodeGzip }

/**
 * Decodes the log in a file, from its first byte on.
 *
 * errors  a fault of the file system ends it as a fault of the container does
 * cost    bounded memory, however large the file and what is in it: see the decoders
 */
export const decodeContainer = async (
  open: OpenContainer,
  container: LogContainer,
  onBytes: OnBytes,
): Promise<ContainerEnd> => {
  let decodedBytes = 0
  try {
    return await decoders[container](fileWindow(open), (chunk) => {
      decodedBytes += chunk.length
      return onBytes(chunk)
    })
  } catch (cause) {
    const errno = errnoOf(cause)
    if (errno === null) throw cause
    return { fault: faultOfErrno(errno), torn: null, decodedBytes, verifiedBytes: 0, frames: 0 }
  }
}
