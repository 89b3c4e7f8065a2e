import { isUtf8 } from "node:buffer"
import fc from "fast-check"
import { isLeft } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import type { Recovery } from "#core/check/recovery"
import { RecoverySurvey } from "#core/check/recovery"
import { formatAt } from "#core/format/catalog"
import type { FormatVersion } from "#core/format/format"
import { readRow } from "#core/log/row"
import { checkLog } from "../test/fixtures/checked-in-full.ts"
import { lineStarts } from "../test/core/columns/scanning.ts"
import { accidents, damage } from "./arbitraries/damage.ts"
import { versions } from "./arbitraries/dialect.ts"
import { soundLines, soundLog } from "./arbitraries/sound-logs.ts"
import type { NaiveLine } from "./model/naive-recovery.ts"
import { naiveRecovery } from "./model/naive-recovery.ts"
import { drawFrom } from "./scale.ts"
import { expectAllSeen } from "./seen.ts"

// lines of one length, so that a place tells its line
const width = 10

const rangeOf = (i: number): { readonly byteOffset: number; readonly byteLength: number } => ({
  byteOffset: i * width,
  byteLength: width - 1,
})

const surveyed = (lines: readonly NaiveLine[]): Recovery => {
  const survey = new RecoverySurvey()
  survey.begin(rangeOf(0))
  for (const [i, line] of lines.entries())
    if (line === null) survey.drop(rangeOf(i + 1))
    else survey.row(line.seq, line.count, rangeOf(i + 1))
  return survey.finish({ byteOffset: (lines.length + 1) * width, byteLength: 0 })
}

const linesIn = (lines: readonly NaiveLine[], from: number, to: number): readonly number[] =>
  lines.flatMap((_, i) => (from <= (i + 1) * width && (i + 1) * width < to ? [i] : []))

const anyLines: fc.Arbitrary<readonly NaiveLine[]> = fc.array(
  fc.option(fc.record({ seq: fc.nat({ max: 7 }), count: fc.constantFrom(1, 1, 1, 2, 3) }), {
    freq: 8,
  }),
  { maxLength: 20, size: "max" },
)

/** Lines of a log that go on but for a few accidents. */
const nearlyWhole: fc.Arbitrary<readonly NaiveLine[]> = fc
  .array(fc.tuple(fc.nat({ max: 9 }), fc.nat()), { maxLength: 25, size: "max" })
  .map((steps) => {
    let next = 0
    return steps.map(([how, n]) => {
      if (how === 0) return null
      if (how === 1) next = n % (next + 1)
      if (how === 2) next += n % 3
      const count = how === 3 ? 3 : 1
      const line = { seq: next, count }
      next += count
      return line
    })
  })

describe("the survey of a damaged log", () => {
  it("RC25: puts every row where the naive model puts it", () => {
    const seen = { forks: 0, parts: 0, both: 0 }
    fc.assert(
      fc.property(fc.oneof(anyLines, nearlyWhole), (lines) => {
        const { branches, parts, dropped } = surveyed(lines)
        const expected = naiveRecovery(lines)
        const numbers = branches.map(({ ranges }) =>
          ranges.flatMap(({ from, to }) => linesIn(lines, from, to)),
        )
        expect(numbers).toEqual(expected.branches)
        expect(parts.map(({ from, to }) => linesIn(lines, from, to))).toEqual(expected.parts)
        expect(dropped.map(({ byteOffset }) => byteOffset / width - 1)).toEqual(
          lines.flatMap((line, i) => (line === null ? [i] : [])),
        )
        if (branches.length > 1) seen.forks++
        if (parts.length > 0) seen.parts++
        if (branches.length > 1 && parts.length > 0) seen.both++
      }),
    )
    expectAllSeen(seen)
  })

  it("RC25: each branch is a log of rows of the damaged one, in their order and without a gap", () => {
    const seen = { branches: 0, parts: 0, dropped: 0, torn: 0 }
    fc.assert(
      fc.property(
        fc.constantFrom(...versions),
        fc.array(fc.constantFrom(...accidents), { minLength: 1, maxLength: 3 }),
        fc.nat(),
        (version, hows, seed) => {
          const draw = drawFrom(seed)
          let bytes = Buffer.concat(
            soundLines(soundLog(version, draw)).map((text) => Buffer.from(`${text.toString()}\n`)),
          )
          for (const how of hows) bytes = damagedBy(bytes, how, draw)
          const { header, branches, parts, dropped, tail } = surveyOf(version, bytes)
          const first = header.byteOffset + header.byteLength + 1
          let saved = 0
          for (const { ranges, eventCount } of branches) {
            let end = first
            for (const { from, to } of ranges) {
              expect(from).toBeGreaterThanOrEqual(end)
              end = to
            }
            const text = Buffer.concat([
              bytes.subarray(0, first),
              ...ranges.map(({ from, to }) => bytes.subarray(from, to)),
            ])
            const check = checkLog(text)
            const layers = check.found.map(({ finding }) => finding.code)
            expect(layers).not.toContain("seq-not-contiguous")
            expect(layers).not.toContain("invalid-json")
            expect([check.eventCount, check.tail]).toEqual([eventCount, null])
            saved += text.length - first
          }
          const apart = parts.reduce((sum, { from, to }) => sum + to - from, 0)
          const lost = dropped.reduce((sum, { byteLength }) => sum + byteLength + 1, 0)
          // nothing is lost, and of several branches what they share is there more than once
          const all = first + saved + apart + lost + (tail?.byteLength ?? 0)
          if (branches.length === 1) expect(all).toBe(bytes.length)
          else expect(all).toBeGreaterThanOrEqual(bytes.length)
          if (branches.length > 1) seen.branches++
          if (parts.length > 0) seen.parts++
          if (dropped.length > 0) seen.dropped++
          if (tail !== null) seen.torn++
        },
      ),
    )
    expectAllSeen(seen)
  })
})

/** One more accident to a log whose header stays as it is. */
const damagedBy = (
  bytes: Buffer,
  how: (typeof accidents)[number],
  draw: (below: number) => number,
): Buffer<ArrayBuffer> => {
  const starts = lineStarts(bytes)
  const lines = starts.slice(1).map((to, i) => bytes.subarray(starts[i] ?? 0, to - 1))
  const rest = bytes.subarray(starts.at(-1) ?? 0)
  if (lines.length < 3) return Buffer.from(bytes)
  const broken = damage(lines, how, draw).bytes
  const [header = Buffer.alloc(0)] = lines
  const isHeader = broken.subarray(0, header.length).equals(header)
  const isEnded = broken[header.length] === 0x0a
  return isHeader && isEnded ? Buffer.concat([broken, rest]) : Buffer.from(bytes)
}

const surveyOf = (version: FormatVersion, bytes: Buffer): Recovery => {
  const survey = new RecoverySurvey()
  const starts = lineStarts(bytes)
  for (const [i, to] of starts.slice(1).entries()) {
    const from = starts[i] ?? 0
    const at = { byteOffset: from, byteLength: to - 1 - from }
    const line = bytes.subarray(from, to - 1)
    if (i === 0) {
      survey.begin(at)
      continue
    }
    const row = isUtf8(line) ? readRow(formatAt(version), line.toString()) : null
    if (row === null || isLeft(row)) survey.drop(at)
    else survey.row(row.right.facts.seq, row.right.facts.count, at)
  }
  const end = starts.at(-1) ?? 0
  return survey.finish({ byteOffset: end, byteLength: bytes.length - end })
}
