import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { decodeContainer } from "#workers/container/decode-container"
import {
  blockHeader,
  frameAround,
  xxh64Of,
  zstdFrame,
  zstdLog,
} from "../../../bench/generate/zstd-frames.ts"
import { temporaryFolder } from "../../shell/folder.ts"
import type { Decoded } from "./decoding.ts"
import { decodedFile, withOpen } from "./decoding.ts"

const folder = temporaryFolder()

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../fixtures/containers/${name}`, import.meta.url))

const decoded = (...frames: readonly Uint8Array[]): Promise<Decoded> =>
  decodedFile(folder.file("session.jsonl.zstd", Buffer.concat(frames)), "zstd")

const corrupt = (what: string, byteOffset: number): object => ({
  code: "container-corrupt",
  what,
  byteOffset,
})

const header = '{"type":"session"}\n'
const first = zstdFrame(header)
const batch = '{"seq":0}\n{"seq":1}\n'
const second = zstdFrame(batch)

/** A frame with a bit of its content turned over. */
const damaged = (frame: Buffer, at: number): Buffer => {
  const copy = Buffer.from(frame)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

describe("frames of a log", () => {
  it("CN2: are given out one behind the other", async () => {
    const { text, end } = await decoded(first, second, zstdFrame('{"seq":2}\n'))
    expect(text).toBe(`${header}${batch}{"seq":2}\n`)
    expect(end).toStrictEqual({
      fault: null,
      torn: null,
      decodedBytes: text.length,
      verifiedBytes: text.length,
      frames: 3,
    })
  })

  it("CN2: are what the compressor of the store makes", async () => {
    const row = (i: number): string =>
      `{"type":"plan/mode","seq":${i},"time":${i * i},"data":{"active":${i % 2 === 0}}}\n`
    const rows = Array.from({ length: 205 }, (_, i) => row(i)).join("")
    const { text, end } = await decodedFile(fixture("batches.jsonl.zstd"), "zstd")
    expect(text).toBe(
      `{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}\n${rows}`,
    )
    expect(end).toMatchObject({ fault: null, torn: null, frames: 3, verifiedBytes: text.length })
  })

  it("CN2: need not declare their size nor carry a checksum, and may repeat one byte", async () => {
    const blanks = frameAround(
      [blockHeader(1, 40, false), Buffer.from(" "), blockHeader(0, 1, true), Buffer.from("\n")],
      Buffer.from(`${" ".repeat(40)}\n`),
    )
    const { text, end } = await decoded(
      first,
      zstdFrame(batch, { declaredBytes: null }),
      zstdFrame(batch, { hasChecksum: false, blockBytes: 7 }),
      zstdFrame(batch, { declaredBytes: null, hasChecksum: false }),
      blanks,
    )
    expect(text).toBe(header + batch.repeat(3) + `${" ".repeat(40)}\n`)
    expect(end).toMatchObject({ fault: null, frames: 5 })
  })

  it("CN3: the first is exactly one line", async () => {
    const bad = corrupt("header-frame", 0)
    for (const text of [header + batch, '{"type":"session"}', "", `${header}{`]) {
      const { text: given, end } = await decoded(zstdFrame(text), second)
      expect(given, text).toBe(text)
      expect(end, text).toMatchObject({ fault: bad, frames: 1 })
    }
  })

  it("CN4: each further one ends with a record, and may be empty", async () => {
    const { text, end } = await decoded(first, zstdFrame('{"seq":0}\n{"se'), second)
    expect(text).toBe(`${header}{"seq":0}\n{"se`)
    expect(end).toMatchObject({ fault: corrupt("record-boundary", first.length), frames: 2 })
    expect(await decoded(first, zstdFrame(""), second)).toMatchObject({
      text: header + batch,
      end: { fault: null, frames: 3 },
    })
  })

  it("CN5: nothing else stands between or behind them", async () => {
    const at = first.length + second.length
    const skippable = Buffer.from("502a4d18020000000000", "hex")
    expect(await decoded(first, second, skippable, second)).toMatchObject({
      text: header + batch,
      end: { fault: corrupt("magic", at), torn: null, frames: 2 },
    })
    expect(await decoded(first, second, Buffer.from([0, 1, 2, 3, 4]))).toMatchObject({
      end: { fault: corrupt("magic", at) },
    })
    expect(await decoded(first, second, Buffer.from('{"seq":2}\n'))).toMatchObject({
      text: header + batch,
      end: { fault: corrupt("plain-text", at), torn: null },
    })
  })
})

describe("a file that ends inside a frame", () => {
  const blocks = zstdFrame(batch, { blockBytes: 10 })

  it.each([
    ["its magic", 3, ""],
    ["its header", 8, ""],
    ["its first block", 20, ""],
    ["its second block", 30, '{"seq":0}\n'],
    ["its checksum", blocks.length - 1, batch],
  ])("CN6: torn in %s, its whole blocks are given out", async (_, length, given) => {
    const { text, end } = await decoded(first, second, blocks.subarray(0, length))
    expect(text).toBe(header + batch + given)
    expect(end).toStrictEqual({
      fault: null,
      torn: { byteOffset: first.length + second.length, byteLength: length },
      decodedBytes: text.length,
      verifiedBytes: header.length + batch.length,
      frames: 2,
    })
  })

  it("CN6: without a whole frame it is no log", async () => {
    const { text, end } = await decoded(zstdFrame(header + batch).subarray(0, -1))
    expect(text).toBe(header + batch)
    expect(end).toMatchObject({
      fault: corrupt("no-whole-frame", 0),
      torn: { byteOffset: 0 },
      verifiedBytes: 0,
    })
  })

  it("CN6: what a compressor made is decoded as far as it goes", async () => {
    const whole = readFileSync(fixture("batches.jsonl.zstd"))
    const all = (await decodedFile(fixture("batches.jsonl.zstd"), "zstd")).text
    const { text, end } = await decoded(whole.subarray(0, -2))
    expect(text).toBe(all)
    expect(end).toMatchObject({ fault: null, frames: 2 })
  })
})

describe("a frame that is not what it says", () => {
  it("CN7: is not given out where its checksum does not hold, those before it are", async () => {
    for (const at of [second.length - 1, 20]) {
      const { text, end } = await decoded(first, second, damaged(second, at), second)
      expect(text).toBe(header + batch)
      expect(end).toStrictEqual({
        fault: corrupt("content", first.length + second.length),
        torn: null,
        decodedBytes: text.length,
        verifiedBytes: text.length,
        frames: 2,
      })
    }
  })

  it("CN8: reserved bits, a dictionary, a reserved or too large block have their place", async () => {
    const at = first.length
    for (const bit of [3, 4]) {
      const reserved = Buffer.from(second)
      reserved[4] = (reserved[4] ?? 0) | (1 << bit)
      expect((await decoded(first, reserved)).end.fault).toStrictEqual(
        corrupt("reserved-bits", at + 4),
      )
    }
    const dictionary = Buffer.from("28b52ffd0158070100000a", "hex")
    expect((await decoded(first, dictionary)).end.fault).toStrictEqual(
      corrupt("dictionary", at + 6),
    )
    const block = frameAround([blockHeader(3, 1, true), Buffer.alloc(1)], Buffer.alloc(0))
    expect((await decoded(first, block)).end.fault).toStrictEqual(corrupt("block-type", at + 14))
    const large = frameAround(
      [blockHeader(1, 128 * 1024 + 1, true), Buffer.alloc(1)],
      Buffer.alloc(0),
    )
    expect((await decoded(first, large)).end.fault).toStrictEqual(corrupt("block-size", at + 14))
    // a window of 1 KiB allows no larger block
    const narrow = zstdFrame("x".repeat(1025), { window: 0 })
    expect((await decoded(first, narrow)).end.fault).toStrictEqual(corrupt("block-size", at + 14))
    expect(await decoded(first, block)).toMatchObject({ text: header, end: { frames: 1 } })
  })

  it("CN9: declares no more than its blocks can hold, and what they hold", async () => {
    for (const declaredBytes of [batch.length + 1, 2 ** 62])
      expect(await decoded(first, zstdFrame(batch, { declaredBytes }))).toMatchObject({
        text: header,
        end: { fault: corrupt("declared-size", first.length), frames: 1 },
      })
    expect(await decoded(first, zstdFrame(batch, { declaredBytes: 3 }))).toMatchObject({
      text: header,
      end: { fault: corrupt("content", first.length), frames: 1 },
    })
  })

  it("CN10: a window above 128 MiB is refused with its size", async () => {
    // exponent 27, mantissa 0: the limit itself
    expect((await decoded(first, zstdFrame(batch, { window: 17 << 3 }))).end.fault).toBeNull()
    expect(await decoded(first, zstdFrame(batch, { window: (17 << 3) | 1 }), second)).toMatchObject(
      {
        text: header,
        end: {
          fault: {
            code: "container-window",
            byteOffset: first.length,
            windowBytes: 150_994_944,
            limitBytes: 134_217_728,
          },
          frames: 1,
        },
      },
    )
    // one segment: the window is the declared size, here 2^40
    const segment = Buffer.from("28b52ffde400000000000100000b0000", "hex")
    expect((await decoded(first, segment)).end.fault).toMatchObject({
      code: "container-window",
      windowBytes: 2 ** 40,
    })
  })
})

describe("a large frame", () => {
  const line = (i: number): string => `{"n":${i % 7},"text":"${"x".repeat(40)}"}\n`
  const long = Array.from({ length: 160_000 }, (_, i) => line(i)).join("")
  const headerText = '{"type":"session","version":0,"id":"s","createdAt":1,"delegationDepth":0}\n'

  // the compressor ends a stream with a frame of nothing
  const emptyFrameBytes = 13

  it("CN11: is given out as it is decoded", async () => {
    const { text, chunks, end } = await decodedFile(fixture("long-frame.jsonl.zstd"), "zstd")
    expect(text === headerText + long).toBe(true)
    expect(Math.max(...chunks)).toBeLessThanOrEqual(1024 * 1024)
    expect(end).toMatchObject({ fault: null, frames: 3, verifiedBytes: text.length })
  })

  it("CN11: a checksum that does not hold is known at its end", async () => {
    const bytes = readFileSync(fixture("long-frame.jsonl.zstd"))
    const { text, end } = await decoded(damaged(bytes, bytes.length - emptyFrameBytes - 1))
    expect(text === headerText + long).toBe(true)
    const frameAt = bytes.indexOf(Buffer.from("28b52ffd", "hex"), 4)
    expect(end).toMatchObject({
      fault: corrupt("content", frameAt),
      frames: 1,
      verifiedBytes: headerText.length,
    })
  })

  it("CN11: torn, it is decoded as far as it goes", async () => {
    const bytes = readFileSync(fixture("long-frame.jsonl.zstd"))
    const { text, end } = await decoded(bytes.subarray(0, -5000))
    expect(end).toMatchObject({ fault: null, frames: 1 })
    expect(end.torn).not.toBeNull()
    expect(text.length).toBeGreaterThan(500_000)
    expect((headerText + long).startsWith(text)).toBe(true)
  })

  it("CN11: of raw blocks, with a declared size that is right or wrong", async () => {
    const blocks = zstdFrame(long)
    expect((await decoded(first, blocks)).text === header + long).toBe(true)
    expect((await decoded(first, blocks)).end).toMatchObject({ fault: null, frames: 2 })
    const wrong = zstdFrame(long, { declaredBytes: long.length - 1 })
    expect((await decoded(first, wrong)).end).toMatchObject({
      fault: corrupt("content", first.length),
      frames: 1,
    })
  })
})

describe("chunks", () => {
  const lines = [header.trim(), ...Array.from({ length: 40_000 }, (_, i) => `{"seq":${i}}`)]
  const path = (): string => folder.file("many.jsonl.zstd", zstdLog(lines, 1))

  it("CN12: of many small frames are joined", async () => {
    const { text, chunks, end } = await decodedFile(path(), "zstd")
    expect(text === `${lines.join("\n")}\n`).toBe(true)
    expect(end).toMatchObject({ fault: null, frames: 40_001 })
    expect(Math.min(...chunks.slice(0, -1).concat(2 ** 30))).toBeGreaterThanOrEqual(256 * 1024)
  })

  it("CN12: stop when their taker says so", async () => {
    let taken = 0
    const end = await withOpen(fixture("long-frame.jsonl.zstd"), (open) =>
      decodeContainer(open, "zstd", (chunk) => {
        taken += chunk.length
        return false
      }),
    )
    expect(end).toMatchObject({ fault: null, torn: null, decodedBytes: taken })
    expect(taken).toBeLessThanOrEqual(1024 * 1024)
  })
})

it("CN7: checksums are XXH64", () => {
  // published vectors
  const vectors = {
    "": "ef46db3751d8e999",
    a: "d24ec4f1a98c6e5b",
    abc: "44bc2cf5ad770999",
    "Nobody inspects the spammish repetition": "fbcea83c8a378bf1",
  }
  for (const [text, digest] of Object.entries(vectors))
    expect(xxh64Of(Buffer.from(text)).toString(16)).toBe(digest)
})
