import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { memoryWindow } from "#workers/container/byte-window"
import { decodeContainer } from "#workers/container/decode-container"
import { entriesOf } from "#workers/container/entries"
import { fallbackDecoder } from "#workers/container/zstd-fallback"
import { frameAt } from "#workers/container/zstd-frame"
import type { FrameForm } from "../bench/generate/zstd-frames.ts"
import { zstdFrame } from "../bench/generate/zstd-frames.ts"
import { temporaryFolder } from "../test/shell/folder.ts"
import type { Decoded } from "../test/workers/container/decoding.ts"
import { collected, decodedFile, withOpen, zipOf } from "../test/workers/container/decoding.ts"
import { fewRuns } from "./scale.ts"

const folder = temporaryFolder()

const batches = fileURLToPath(
  new URL("../test/fixtures/containers/batches.jsonl.zstd", import.meta.url),
)

const forms: fc.Arbitrary<FrameForm> = fc.record(
  {
    blockBytes: fc.integer({ min: 1, max: 40 }),
    declaredBytes: fc.constant(null),
    hasChecksum: fc.constant(false),
    window: fc.constantFrom(0, 1, 0x58),
  },
  { requiredKeys: [] },
)

const lines = fc.array(
  fc.string({ maxLength: 12 }).map((text) => `${JSON.stringify(text)}\n`),
  { maxLength: 4 },
)

/** The texts of the frames of a log, the first of one line, and how each frame is written. */
const frames = fc
  .tuple(fc.string({ maxLength: 8 }), fc.array(fc.tuple(lines, forms), { maxLength: 5 }), forms)
  .map(([header, batches, form]) => [
    { text: `${JSON.stringify(header)}\n`, form },
    ...batches.map(([batch, batchForm]) => ({ text: batch.join(""), form: batchForm })),
  ])

const checked = frames.map((all) =>
  all.map(({ text, form }) => ({ text, form: { ...form, hasChecksum: true } })),
)

const decoded = (bytes: Uint8Array, container: "zstd" | "gzip"): Promise<Decoded> =>
  decodedFile(folder.file("log", bytes), container)

const textOf = (all: readonly { readonly text: string }[]): string =>
  all.map(({ text }) => text).join("")

const bytesOf = (all: readonly { readonly text: string; readonly form: FrameForm }[]): Buffer =>
  Buffer.concat(all.map(({ text, form }) => zstdFrame(text, form)))

/** What holds of any end: verified bytes are a prefix of the content, and no more than was given. */
const holds = ({ bytes, end }: Decoded, content: string): void => {
  expect(end.decodedBytes).toBe(bytes.length)
  expect(end.verifiedBytes).toBeLessThanOrEqual(bytes.length)
  const verified = bytes.subarray(0, end.verifiedBytes)
  expect(Buffer.from(content).subarray(0, verified.length).equals(verified)).toBe(true)
}

describe("containers", () => {
  it("CN2 CN21: any frames come out as what went in", async () => {
    await fc.assert(
      fc.asyncProperty(frames, async (all) => {
        const { text, end } = await decoded(bytesOf(all), "zstd")
        expect(text).toBe(textOf(all))
        expect(end).toMatchObject({ fault: null, torn: null, frames: all.length })
      }),
    )
  })

  it("CN6 CN21: cut anywhere, what comes out is a prefix and the cut is told", async () => {
    await fc.assert(
      fc.asyncProperty(frames, async (all) => {
        const bytes = bytesOf(all)
        const ends: number[] = []
        for (const { text, form } of all)
          ends.push((ends.at(-1) ?? 0) + zstdFrame(text, form).length)
        for (let length = 1; length < bytes.length; length++) {
          const part = await decoded(bytes.subarray(0, length), "zstd")
          holds(part, textOf(all))
          expect(textOf(all).startsWith(part.text)).toBe(true)
          const whole = ends.filter((end) => end <= length).length
          expect(part.end.frames).toBe(whole)
          expect(part.end.verifiedBytes).toBe(Buffer.byteLength(textOf(all.slice(0, whole))))
          const byteOffset = ends[whole - 1] ?? 0
          expect(part.end.torn).toStrictEqual(
            byteOffset === length ? null : { byteOffset, byteLength: length - byteOffset },
          )
          expect(part.end.fault).toStrictEqual(
            whole > 0 ? null : { code: "container-corrupt", what: "no-whole-frame", byteOffset: 0 },
          )
        }
      }),
      fewRuns(0.1),
    )
  })

  it("CN7 CN21: with a bit turned anywhere, verified bytes are a prefix and something is told", async () => {
    await fc.assert(
      fc.asyncProperty(checked, fc.nat(), fc.nat(7), async (all, place, bit) => {
        const bytes = bytesOf(all)
        const at = place % bytes.length
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
        const part = await decoded(bytes, "zstd")
        holds(part, textOf(all))
        // the checksum flag itself, the window, and a size that need not be declared are not summed up
        if (part.end.fault === null && part.end.torn === null) expect(part.text).toBe(textOf(all))
      }),
      fewRuns(3),
    )
  })

  it("CN7 CN21: the same of frames that a compressor made", async () => {
    const bytes = readFileSync(batches)
    const whole = await decodedFile(batches, "zstd")
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.nat(7),
        fc.boolean(),
        async (at, bit, isCut) => {
          const changed = Buffer.from(bytes.subarray(0, isCut ? at + 1 : bytes.length))
          changed[at] = (changed[at] ?? 0) ^ (1 << bit)
          const part = await decoded(changed, "zstd")
          holds(part, whole.text)
          // a header can be changed so that it says the same
          if (part.end.fault === null && part.end.torn === null) expect(part.text).toBe(whole.text)
        },
      ),
      fewRuns(3),
    )
  })

  it("CN21 CN22: the decoder in JavaScript takes and refuses what libzstd does", async () => {
    const { whole, begin } = await fallbackDecoder()
    const bytes = readFileSync(batches)
    const unsummed: Buffer[] = []
    for (let at = 0; at < bytes.length;) {
      const frame = frameAt(memoryWindow(bytes), at)
      if ("code" in frame) return expect.fail(frame.code)
      const copy = Buffer.from(bytes.subarray(at, frame.blocksEnd))
      // without the flag of the checksum nothing but the decoders finds a change
      copy[4] = (copy[4] ?? 0) & ~4
      unsummed.push(copy)
      at = frame.end
    }
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...unsummed), changes, async (original, places) => {
        const changed = Buffer.from(original)
        const sound = frameAt(memoryWindow(original), 0)
        const from = "code" in sound ? 0 : sound.headerBytes + 3
        for (const [place, value] of places)
          changed[from + (place % (changed.length - from))] = value
        const frame = frameAt(memoryWindow(changed), 0)
        if ("code" in frame || frame.isTorn || frame.end !== changed.length) return
        const content = whole(changed, frame.declaredBytes ?? frame.boundBytes)
        const pieces: Buffer[] = []
        const decoding = begin(frame, (chunk) => pieces.push(Buffer.from(chunk)))
        const isSound = await decoding.push(changed)
        const given = Buffer.concat(pieces)
        const isTaken = isSound && (frame.declaredBytes ?? given.length) === given.length
        expect(isTaken).toBe(content !== null)
        expect(content === null || given.equals(content)).toBe(true)
      }),
      fewRuns(10),
    )
  })

  it("CN5 CN21: frames that are swapped or dropped come out as they stand, or are told", async () => {
    await fc.assert(
      fc.asyncProperty(checked, fc.array(fc.nat(), { maxLength: 6 }), async (all, picks) => {
        const picked = picks.flatMap((pick) => all[pick % all.length] ?? [])
        if (picked.length === 0) return
        const part = await decoded(bytesOf(picked), "zstd")
        const { text, end } = part
        holds(part, textOf(picked))
        const first = picked[0]?.text ?? ""
        if (first.split("\n").length === 2) {
          expect(text).toBe(textOf(picked))
          expect(end.fault).toBeNull()
        } else expect(end.fault).toMatchObject({ what: "header-frame" })
      }),
    )
  })

  it("CN21: any bytes behind the magic end in a fault, a tear or a frame", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (rest) => {
        const { end } = await decoded(Buffer.concat([Buffer.from("28b52ffd", "hex"), rest]), "zstd")
        expect(end.fault !== null || end.frames > 0).toBe(true)
      }),
      fewRuns(3),
    )
  })

  it("CN13 CN21: gzip members cut or with a bit turned anywhere give a verified prefix", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(lines, { minLength: 1, maxLength: 4 }),
        fc.nat(),
        fc.option(fc.nat(7)),
        async (members, place, bit) => {
          const content = members.map((member) => member.join("")).join("")
          const bytes = Buffer.concat(members.map((member) => gzipSync(member.join(""))))
          const at = place % bytes.length
          if (bit === null) {
            const part = await decoded(bytes.subarray(0, at), "gzip")
            holds(part, content)
            expect(content.startsWith(part.text)).toBe(true)
          } else {
            bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
            const part = await decoded(bytes, "gzip")
            holds(part, content)
            if (part.end.fault === null && part.end.torn === null) expect(part.text).toBe(content)
          }
        },
      ),
    )
  })

  it("CN14 CN21: a zip archive cut or with a bit turned anywhere gives verified logs or a fault", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(lines, { minLength: 1, maxLength: 3 }),
        fc.nat(),
        fc.option(fc.nat(7)),
        async (logs, place, bit) => {
          const contents = logs.map((log) => log.join(""))
          const whole = zipOf(
            contents.map((content, i) => ({ name: `${i}/session.jsonl`, content })),
          )
          const at = place % whole.length
          if (bit !== null) whole[at] = (whole[at] ?? 0) ^ (1 << bit)
          const bytes = bit === null ? whole.subarray(0, at) : whole
          await withOpen(folder.file("zip", bytes), async (open) => {
            const found = await entriesOf(open, "zip", {
              isLog: () => true,
              temporaryFolder: folder.path,
            })
            if ("code" in found) return
            expect(bit).not.toBeNull()
            for (const entry of found.entries) {
              const { text, end } = await collected(entry.decode)
              if (end.fault === null) expect(contents).toContain(text)
            }
          })
        },
      ),
    )
  })

  it("CN12 CN21: stopped after any chunk, no more is given out", async () => {
    await fc.assert(
      fc.asyncProperty(frames, async (all) => {
        await withOpen(folder.file("log", bytesOf(all)), async (open) => {
          let calls = 0
          const end = await decodeContainer(open, "zstd", () => {
            calls++
            return false
          })
          expect(calls).toBe(1)
          expect(end.fault).toBeNull()
        })
      }),
    )
  })
})
