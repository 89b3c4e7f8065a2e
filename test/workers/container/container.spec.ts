import { readFileSync, readdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as zlib from "node:zlib"
import { describe, expect, it } from "vitest"
import { memoryWindow } from "#workers/container/byte-window"
import { containerOf } from "#workers/container/container"
import { decodeContainer } from "#workers/container/decode-container"
import { fallbackDecoder } from "#workers/container/zstd-fallback"
import { xxh64 } from "#workers/container/xxh64"
import type { Frame } from "#workers/container/zstd-frame"
import { frameAt } from "#workers/container/zstd-frame"
import { nativeZstd } from "#workers/container/zstd-native"
import { xxh64Of, zstdFrame } from "../../../bench/generate/zstd-frames.ts"
import { temporaryFolder } from "../../shell/folder.ts"
import { decodedFile } from "./decoding.ts"

const folder = temporaryFolder()

describe("the container of a file", () => {
  it("CN1: shows in its first bytes, whatever the name", () => {
    const starts = {
      zstd: "28b52ffd24",
      gzip: "1f8b0800",
      zip: "504b030414",
      sqlite: "53514c69746520666f726d6174203300",
    } as const
    for (const [container, start] of Object.entries(starts))
      for (const name of ["session.jsonl", "x.gz", "-"])
        expect(containerOf(Buffer.from(start, "hex"), name)).toBe(container)
    expect(containerOf(Buffer.from("504b0506", "hex"), "x")).toBe("zip")
    for (const text of ["", "{", "P", '{"type":"session"}', "SQLite format 3", "(\u00b5"])
      expect(containerOf(Buffer.from(text), "session.jsonl")).toBe("plain")
  })

  it("CN1: by its name only where it ends inside its first bytes", () => {
    const start = Buffer.from("28b5", "hex")
    expect(containerOf(start, "session.jsonl.zstd")).toBe("zstd")
    expect(containerOf(start, "session.jsonl")).toBe("plain")
    expect(containerOf(Buffer.from("1f", "hex"), "session.jsonl.gz")).toBe("gzip")
    expect(containerOf(Buffer.from("50", "hex"), "export.zip")).toBe("zip")
    expect(containerOf(Buffer.from('{"a"'), "session.jsonl.zstd")).toBe("plain")
    expect(containerOf(Buffer.alloc(0), "session.jsonl.zstd")).toBe("plain")
  })
})

describe("a plain file", () => {
  it("CN2: is given out as it is", async () => {
    const text = '{"seq":0}\n'.repeat(300_000)
    const { text: given, end } = await decodedFile(folder.file("plain", text), "plain")
    expect(given === text).toBe(true)
    expect(end).toMatchObject({ fault: null, torn: null, decodedBytes: text.length })
  })
})

it("CN20: a fault of the file system ends decoding as one of the container does", async () => {
  const closed = { descriptor: 999_999, byteCount: 10 }
  for (const container of ["plain", "zstd", "gzip"] as const)
    expect(await decodeContainer(closed, container, () => true)).toMatchObject({
      fault: { code: "read-failed", errno: "EBADF" },
      decodedBytes: 0,
    })
})

/** The frame that bytes are, as the walk over its structure shows it. */
const structureOf = (bytes: Uint8Array): Frame => {
  const frame = frameAt(memoryWindow(bytes), 0)
  if ("code" in frame) return expect.fail(frame.code)
  return frame
}

describe("a Node without Zstandard", () => {
  it("CN22: decodes by packages what the others decode themselves", async () => {
    const decoder = await fallbackDecoder()
    const text = "one line\n".repeat(1000)
    const frame = zstdFrame(text)
    const blocksEnd = frame.length - 4
    expect(Buffer.from(decoder.whole(frame, text.length) ?? []).toString()).toBe(text)
    expect(
      Buffer.from(
        decoder.whole(zstdFrame(text, { declaredBytes: null }), text.length) ?? [],
      ).toString(),
    ).toBe(text)
    const wrong = Buffer.from(frame)
    wrong.writeUInt8((wrong.at(-1) ?? 0) ^ 0xff, frame.length - 1)
    expect(decoder.whole(wrong, text.length)).toBeNull()
    for (const [checksum, isSound] of [
      [frame.subarray(blocksEnd), true],
      [wrong.subarray(blocksEnd), false],
      [Buffer.alloc(0), true],
    ] as const) {
      let streamed = ""
      const decoding = decoder.begin(structureOf(frame), (chunk) => {
        streamed += Buffer.from(chunk).toString()
      })
      // the pieces come in one reused buffer
      const piece = Buffer.alloc(100)
      for (let at = 0; at < blocksEnd; at += 100) {
        const length = frame.copy(piece, 0, at, Math.min(at + 100, blocksEnd))
        expect(await decoding.push(piece.subarray(0, length))).toBe(true)
      }
      expect(await decoding.finish(checksum)).toBe(isSound)
      expect(streamed).toBe(text)
      decoding.close()
    }
  })

  it("CN22: is told from one with it", () => {
    expect(nativeZstd({})).toBeNull()
    expect(nativeZstd(zlib) !== null).toBe("createZstdDecompress" in zlib)
  })

  it("CN22: sums up what a compressor made as the compressor does", async () => {
    const decoder = await fallbackDecoder()
    const at = fileURLToPath(new URL("../../fixtures/containers/", import.meta.url))
    expect(readdirSync(at).toSorted()).toStrictEqual([
      "batches.jsonl.zstd",
      "long-frame.jsonl.zstd",
    ])
    const bytes = readFileSync(`${at}long-frame.jsonl.zstd`)
    const magic = Buffer.from("28b52ffd", "hex")
    const frame = bytes.subarray(bytes.indexOf(magic, 4), bytes.lastIndexOf(magic))
    let length = 0
    const decoding = decoder.begin(structureOf(frame), (chunk) => {
      length += chunk.length
    })
    expect(await decoding.push(frame.subarray(0, -4))).toBe(true)
    expect(await decoding.finish(frame.subarray(-4))).toBe(true)
    expect(length).toBe(9_280_000)
  })

  it("CN22: has an XXH64 of its own, of pieces of any size", () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * i) >> 3))
    for (const length of [0, 1, 3, 4, 7, 8, 12, 31, 32, 33, 63, 64, 100, 65_536, 65_537, 70_000]) {
      const content = bytes.subarray(0, length)
      for (const step of [1000, 65_536, 70_000]) {
        const hash = xxh64()
        for (let at = 0; at < length; at += step) hash.update(content.subarray(at, at + step))
        expect(hash.digest(), `${length} by ${step}`).toBe(xxh64Of(content))
      }
    }
  })
})
