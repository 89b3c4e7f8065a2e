import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { LineRange } from "#core/log/line-range"
import type { LogOutcome, LogReadingOptions } from "#core/fold/log-reading"
import { LogReading } from "#core/fold/log-reading"
import { builtInProjections } from "#core/surface/image-offload"
import type { Session } from "./arbitraries/sessions.ts"
import { brokenSessions, rowsOf, sessions } from "./arbitraries/sessions.ts"
import { FoldCarrier } from "./carriers.ts"

/** Reads a log that stands in memory; offsets count UTF-16 code units, which is all one here. */
const readText = (text: string, options: Partial<LogReadingOptions> = {}): LogOutcome => {
  const reading = new LogReading({
    projections: builtInProjections,
    throughSeq: Infinity,
    tolerance: "default",
    namedVersion: null,
    lineAt: ({ byteOffset, byteLength }: LineRange) =>
      text.slice(byteOffset, byteOffset + byteLength),
    ...options,
  })
  let byteOffset = 0
  for (;;) {
    const end = text.indexOf("\n", byteOffset)
    if (end < 0) break
    const byteLength = end - byteOffset
    const line = text.slice(byteOffset, end)
    if (!reading.line(line, { byteOffset, byteLength })) break
    byteOffset = end + 1
  }
  return reading.finish({ byteOffset, byteLength: text.length - byteOffset })
}

const linesOf = (session: Session): readonly string[] =>
  [session.header, ...rowsOf(session)].map((row) => JSON.stringify(row))

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("")

/** What an outcome says of the accepted prefix. */
const figures = ({ fold }: LogOutcome): unknown =>
  fold === null
    ? null
    : [
        fold.surface.seal().entries,
        fold.counts().activity,
        fold.counts().usage,
        fold.requestPoints(),
        fold.tokens(),
      ]

describe("reading a log from its lines", () => {
  it("FO10: the text of a right log folds as its rows do, with any line ends", () => {
    fc.assert(
      fc.property(sessions(), (session) => {
        const carrier = new FoldCarrier(session.header)
        for (const row of rowsOf(session)) carrier.offer(row)
        const outcome = readText(textOf(linesOf(session)))
        expect(outcome).toMatchObject({ status: "ok", refusal: null, tail: null })
        expect(outcome.fold?.surface.nodes().map(({ seq }) => seq)).toEqual(session.nodes)
        expect(outcome.fold?.tokens()).toEqual(carrier.fold.tokens())
        const crlf = readText(
          linesOf(session)
            .map((line) => `${line}\r\n`)
            .join(""),
        )
        expect(crlf.status).toBe("ok")
        expect(crlf.fold?.counts().activity).toEqual(outcome.fold?.counts().activity)
      }),
    )
  })

  it("FO11: a torn end is torn off: the log is what its whole lines say", () => {
    fc.assert(
      fc.property(sessions(), fc.nat(), fc.nat(), (session, row, cut) => {
        const lines = linesOf(session)
        // a seeded log may not end before its marker, so the last lines are torn
        const at = session.header["isSeeded"] === true ? lines.length : 1 + (row % lines.length)
        const torn = lines[row % lines.length] ?? ""
        const whole = textOf(lines.slice(0, at))
        const rest = torn.slice(0, 1 + (cut % torn.length))
        const outcome = readText(whole + rest)
        const expected = readText(whole)
        expect(figures(outcome)).toEqual(figures(expected))
        expect(outcome.refusal).toEqual(expected.refusal)
        if (expected.refusal === null) {
          expect(outcome.status).toBe("torn")
          expect(outcome.tail).toEqual({
            cause: "unterminated",
            byteOffset: whole.length,
            byteLength: rest.length,
          })
        }
      }),
    )
  })

  it("FO12: the first wrong row refuses the log where it stands", () => {
    fc.assert(
      fc.property(brokenSessions(), (session) => {
        const { offers } = session
        const first = offers.findIndex(({ code }) => code !== null)
        const rows = offers.map(({ row }) => JSON.stringify(row))
        const lines = [JSON.stringify(session.header), ...rows]
        const outcome = readText(textOf(lines))
        if (first < 0) {
          expect(outcome.status).toBe("ok")
          return
        }
        const prefix = textOf(lines.slice(0, first + 1))
        expect(outcome.status).toBe("refused")
        expect(outcome.refusal).toMatchObject({
          refusal: { code: offers[first]?.code },
          row: first + 1,
          byteOffset: prefix.length,
        })
        expect(figures(outcome)).toEqual(figures(readText(prefix)))
      }),
    )
  })

  it("FO13: recoverable: damage before a completed turn refuses, damage after the last one is a tail", () => {
    const damage = fc.constantFrom("", "{", '{"type":"turn/end"', "[]", "null", "\u0000")
    fc.assert(
      fc.property(sessions(), fc.nat(), damage, (session, row, garbage) => {
        const lines = linesOf(session)
        const at = 1 + (row % lines.length)
        const prefix = textOf(lines.slice(0, at))
        const rest = lines.slice(at)
        const text = prefix + textOf([garbage, ...rest])
        const expected = readText(prefix)
        const outcome = readText(text, { tolerance: "recoverable" })
        const isCommitted = rest.some((line) => line.startsWith('{"type":"turn/end"'))
        expect(figures(outcome)).toEqual(figures(expected))
        if (isCommitted)
          expect(outcome).toMatchObject({
            status: "refused",
            refusal: { row: at, byteOffset: prefix.length },
            tail: null,
          })
        else if (expected.status === "ok")
          expect(outcome).toMatchObject({
            status: "torn",
            refusal: null,
            tail: {
              cause: { row: at },
              byteOffset: prefix.length,
              byteLength: text.length - prefix.length,
            },
          })
      }),
    )
  })

  it("FO14: asked for a seq, the fold is that of the log cut off behind it", () => {
    fc.assert(
      fc.property(sessions(), fc.nat({ max: 60 }), (session, throughSeq) => {
        const outcome = readText(textOf(linesOf(session)), { throughSeq })
        const carrier = new FoldCarrier(session.header, { throughSeq })
        for (const row of rowsOf(session)) if (!carrier.fold.isDone) carrier.offer(row)
        expect(outcome.status).toBe("ok")
        expect(outcome.fold?.isDone).toBe(carrier.fold.isDone)
        expect(outcome.fold?.counts().activity).toEqual(carrier.fold.counts().activity)
        expect(outcome.fold?.tokens()).toEqual(carrier.fold.tokens())
      }),
    )
  })
})
