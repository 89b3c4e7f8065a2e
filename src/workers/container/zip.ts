import { crc32 } from "node:zlib"
import type { Entry, ZipFile } from "yauzl"
import type { ContainerDamage, ContainerFault } from "../../core/fold/container-fault.ts"
import { errnoOf, faultOfErrno } from "../../core/fold/source-fault.ts"
import { chunkSink } from "./chunk-sink.ts"
import type {
  ContainerEnd,
  ContainerEntries,
  ContainerEntry,
  OnBytes,
  OpenContainer,
} from "./container.ts"

/** The fault behind what a zip reader threw: one of the file system, or of the archive. */
const faultOfCause = (
  cause: unknown,
  what: ContainerDamage,
  byteOffset: number,
): ContainerFault => {
  const errno = errnoOf(cause)
  // zlib names its errors so too
  return errno === null || errno.startsWith("Z_")
    ? { code: "container-corrupt", what, byteOffset }
    : faultOfErrno(errno)
}

/** Inflates one entry and holds it against its size and checksum in the directory. */
const decodeEntry = async (zip: ZipFile, entry: Entry, onBytes: OnBytes): Promise<ContainerEnd> => {
  const byteOffset = entry.relativeOffsetOfLocalHeader
  const sink = chunkSink(onBytes)
  let checksum = 0
  const endOf = (fault: ContainerFault | null, isVerified: boolean): ContainerEnd => {
    sink.flush()
    const decodedBytes = sink.decodedBytes()
    const verifiedBytes = isVerified ? decodedBytes : 0
    return { fault, torn: null, decodedBytes, verifiedBytes, frames: isVerified ? 1 : 0 }
  }
  // encrypted, or packed in a way that nobody uses for text
  if (!entry.canDecodeFileData())
    return endOf({ code: "container-unsupported", errno: null }, false)
  try {
    const stream = await zip.openReadStreamPromise(entry)
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      checksum = crc32(chunk, checksum)
      // leaving the loop ends the stream
      if (!sink.add(chunk)) return endOf(null, false)
    }
  } catch (cause) {
    return endOf(faultOfCause(cause, "content", byteOffset), false)
  }
  const isSound = checksum === entry.crc32
  return endOf(isSound ? null : { code: "container-corrupt", what: "content", byteOffset }, isSound)
}

/**
 * Lists the logs of a zip archive, such as an export of a session with its subagents.
 *
 * shape   an entry gives out what inflates as it comes; its checksum is known at its end
 * errors  a directory that is missing, cut or contradicts itself is one fault for all
 * cost    the directory; of an entry that is decoded some blocks of 64 KiB and a chunk of 1 MiB
 */
export const openArchive = async (
  { descriptor }: OpenContainer,
  isLog: (name: string) => boolean,
): Promise<ContainerEntries | ContainerFault> => {
  const { fromFdPromise } = await import("yauzl")
  const entries: ContainerEntry[] = []
  try {
    const zip = await fromFdPromise(descriptor, { autoClose: false, lazyEntries: true })
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith("/") && isLog(entry.fileName))
        entries.push({
          name: entry.fileName,
          decode: (onBytes) => decodeEntry(zip, entry, onBytes),
        })
    }
  } catch (cause) {
    return faultOfCause(cause, "central-directory", 0)
  }
  return { entries, close: () => {} }
}
