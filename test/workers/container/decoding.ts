import { closeSync, fstatSync, openSync } from "node:fs"
import { crc32, deflateRawSync } from "node:zlib"
import type { ContainerEnd, OnBytes } from "#workers/container/container"
import type { LogContainer } from "#workers/container/decode-container"
import { decodeContainer } from "#workers/container/decode-container"

/** What came out of a container: all of its bytes, also as text, the sizes of the chunks, the end. */
export interface Decoded {
  readonly bytes: Buffer
  readonly text: string
  readonly chunks: readonly number[]
  readonly end: ContainerEnd
}

/** Takes what a decoder gives out. */
export const collected = async (
  decode: (onBytes: OnBytes) => Promise<ContainerEnd>,
): Promise<Decoded> => {
  const chunks: Buffer[] = []
  const end = await decode((chunk) => {
    // the memory of a chunk is used again
    chunks.push(Buffer.from(chunk))
    return true
  })
  const bytes = Buffer.concat(chunks)
  return { bytes, text: bytes.toString(), chunks: chunks.map(({ length }) => length), end }
}

/** Opens a file, hands it to a test and closes it again. */
export const withOpen = async <A>(
  path: string,
  use: (open: { descriptor: number; byteCount: number; path: string }) => Promise<A>,
): Promise<A> => {
  const descriptor = openSync(path, "r")
  try {
    return await use({ descriptor, byteCount: fstatSync(descriptor).size, path })
  } finally {
    closeSync(descriptor)
  }
}

/** Decodes the log in a file. */
export const decodedFile = (path: string, container: LogContainer): Promise<Decoded> =>
  withOpen(path, (open) => collected((onBytes) => decodeContainer(open, container, onBytes)))

interface ZipFile {
  readonly name: string
  readonly content: string
  readonly isStored?: boolean
  /** What the directory says instead of the checksum of the content. */
  readonly checksum?: number
}

/** A zip archive as its specification reads, without anything that is not needed. */
export const zipOf = (files: readonly ZipFile[]): Buffer => {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const { name, content, isStored = false, checksum } of files) {
    const data = isStored ? Buffer.from(content) : deflateRawSync(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(0x800, 2)
    common.writeUInt16LE(isStored ? 0 : 8, 4)
    common.writeUInt32LE(checksum ?? crc32(content), 10)
    common.writeUInt32LE(data.length, 14)
    common.writeUInt32LE(Buffer.byteLength(content), 18)
    common.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from("504b0304", "hex"), common, Buffer.from(name), data])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    directory.push(
      Buffer.concat([Buffer.from("504b01021403", "hex"), common, rest, Buffer.from(name)]),
    )
    parts.push(local)
    at += local.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write("504b0506", "hex")
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, list, end])
}
