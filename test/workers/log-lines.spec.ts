import { closeSync, ftruncateSync, openSync, statSync, writeSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { LineRange } from "#core/log/line-range"
import type { LineText } from "#core/fold/log-reading"
import { linesOf, maxLineBytes, readLines, releaseBlock } from "#workers/log-lines"
import { temporaryFolder } from "../shell/folder.ts"

const folder = temporaryFolder()

interface Read {
  readonly lines: readonly (readonly [LineText, LineRange])[]
  readonly rest: LineRange
}

const reading = <A>(path: string, use: (descriptor: number, byteCount: number) => A): A => {
  const descriptor = openSync(path, "r")
  try {
    return use(descriptor, statSync(path).size)
  } finally {
    closeSync(descriptor)
    releaseBlock()
  }
}

const read = (content: string | Uint8Array, upTo = Infinity): Read =>
  reading(folder.file("lines", content), (descriptor, byteCount) => {
    const lines: (readonly [LineText, LineRange])[] = []
    const rest = readLines(descriptor, { from: 0, to: Math.min(byteCount, upTo) }, (text, at) => {
      lines.push([text, at])
      return true
    })
    return { lines, rest }
  })

const textsIn = ({ lines }: Read): readonly LineText[] => lines.map(([text]) => text)

describe("lines of a file", () => {
  it("A20: are cut at newlines alone, and the rest is what follows the last one", () => {
    expect(read("a\r\n\n é\u2028x\nrest")).toStrictEqual({
      lines: [
        ["a\r", { byteOffset: 0, byteLength: 2 }],
        ["", { byteOffset: 3, byteLength: 0 }],
        [" é\u2028x", { byteOffset: 4, byteLength: 7 }],
      ],
      rest: { byteOffset: 12, byteLength: 4 },
    })
    expect(read("")).toStrictEqual({ lines: [], rest: { byteOffset: 0, byteLength: 0 } })
    expect(read("\n").rest).toStrictEqual({ byteOffset: 1, byteLength: 0 })
  })

  it("A20: come out the same wherever a block ends", () => {
    const block = 1024 * 1024
    // newline as last byte of a block, as first byte of the next, characters across the border
    for (const length of [block - 2, block - 1, block, block + 1, 2 * block, 5 * block + 3]) {
      const long = "é".repeat(Math.floor(length / 2)) + "x".repeat(length % 2)
      const content = `first\n${long}\n\n${long}\nlast\nrest`
      const result = read(content)
      expect(textsIn(result)).toStrictEqual(content.split("\n").slice(0, -1))
      expect(result.rest).toStrictEqual({
        byteOffset: Buffer.byteLength(content) - 4,
        byteLength: 4,
      })
      let at = 0
      for (const [text, range] of result.lines) {
        const byteLength = typeof text === "string" ? Buffer.byteLength(text) : -1
        expect(range).toStrictEqual({ byteOffset: at, byteLength })
        at += byteLength + 1
      }
    }
  })

  it("A20: after a long line short ones are short again", () => {
    const content = `${"x".repeat(3 * 1024 * 1024)}\n${"y\n".repeat(100_000)}`
    expect(textsIn(read(content))).toStrictEqual(content.split("\n").slice(0, -1))
  })

  it("A20: are read as far as the caller wants, and as the file was long", () => {
    const seen: LineText[] = []
    const rest = reading(folder.file("lines", "a\nb\nc\n"), (descriptor, byteCount) =>
      readLines(descriptor, { from: 0, to: byteCount }, (text) => {
        seen.push(text)
        return text !== "b"
      }),
    )
    expect(seen).toStrictEqual(["a", "b"])
    expect(rest).toStrictEqual({ byteOffset: 4, byteLength: 0 })
    expect(read("a\nb\nc\n", 3)).toMatchObject({
      lines: [["a", {}]],
      rest: { byteOffset: 2, byteLength: 1 },
    })
    // a file that is shorter than it was
    const short = reading(folder.file("lines", "a\nb"), (descriptor) =>
      readLines(descriptor, { from: 0, to: 1000 }, () => true),
    )
    expect(short).toStrictEqual({ byteOffset: 2, byteLength: 1 })
  })

  it("A20: that are no UTF-8 are named, and the others read", () => {
    const bytes = Buffer.concat([
      Buffer.from("ok\n"),
      Buffer.from([0xe4, 0xbd, 0x0a]),
      Buffer.from("é\n"),
      Buffer.from([0xc3]),
    ])
    expect(read(bytes)).toMatchObject({
      lines: [
        ["ok", {}],
        [{ code: "invalid-utf8" }, { byteOffset: 3, byteLength: 2 }],
        ["é", {}],
      ],
      rest: { byteOffset: 9, byteLength: 1 },
    })
  })

  it("A20: can be read again by their place", () => {
    const content = "one\ntwo é\nthree"
    reading(folder.file("lines", content), (descriptor) => {
      expect(linesOf(descriptor).read({ byteOffset: 4, byteLength: 6 })).toBe("two é")
      // beyond the end there is nothing
      expect(linesOf(descriptor).read({ byteOffset: 11, byteLength: 100 })).toBe("three")
    })
  })
})

describe("long lines", () => {
  /** A file with holes, which cost nothing: text at some offsets, NUL between. */
  const sparse = (byteCount: number, texts: readonly (readonly [number, string])[]): string => {
    const path = folder.file("sparse", "")
    const descriptor = openSync(path, "r+")
    ftruncateSync(descriptor, byteCount)
    for (const [at, text] of texts) writeSync(descriptor, text, at)
    closeSync(descriptor)
    return path
  }

  const limit = 256 * 1024 * 1024

  /** What lines are, by length: keeping their texts would take all memory. */
  const shapes = (path: string): readonly unknown[] =>
    reading(path, (descriptor, byteCount) => {
      const lines: unknown[] = []
      const rest = readLines(descriptor, { from: 0, to: byteCount }, (text, at) => {
        lines.push([typeof text === "string" ? text.length : text, at.byteOffset, at.byteLength])
        return true
      })
      return [...lines, rest]
    })

  it("A21: the longest line that is read has 256 MiB", () => {
    expect(maxLineBytes).toBe(limit)
    expect(shapes(sparse(limit + 3, [[limit, "\nx\n"]]))).toStrictEqual([
      [limit, 0, limit],
      [1, limit + 1, 1],
      { byteOffset: limit + 3, byteLength: 0 },
    ])
  })

  it("A21: a longer one is named with its place and its length, and the others read", () => {
    const tooLong = { code: "line-too-long", limitBytes: limit }
    const end = 300_000_000
    const path = sparse(end + 3, [
      [0, "a\n"],
      [end, "\nb\n"],
    ])
    expect(shapes(path)).toStrictEqual([
      [1, 0, 1],
      [tooLong, 2, end - 2],
      [1, end + 1, 1],
      { byteOffset: end + 3, byteLength: 0 },
    ])
    expect(shapes(sparse(limit + 2, [[limit + 1, "\n"]]))).toStrictEqual([
      [tooLong, 0, limit + 1],
      { byteOffset: limit + 2, byteLength: 0 },
    ])
  })

  it("A21: without a newline at the end it is the rest, however long", () => {
    expect(shapes(sparse(600_000_000, [[0, "a\n"]]))).toStrictEqual([
      [1, 0, 1],
      { byteOffset: 2, byteLength: 600_000_000 - 2 },
    ])
  })
})
