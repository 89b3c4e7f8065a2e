import { appendFileSync, existsSync, renameSync, writeFileSync } from "node:fs"
import * as zlib from "node:zlib"
import { frameAround, blockHeader, zstdFrame } from "../generate/zstd-frames.ts"

/** Makes the files of the benchmark in a folder, those that are not there yet. */

const header = '{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}\n'

const words = Array.from({ length: 4096 }, (_, i) => `w${(i * 2654435761).toString(36)}`)

/** A row of about 500 bytes; no two are alike. */
const row = (seq: number): string => {
  let text = ""
  for (let i = 0, state = seq + 1; i < 48; i++) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    text += `${words[state >>> 20] ?? ""} `
  }
  return `{"type":"user/message","seq":${seq},"time":${seq},"data":{"text":"${text}"}}\n`
}

interface Compressor {
  readonly zstdCompressSync: (bytes: Uint8Array, options: object) => Uint8Array
  readonly constants: { readonly ZSTD_c_checksumFlag: number }
}

/** Frames of a Node that has a compressor, of raw blocks on others. */
const frame = (text: string): Uint8Array => {
  if (!("zstdCompressSync" in zlib)) return zstdFrame(text)
  const compressor = zlib as unknown as Compressor
  return compressor.zstdCompressSync(Buffer.from(text), {
    params: { [compressor.constants.ZSTD_c_checksumFlag]: 1 },
  })
}

const rows = 100_000

const oneLineFrames = (path: string): void => {
  let pending: Uint8Array[] = [frame(header)]
  for (let seq = 0; seq < rows; seq++) {
    pending.push(frame(row(seq)))
    if (pending.length < 1000) continue
    appendFileSync(path, Buffer.concat(pending))
    pending = []
  }
  // the last frame is torn
  appendFileSync(path, Buffer.concat([...pending, frame(row(rows)).subarray(0, -20)]))
}

const longText = (): string => Array.from({ length: rows }, (_, seq) => row(seq)).join("")

/** A frame of 1 GB of raw blocks, without a checksum: it is the memory that matters. */
const giantFrame = (path: string): void => {
  const block = Buffer.alloc(128 * 1024, `${"x".repeat(127)}\n`)
  const blocks = 8192
  writeFileSync(path, frame(header))
  const opening = frameAround([], Buffer.alloc(0), { declaredBytes: null, hasChecksum: false })
  appendFileSync(path, opening)
  for (let i = 0; i < blocks; i++)
    appendFileSync(path, Buffer.concat([blockHeader(0, block.length, i === blocks - 1), block]))
}

const makers: Readonly<Record<string, (path: string) => void>> = {
  "one-line-frames.zstd": oneLineFrames,
  "long-frame.zstd": (path) =>
    writeFileSync(path, Buffer.concat([frame(header), frame(longText())])),
  "giant-frame.zstd": giantFrame,
  "one-member.gz": (path) => writeFileSync(path, zlib.gzipSync(longText())),
}

/** Paths of all files. */
export const filesIn = (folder: string): readonly string[] =>
  Object.entries(makers).map(([name, make]) => {
    const path = `${folder}/${name}`
    if (!existsSync(path)) {
      make(`${path}.part`)
      renameSync(`${path}.part`, path)
    }
    return path
  })
