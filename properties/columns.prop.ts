import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Scan } from "#core/columns/shape-scan"
import { nothingFound, scanOf } from "#core/columns/shape-scan"
import { typeTable } from "#core/columns/type-table"
import type { JsonValue } from "#core/data/json"
import { parsedFault } from "#core/data/lossless-json"
import { formats } from "#core/format/catalog"
import type { Format, FormatVersion } from "#core/format/format"
import { surfaceKind } from "#core/format/surface-kind"
import type { Shape } from "#core/log/shape"
import { record } from "#core/log/shape"
import { eventMessage } from "#core/messages/event-message"
import { blockOverhead, messageTokens, roleOverhead } from "#core/tokens/estimate"
import type { Found } from "../test/core/columns/scanning.ts"
import { bytesOf, lexerOf, scanned } from "../test/core/columns/scanning.ts"
import { bodies, cuts, singleLines, throughSeqs } from "./arbitraries/lines.ts"
import { twistedText, twists } from "./arbitraries/lines-twisted.ts"
import { nearValuesOf } from "./arbitraries/shapes.ts"
import { fewRuns } from "./scale.ts"
import { expectAllSeen } from "./seen.ts"

/** What both ways of scanning must agree on. */
const agreed = ({ rows, samples, counts, stop }: Found): object => ({ rows, samples, counts, stop })

/** How often a law met what it is about. */
interface Seen {
  fast: number
  fallback: number
  kept: number
  samples: number
  refused: number
}

const nothingSeen = (): Seen => ({ fast: 0, fallback: 0, kept: 0, samples: 0, refused: 0 })

const expectEqualScans = (
  version: FormatVersion,
  bytes: Buffer,
  throughSeq: number,
  inBlocks: readonly (readonly number[])[],
  seen: Seen,
): void => {
  for (const withRequests of [false, true])
    expectSameScans(version, bytes, { throughSeq, withRequests, byteOffset: 100 }, inBlocks, seen)
}

const expectSameScans = (
  version: FormatVersion,
  bytes: Buffer,
  options: {
    readonly throughSeq: number
    readonly withRequests: boolean
    readonly byteOffset: number
  },
  inBlocks: readonly (readonly number[])[],
  seen: Seen,
): void => {
  const parsed = scanned(version, bytes, { ...options, isFast: false })
  const found = scanned(version, bytes, { ...options, isFast: true })
  expect(agreed(found)).toEqual(agreed(parsed))
  for (const each of inBlocks)
    for (const isFast of [true, false]) {
      const again = scanned(version, bytes, { ...options, isFast, cuts: each })
      expect(agreed(again)).toEqual(agreed(parsed))
    }
  seen.fast += found.counts.lineCount - found.fallbackCount
  seen.fallback += found.fallbackCount
  seen.kept += found.rows.length
  seen.samples += found.samples.length
  if ((found.stop?.refusal ?? null) !== null) seen.refused++
}

describe("the scanner", () => {
  it("CO1: finds in any line what the parser finds", () => {
    const seen = nothingSeen()
    fc.assert(
      fc.property(fc.array(singleLines, { minLength: 1, maxLength: 40, size: "max" }), (lines) => {
        for (const { version, line } of lines)
          expectEqualScans(version, bytesOf([line]), Infinity, [], seen)
      }),
    )
    expectAllSeen(seen)
  })

  it("CO1: finds in any blocks of any body what the parser finds", () => {
    const seen = nothingSeen()
    fc.assert(
      fc.property(bodies(), cuts, throughSeqs, ({ version, lines }, each, throughSeq) => {
        expectEqualScans(version, bytesOf(lines), throughSeq, [each], seen)
      }),
    )
    expectAllSeen(seen)
  })
})

describe("the scan of a shape", () => {
  interface Case {
    readonly format: Format
    readonly type: string
    readonly shape: Shape
    readonly scan: Scan
  }

  // each shape as it stands, and the scan that rows of the type get
  const casesOf = (format: Format): readonly Case[] => [
    ...Object.entries(format.rules.payloads).map(([type, shape]): Case => ({
      format,
      type,
      shape,
      scan: scanOf(shape),
    })),
    ...typeTable(format).flatMap(({ type, scan }): readonly Case[] => {
      // rows of format 0 are scanned by the narrower shapes of format 1
      const { payloads } = (formats[Math.max(1, format.version)] ?? format).rules
      const shape = payloads[type] ?? (type.length % 3 === 0 ? record : null)
      return shape === null || scan === null ? [] : [{ format, type, shape, scan }]
    }),
  ]

  it.each(formats)("CO2: accepts what the guard accepts, at its price: format $version", (all) => {
    for (const { format, type, shape, scan } of casesOf(all)) {
      const { guard } = format.payloads.get(type) ?? format.anyPayload
      const kind = format.kinds.get(type) ?? surfaceKind.none
      // the parser prices the others: prompts are summed first, and tool changes are JSON
      const isPriced =
        kind === surfaceKind.user ||
        kind === surfaceKind.assistant ||
        kind === surfaceKind.toolResult
      let accepted = 0
      const texts = fc
        .tuple(nearValuesOf(shape), fc.array(twists, { maxLength: 1 }))
        .map(([value, twist]) => twistedText(value, twist))
      fc.assert(
        fc.property(texts, (text) => {
          const found = nothingFound()
          const { lexer, length } = lexerOf(text)
          const end = scan(lexer, 0, found)
          if (end !== length) return
          accepted++
          const value = JSON.parse(text) as JsonValue
          expect(parsedFault(value)).toBe(null)
          expect(guard(value)).toBe(true)
          const message = isPriced ? eventMessage(kind, value) : null
          if (message === null) return
          const derives =
            found.blocks > 0 || kind === surfaceKind.user || kind === surfaceKind.toolResult
          const price = derives ? found.tokens + found.blocks * blockOverhead + roleOverhead : 0
          expect(price).toBe(messageTokens(kind, message))
        }),
        fewRuns(0.5),
      )
      // the parser reads all headers, so their scan may be as timid as it likes
      if (type !== "request/header") expect([type, accepted > 0]).toEqual([type, true])
    }
  })
})
