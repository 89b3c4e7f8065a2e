import { compress, init } from "@bokuweb/zstd-wasm"

const newline = 10
// what the agent's store writes at once: the rows of a fifth of a second
const frameBytes = 64 * 1024

// a second time it would answer before it is ready
let initialized: Promise<void> | null = null

/**
 * A log as the store keeps it: a frame for the header, then a frame for each batch of rows. A torn
 * line is left out, since no frame ends inside a row.
 */
export const zstdCompressed = async (text: Buffer): Promise<Buffer> => {
  await (initialized ??= init())
  const log = text.subarray(0, text.lastIndexOf(newline) + 1)
  const frames: Buffer[] = []
  for (let from = 0; from < log.length;) {
    const wanted = from === 0 ? 0 : from + frameBytes
    const end = wanted >= log.length ? log.length : log.indexOf(newline, wanted) + 1
    frames.push(Buffer.from(compress(log.subarray(from, end))))
    from = end
  }
  return Buffer.concat(frames)
}
