import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { decodeContainer } from "#workers/container/decode-container"
import { temporaryFolder } from "../../shell/folder.ts"
import type { Decoded } from "./decoding.ts"
import { decodedFile, withOpen } from "./decoding.ts"

const folder = temporaryFolder()

const decoded = (...members: readonly Uint8Array[]): Promise<Decoded> =>
  decodedFile(folder.file("session.jsonl.gz", Buffer.concat(members)), "gzip")

const lines = (from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => `{"seq":${from + i}}\n`).join("")

const firstText = lines(0, 1000)
const secondText = lines(1000, 10)
const first = gzipSync(firstText)
const second = gzipSync(secondText)

const flipped = (member: Buffer, at: number): Buffer => {
  const copy = Buffer.from(member)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

describe("a log in gzip", () => {
  it("CN13: is one member or more", async () => {
    const { text, end } = await decoded(first, second, gzipSync(""), first)
    expect(text).toBe(firstText + secondText + firstText)
    expect(end).toStrictEqual({
      fault: null,
      torn: null,
      decodedBytes: text.length,
      verifiedBytes: text.length,
      frames: 4,
    })
  })

  it("CN13: members may name a file, a comment and more", async () => {
    const named = (flags: number, fields: string): Buffer =>
      Buffer.concat([
        Buffer.from([0x1f, 0x8b, 8, flags]),
        first.subarray(4, 10),
        Buffer.from(fields, "latin1"),
        first.subarray(10),
      ])
    const { text, end } = await decoded(
      named(8, "a name\0"),
      named(4 + 8 + 16 + 2, "\x03\0abcname\0comment\0\x01\x02"),
    )
    expect(text).toBe(firstText + firstText)
    expect(end).toMatchObject({ fault: null, frames: 2 })
  })

  it.each([
    ["magic", 1],
    ["header", 9],
    ["data", second.length - 12],
    ["trailer", second.length - 1],
  ])("CN13: a file that ends inside the %s of a member is torn", async (_, length) => {
    const { text, end } = await decoded(first, second.subarray(0, length))
    expect((firstText + secondText).startsWith(text)).toBe(true)
    expect(text.length).toBeGreaterThanOrEqual(firstText.length)
    expect(end).toStrictEqual({
      fault: null,
      torn: { byteOffset: first.length, byteLength: length },
      decodedBytes: text.length,
      verifiedBytes: firstText.length,
      frames: 1,
    })
  })

  it("CN13: what inflates of a torn member is given out", async () => {
    const { text, end } = await decoded(first.subarray(0, -9))
    expect(text.length).toBeGreaterThan(1000)
    expect(firstText.startsWith(text)).toBe(true)
    expect(end).toMatchObject({ fault: null, torn: { byteOffset: 0 }, verifiedBytes: 0, frames: 0 })
  })

  it("CN13: checksum, length and data hold, or the member is at fault", async () => {
    const fault = { code: "container-corrupt", what: "content", byteOffset: first.length }
    for (const at of [second.length - 1, second.length - 5])
      expect(await decoded(first, flipped(second, at), first)).toMatchObject({
        text: firstText + secondText,
        end: { fault, torn: null, verifiedBytes: firstText.length, frames: 1 },
      })
    // block type 3 is none
    const data = Buffer.from(second)
    data[10] = 0x07
    expect(await decoded(first, data)).toMatchObject({
      text: firstText,
      end: { fault, verifiedBytes: firstText.length },
    })
  })

  it("CN13: anything but a member behind a member is at fault", async () => {
    for (const tail of ["\0\0\0", '{"seq":1}\n', "\x1f\x8c"])
      expect(await decoded(first, Buffer.from(tail, "latin1"))).toMatchObject({
        text: firstText,
        end: { fault: { what: "magic", byteOffset: first.length }, torn: null, frames: 1 },
      })
    for (const bytes of ["1f8b07000000000000ff", "1f8b0820000000000000"])
      expect(await decoded(first, Buffer.from(bytes, "hex"))).toMatchObject({
        end: { fault: { what: "member-header", byteOffset: first.length } },
      })
  })

  it("CN12: comes in large chunks, and stops when told so", async () => {
    const long = lines(0, 400_000)
    const path = folder.file("long.gz", gzipSync(long))
    const { text, chunks, end } = await decodedFile(path, "gzip")
    expect(text === long).toBe(true)
    expect(Math.min(...chunks.slice(0, -1))).toBeGreaterThanOrEqual(256 * 1024)
    expect(Math.max(...chunks)).toBeLessThanOrEqual(1024 * 1024)
    expect(end.frames).toBe(1)
    const stopped = await withOpen(path, (open) => decodeContainer(open, "gzip", () => false))
    expect(stopped).toMatchObject({ fault: null, torn: null, decodedBytes: chunks[0], frames: 0 })
  })
})
