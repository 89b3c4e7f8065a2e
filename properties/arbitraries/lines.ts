import fc from "fast-check"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import { versions } from "./dialect.ts"
import { oddRows, plainRows } from "./lines-odd.ts"
import type { Twist } from "./lines-twisted.ts"
import { trappedText, twistedBytes, twistedText, twists } from "./lines-twisted.ts"
import type { Session } from "./sessions.ts"
import { brokenSessions, rowsOf, sessions } from "./sessions.ts"

/** The lines of a log behind its header, without their newlines. */
export interface Body {
  readonly version: FormatVersion
  readonly header: JsonObject
  readonly lines: readonly Buffer[]
}

const lineOf = (row: JsonValue): Buffer => Buffer.from(JSON.stringify(row))

const otherLines: readonly (string | readonly number[])[] = [
  ...["", " ", "\r", "null", "[]", "{}", '"text"', "0", "{", "\ufeff", "\u0000"],
  ...[[0xff], [0x22, 0xc3, 0x22]],
  "[".repeat(1001),
]

/** A line that is nearly the one of a row: its text is twisted, or its bytes, or both. */
const nearLine = (row: JsonValue, inText: readonly Twist[], inBytes: readonly Twist[]): Buffer =>
  inBytes.reduce<Buffer>(
    (line, twist) => twistedBytes(line, twist),
    Buffer.from(twistedText(row, inText)),
  )

const upTo = (often: number): fc.Arbitrary<readonly Twist[]> =>
  fc.oneof(
    { arbitrary: fc.constant<readonly Twist[]>([]), weight: often },
    { arbitrary: twists.map((twist) => [twist]), weight: 3 },
    { arbitrary: fc.tuple(twists, twists), weight: 1 },
  )

/** Single lines: near to a row of a format, or nothing like it. */
export const singleLines: fc.Arbitrary<{ readonly version: FormatVersion; readonly line: Buffer }> =
  fc.oneof(
    {
      arbitrary: fc
        .tuple(oddRows, upTo(6), upTo(16))
        .map(([{ version, row }, inText, inBytes]) => ({
          version,
          line: nearLine(row, inText, inBytes),
        })),
      weight: 12,
    },
    {
      arbitrary: fc.tuple(plainRows, twists).map(([{ version, row }, twist]) => ({
        version,
        line: Buffer.from(trappedText(row, twist)),
      })),
      weight: 10,
    },
    fc.record({
      version: fc.constantFrom(...versions),
      line: fc.oneof(
        fc.constantFrom(...otherLines).map((each) => Buffer.from(each as string)),
        fc.uint8Array({ maxLength: 40 }).map((each) => Buffer.from(each)),
      ),
    }),
  )

const sessionRows = (session: Session, isWhole: boolean): readonly JsonObject[] =>
  isWhole ? rowsOf(session) : session.offers.map(({ row }) => row)

/** Bodies of plausible sessions: as they were written, with wrong rows, or with twisted lines. */
export const bodies = (maxLength = 30): fc.Arbitrary<Body> =>
  fc
    .record({
      session: fc.oneof(
        { arbitrary: sessions(maxLength), weight: 3 },
        { arbitrary: brokenSessions(maxLength), weight: 1 },
      ),
      isWhole: fc.boolean(),
      // mostly late, as a refused line ends a log
      spoilt: fc.array(fc.tuple(fc.nat({ max: 60 }), fc.nat({ max: 5 }), twists), { maxLength: 3 }),
      ends: fc.constantFrom("", "", "", "", "", "", "", "\r"),
    })
    .map(({ session, isWhole, spoilt, ends }) => {
      const rows = sessionRows(session, isWhole)
      const lines = rows.map((row): Buffer => Buffer.concat([lineOf(row), Buffer.from(ends)]))
      for (const [back, how, twist] of spoilt) {
        const at = rows.length - 1 - (back % Math.max(1, rows.length))
        const row = rows[at]
        if (row === undefined) continue
        if (how < 3) lines[at] = nearLine(row, [twist], [])
        else if (how < 5) lines[at] = nearLine(row, [], [twist])
        else {
          const other = otherLines[twist.what % otherLines.length] ?? ""
          lines[at] = Buffer.from(other as string)
        }
      }
      return { version: session.version, header: session.header, lines }
    })

/** Numbers of lines that begin a block or a range. */
export const cuts: fc.Arbitrary<readonly number[]> = fc.array(fc.nat({ max: 99 }), { maxLength: 4 })

/** The last seq that somebody asks for; mostly none. */
export const throughSeqs: fc.Arbitrary<number> = fc.oneof(
  { arbitrary: fc.constant(Infinity), weight: 3 },
  fc.nat({ max: 30 }),
)
