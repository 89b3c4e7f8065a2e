import type { ContainerDamage } from "../../core/fold/container-fault.ts"

const newline = 10

/** Watches where the frames of a log end. */
export interface FrameRecords {
  /** Takes what the current frame decodes to, piece by piece. */
  readonly take: (piece: Uint8Array) => void
  /** Ends the frame; what is wrong with where it ends, or null. */
  readonly endFrame: () => ContainerDamage | null
}

/**
 * The rule of the store: the first frame is exactly one line, each further one ends with a record.
 * A frame without content ends where the one before it did.
 *
 * source  facts of the log format 1.3
 */
export const frameRecords = (): FrameRecords => {
  let isFirst = true
  let lastByte = newline
  // of the first frame only: how many newlines it has, counted up to two
  let newlines = 0
  const take = (piece: Uint8Array): void => {
    if (piece.length === 0) return
    lastByte = piece[piece.length - 1] ?? newline
    if (!isFirst) return
    for (let at = piece.indexOf(newline); at >= 0 && newlines < 2; newlines++)
      at = piece.indexOf(newline, at + 1)
  }
  const endFrame = (): ContainerDamage | null => {
    const isHeader = isFirst
    isFirst = false
    if (isHeader && (newlines !== 1 || lastByte !== newline)) return "header-frame"
    return lastByte === newline ? null : "record-boundary"
  }
  return { take, endFrame }
}
