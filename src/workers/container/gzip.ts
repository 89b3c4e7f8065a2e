import { crc32, createInflateRaw } from "node:zlib"
import type { ContainerDamage } from "../../core/fold/container-fault.ts"
import type { ByteWindow } from "./byte-window.ts"
import { chunkSink } from "./chunk-sink.ts"
import type { ContainerEnd, OnBytes } from "./container.ts"
import { memberHeaderAt } from "./gzip-member.ts"
import { transformPump } from "./transform-pump.ts"

const pieceBytes = 256 * 1024
const chunkSize = 1024 * 1024
const trailerBytes = 8
// what zlib calls input that ends too early
const endsEarly = "Z_BUF_ERROR"

type MemberEnd =
  | { readonly kind: "whole"; readonly end: number }
  | { readonly kind: "torn" | "broken" | "stopped" }

const causeCode = (cause: unknown): unknown =>
  cause instanceof Error && "code" in cause ? cause.code : null

/** Inflates one member and holds it against its trailer. */
const decodeMember = async (
  window: ByteWindow,
  dataAt: number,
  take: (chunk: Uint8Array) => boolean,
): Promise<MemberEnd> => {
  let checksum = 0
  let contentBytes = 0
  let goesOn = true
  const stream = createInflateRaw({ chunkSize })
  const pump = transformPump(stream, (chunk) => {
    if (!goesOn) return
    checksum = crc32(chunk, checksum)
    contentBytes += chunk.length
    goesOn = take(chunk)
  })
  try {
    for (let at = dataAt; pump.state().kind === "open" && goesOn;) {
      const piece = window.view(at, pieceBytes)
      if (piece.length === 0) await pump.finish()
      else await pump.push(piece)
      at += piece.length
    }
    if (!goesOn) return { kind: "stopped" }
    const state = pump.state()
    if (state.kind === "failed")
      return { kind: causeCode(state.cause) === endsEarly ? "torn" : "broken" }
    // what was fed may reach into the next member; this is what was used of it
    const trailerAt = dataAt + stream.bytesWritten
    const trailer = window.view(trailerAt, trailerBytes)
    if (trailer.length < trailerBytes) return { kind: "torn" }
    const read = Buffer.from(trailer)
    const isSound =
      read.readUInt32LE(0) === checksum && read.readUInt32LE(4) === contentBytes % 2 ** 32
    return isSound ? { kind: "whole", end: trailerAt + trailerBytes } : { kind: "broken" }
  } finally {
    pump.close()
  }
}

/**
 * Decodes a log that is one or more gzip members.
 *
 * shape   what inflates is given out as it comes, before the checksum of its member is known. A
 *         member that the file ends in is torn
 * cost    one window and one chunk of 1 MiB each, the window of the inflater
 */
export const decodeGzip = async (window: ByteWindow, onBytes: OnBytes): Promise<ContainerEnd> => {
  const sink = chunkSink(onBytes)
  let takenBytes = 0
  let verifiedBytes = 0
  let frames = 0
  const take = (chunk: Uint8Array): boolean => {
    takenBytes += chunk.length
    return sink.add(chunk)
  }
  const endOf = (
    what: ContainerDamage | null,
    byteOffset: number,
    isTorn: boolean,
  ): ContainerEnd => {
    sink.flush()
    const decodedBytes = sink.decodedBytes()
    return {
      fault: what === null ? null : { code: "container-corrupt", what, byteOffset },
      torn: isTorn ? { byteOffset, byteLength: window.byteCount - byteOffset } : null,
      decodedBytes,
      verifiedBytes: Math.min(verifiedBytes, decodedBytes),
      frames,
    }
  }
  let at = 0
  while (at < window.byteCount) {
    const header = memberHeaderAt(window, at)
    if (header.kind === "no-member") return endOf("magic", at, false)
    if (header.kind === "broken") return endOf("member-header", at, false)
    if (header.kind === "torn") return endOf(null, at, true)
    const member = await decodeMember(window, header.dataAt, take)
    if (member.kind !== "whole")
      return endOf(member.kind === "broken" ? "content" : null, at, member.kind === "torn")
    frames++
    verifiedBytes = takenBytes
    at = member.end
  }
  return endOf(null, at, false)
}
