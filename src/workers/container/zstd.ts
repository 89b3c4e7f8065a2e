import type { ContainerDamage, ContainerFault } from "../../core/fold/container-fault.ts"
import type { ByteWindow } from "./byte-window.ts"
import { chunkSink } from "./chunk-sink.ts"
import type { ContainerEnd, OnBytes } from "./container.ts"
import { loadZstd } from "./load-zstd.ts"
import type { Frame } from "./zstd-frame.ts"
import { frameAt } from "./zstd-frame.ts"
import { frameRecords } from "./zstd-records.ts"

/**
 * Frames up to this size, in bytes of content and of the frame, are decoded whole and given out only
 * when their checksum holds.
 */
const maxWholeFrameBytes: number = 8 * 1024 * 1024

// frames that are decoded in one go
const maxRunBytes = 512 * 1024
const maxRunContentBytes = 1024 * 1024
const pieceBytes = 256 * 1024

const isSmall = (frame: Frame): boolean =>
  frame.boundBytes <= maxWholeFrameBytes && frame.end - frame.byteOffset <= maxWholeFrameBytes

/**
 * Decodes a log that is Zstandard frames, one a batch of records.
 *
 * shape   a frame that the file ends in is torn: its whole blocks are given out, unverified. With a
 *         fault all frames before it were given out, and nothing of the faulty one unless it is
 *         larger than maxWholeFrameBytes. A frame that is sound but ends in the wrong place is given
 *         out before its fault
 * cost    one window on the file and one chunk, each 1 MiB or as large as a whole frame; of a larger
 *         frame its window and some blocks. The structure of a larger frame is read ahead
 * source  facts of the log format 1.3
 */
export const decodeZstd = async (window: ByteWindow, onBytes: OnBytes): Promise<ContainerEnd> => {
  const decoder = await loadZstd()
  const sink = chunkSink(onBytes)
  const records = frameRecords()
  let takenBytes = 0
  let verifiedBytes = 0
  let frames = 0
  let run: Frame[] = []
  let runContentBytes = 0

  const take = (piece: Uint8Array): boolean => {
    takenBytes += piece.length
    records.take(piece)
    return sink.add(piece)
  }
  const endOf = (fault: ContainerFault | null, torn: ContainerEnd["torn"] = null): ContainerEnd => {
    sink.flush()
    const decodedBytes = sink.decodedBytes()
    return {
      fault,
      torn,
      decodedBytes,
      // where the taker stopped, not all that was decoded was given out
      verifiedBytes: Math.min(verifiedBytes, decodedBytes),
      frames,
    }
  }
  const stopped = (): ContainerEnd => endOf(null)
  const corrupt = (what: ContainerDamage, frame: Frame): ContainerEnd =>
    endOf({ code: "container-corrupt", what, byteOffset: frame.byteOffset })

  /** Counts a frame that was decoded and taken; the end where that is one. */
  const settle = (frame: Frame, goesOn: boolean): ContainerEnd | null => {
    frames++
    verifiedBytes = takenBytes
    const damage = records.endFrame()
    if (damage !== null) return corrupt(damage, frame)
    return goesOn ? null : stopped()
  }

  /** Decodes the frames of the run in one go, where their sizes are declared and right. */
  const decodeTogether = (first: Frame, last: Frame): ContainerEnd | null | "one-by-one" => {
    if (!decoder.takesRuns || run.length < 2) return "one-by-one"
    if (run.some((frame) => frame.declaredBytes === null)) return "one-by-one"
    const bytes = window.view(first.byteOffset, last.end - first.byteOffset)
    const content = decoder.whole(bytes, runContentBytes)
    if (content === null || content.length !== runContentBytes) return "one-by-one"
    let from = 0
    for (const frame of run) {
      const to = from + (frame.declaredBytes ?? 0)
      const end = settle(frame, take(content.subarray(from, to)))
      if (end !== null) return end
      from = to
    }
    return null
  }

  const decodeRun = (): ContainerEnd | null => {
    const first = run[0]
    const last = run.at(-1)
    if (first === undefined || last === undefined) return null
    const end = decodeTogether(first, last)
    if (end !== "one-by-one") return end
    for (const frame of run) {
      const bytes = window.view(frame.byteOffset, frame.end - frame.byteOffset)
      const content = decoder.whole(bytes, frame.declaredBytes ?? frame.boundBytes)
      if (content === null) return corrupt("content", frame)
      const frameEnd = settle(frame, take(content))
      if (frameEnd !== null) return frameEnd
    }
    return null
  }

  /** Decodes the blocks of a frame as they come; how far, and whether it holds what it says. */
  const decodeBlocks = async (frame: Frame): Promise<"whole" | "broken" | "stopped"> => {
    const before = takenBytes
    let goesOn = true
    const decoding = decoder.begin(frame, (chunk) => {
      goesOn = goesOn && take(chunk)
    })
    try {
      for (let at = frame.byteOffset; at < frame.blocksEnd;) {
        const piece = window.view(at, Math.min(pieceBytes, frame.blocksEnd - at))
        // the file shrank
        if (piece.length === 0) return "broken"
        if (!(await decoding.push(piece))) return "broken"
        if (!goesOn) return "stopped"
        at += piece.length
      }
      if (frame.isTorn) return "whole"
      const checksum = window.view(frame.blocksEnd, frame.end - frame.blocksEnd)
      if (!(await decoding.finish(checksum))) return "broken"
      if (!goesOn) return "stopped"
      const { declaredBytes } = frame
      return declaredBytes === null || takenBytes - before === declaredBytes ? "whole" : "broken"
    } finally {
      decoding.close()
    }
  }

  let at = 0
  while (at < window.byteCount) {
    const frame = frameAt(window, at)
    const isFault = "code" in frame
    const joins = !isFault && !frame.isTorn && isSmall(frame)
    const contentBytes = joins ? (frame.declaredBytes ?? frame.boundBytes) : 0
    const start = run[0]?.byteOffset ?? at
    const isFull =
      runContentBytes + contentBytes > maxRunContentBytes ||
      (joins && frame.end - start > maxRunBytes)
    if (!joins || isFull) {
      const end = decodeRun()
      if (end !== null) return end
      run = []
      runContentBytes = 0
    }
    if (isFault) return endOf(frame)
    if (frame.isTorn) {
      const isStopped = (await decodeBlocks(frame)) === "stopped"
      if (isStopped) return stopped()
      return endOf(
        frames > 0 ? null : { code: "container-corrupt", what: "no-whole-frame", byteOffset: 0 },
        { byteOffset: at, byteLength: window.byteCount - at },
      )
    }
    if (joins) {
      run.push(frame)
      runContentBytes += contentBytes
    } else {
      const outcome = await decodeBlocks(frame)
      if (outcome === "broken") return corrupt("content", frame)
      if (outcome === "stopped") return stopped()
      const end = settle(frame, true)
      if (end !== null) return end
    }
    at = frame.end
  }
  return decodeRun() ?? endOf(null)
}
