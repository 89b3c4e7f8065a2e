import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { LineWindow } from "#core/fold/line-window"

const size = 1_000_000
const log: Uint8Array = Uint8Array.from({ length: size }, (_, at) => 97 + ((at * at) % 26))

const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1")

const lines = fc.array(
  fc.record({
    // mostly a little further on, sometimes anywhere
    byteOffset: fc.oneof(
      fc.nat({ max: size - 1 }),
      fc.constantFrom(0, 262_143, 262_144, 262_145, 524_288, size - 10),
    ),
    byteLength: fc.oneof(fc.nat({ max: 300 }), fc.constantFrom(0, 262_144, 262_145, 400_000)),
  }),
  { maxLength: 30 },
)

describe("lines that are read again", () => {
  it("A20: any lines in any order are the bytes at their places, however little a read gives", () => {
    fc.assert(
      fc.property(
        lines,
        fc.boolean(),
        fc.integer({ min: 100, max: 500_000 }),
        (wanted, isSorted, atMost) => {
          const window = new LineWindow({
            decodeUtf8: textOf,
            readAt: (bytes, into, length, position) => {
              const read = log.subarray(position, position + Math.min(length, atMost))
              bytes.set(read, into)
              return read.length
            },
          })
          const places = isSorted ? wanted.toSorted((a, b) => a.byteOffset - b.byteOffset) : wanted
          for (const { byteOffset, byteLength } of places)
            expect(window.read({ byteOffset, byteLength })).toBe(
              textOf(log.subarray(byteOffset, byteOffset + byteLength)),
            )
        },
      ),
    )
  })
})
