import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { RangeScan } from "#core/columns/row-columns"
import type { FormatVersion } from "#core/format/format"
import type { Found } from "../test/core/columns/scanning.ts"
import {
  bytesOf,
  lineStarts,
  noneFound,
  scanned,
  scanRanges,
} from "../test/core/columns/scanning.ts"
import type { Body } from "./arbitraries/lines.ts"
import { bodies, cuts, throughSeqs } from "./arbitraries/lines.ts"
import { rewrites } from "./arbitraries/lines-rewritten.ts"
import { logOf, MemoryReading, readByLines, readByRanges } from "./memory-reading.ts"
import { fewRuns } from "./scale.ts"
import { expectAllSeen } from "./seen.ts"

const tails = fc.constantFrom("", "", '{"type":', "{}", "\u0000")

describe("a reading by ranges", () => {
  it("CO3: says what the reading line by line says, or nothing where that is refused", () => {
    const seen = { whole: 0, refused: 0, replacements: 0, prefixes: 0 }
    fc.assert(
      fc.property(bodies(50), cuts, throughSeqs, tails, (body, each, throughSeq, tail) => {
        const bytes = logOf(body, tail)
        const lines = readByLines(bytes, throughSeq)
        const ranges = readByRanges(body.version, bytes, throughSeq, each)
        if (ranges === null) {
          seen.refused++
          const { status, refusal } = lines.finish()
          expect(status).toBe("refused")
          // by a row, not by what is asked of the whole log
          expect(refusal?.row).toBeLessThan(lineStarts(bytes).length - 1)
          return
        }
        seen.whole++
        seen.replacements += lines.replacements.length
        if (throughSeq < Infinity) seen.prefixes++
        expect(ranges.said()).toEqual(lines.said())
      }),
      fewRuns(2),
    )
    expectAllSeen(seen)
  })
})

/** Scans parts of a body, each with a scanner of its own; one array of ranges a part. */
const scanParts = (body: Body, each: readonly number[]): readonly Part[] => {
  const header = bytesOf([JSON.stringify(body.header)]).length
  const bytes = bytesOf(body.lines)
  const starts = lineStarts(bytes)
  const places = [0, ...each.map((cut) => starts[cut % starts.length] ?? 0), bytes.length]
  const sorted = [...new Set(places)].toSorted((a, b) => a - b)
  return sorted.slice(1).map((to, i) => {
    const from = sorted[i] ?? 0
    return { version: body.version, bytes: bytes.subarray(from, to), byteOffset: header + from }
  })
}

interface Part {
  readonly version: FormatVersion
  readonly bytes: Buffer
  readonly byteOffset: number
}

/** Folds parts in order; null where one does not fit or is refused. */
const foldParts = (log: Buffer, parts: readonly Part[]): MemoryReading | null => {
  const all = new MemoryReading(log, Infinity)
  all.line(0, log.indexOf(10))
  let isRefused = false
  for (const { version, bytes, byteOffset } of parts) {
    const onRange = (scan: RangeScan): boolean => {
      isRefused = !all.reading.range(scan)
      return !isRefused
    }
    scanRanges(version, bytes, { isFast: true, byteOffset, onRange })
    if (isRefused) return null
  }
  return all
}

describe("ranges of one log", () => {
  it("CO4: scanned one by one they are the scan of the whole", () => {
    const seen = { whole: 0, refused: 0, seams: 0 }
    fc.assert(
      fc.property(bodies(), cuts, fc.nat(), (body, each, n) => {
        const parts = scanParts(body, each)
        const log = logOf(body, "")
        const one = foldParts(log, scanParts(body, []))
        const many = foldParts(log, parts)
        expect(many?.said()).toEqual(one?.said())
        if (one === null) {
          seen.refused++
          return
        }
        seen.whole++
        const bytes = bytesOf(body.lines)
        const byteOffset = bytesOf([JSON.stringify(body.header)]).length
        const options = { isFast: true, byteOffset }
        const together = parts.reduce<Found>(
          (before, part) => scanned(part.version, part.bytes, { ...options, ...part, before }),
          noneFound,
        )
        expect(together).toEqual(scanned(body.version, bytes, options))
        if (parts.length < 2) return
        seen.seams++
        // all but the last part have one behind them that does not fit without them
        const at = n % (parts.length - 1)
        expect(foldParts(log, parts.toSpliced(at, 1))).toBe(null)
        expect(foldParts(log, parts.toSpliced(at, 0, ...parts.slice(at, at + 1)))).toBe(null)
        expect(foldParts(log, [...parts, ...parts.slice(-1)])).toBe(null)
      }),
    )
    expectAllSeen(seen)
  })
})

describe("the digest of a tool result in a reading", () => {
  it("CO5: leads to the verdict of the deep comparison, and spares it where it is equal", () => {
    const seen = { byDigest: 0, byComparison: 0, refused: 0 }
    fc.assert(
      fc.property(rewrites, (rewrite) => {
        const log = logOf(rewrite, "")
        const lines = readByLines(log, Infinity)
        const ranges = readByRanges(rewrite.version, log, Infinity, [])
        const { digests } = scanned(rewrite.version, bytesOf(rewrite.lines), { isFast: true })
        const [first = 0, second = 0] = digests
        if (first > 0 && second > 0 && rewrite.isSameText) expect(first).toBe(second)
        if (ranges === null) {
          seen.refused++
          expect(lines.finish().status).toBe("refused")
          return
        }
        if (first > 0 && first === second) {
          seen.byDigest++
          expect(ranges.readAgain).toBe(0)
        } else {
          seen.byComparison++
          expect(ranges.readAgain).toBeGreaterThan(0)
        }
        expect(ranges.said()).toEqual(lines.said())
      }),
    )
    expectAllSeen(seen)
  })
})
