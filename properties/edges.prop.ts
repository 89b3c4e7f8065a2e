import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { CauseCode, MigrationCause } from "#core/format/edges/cause"
import { newSeqOf, oldSeqOf } from "#core/format/edges/seq-map"
import type { FormatVersion } from "#core/format/format"
import { derivedOf, expectedMessages, migrate, textIn, textOf } from "../test/fixtures/migration.ts"
import { checkLog } from "../test/fixtures/checked-in-full.ts"
import { readLog } from "../test/fixtures/log-in-memory.ts"
import { changed, jsonValues } from "./arbitraries/json.ts"
import { migratableSessions } from "./arbitraries/migratable.ts"
import { soundLog } from "./arbitraries/sound-logs.ts"
import { rowsOf, sessions } from "./arbitraries/sessions.ts"
import { unpacked } from "./arbitraries/unpack.ts"
import { isObject } from "./model/naive-row.ts"
import { drawFrom, fewRuns } from "./scale.ts"
import { expectAllSeen } from "./seen.ts"

const messagesOf = (header: JsonObject, rows: readonly JsonObject[]): readonly JsonObject[] =>
  derivedOf(header, rows).entries.map(({ message }) => message)

const expectAccepted = (
  from: FormatVersion,
  to: FormatVersion,
  header: JsonObject,
  rows: readonly JsonObject[],
): void => {
  const migrated = migrate(from, to, header, rows)
  const read = readLog(textOf(migrated), { namedVersion: to })
  expect(read).toMatchObject({ status: "ok", refusal: null, tail: null })
  expect(messagesOf(migrated.header, migrated.rows)).toEqual(
    expectedMessages(from, to, header, rows),
  )
}

const hasSurface = ({ surfaceOp }: JsonObject): boolean => surfaceOp !== undefined

describe("edges between formats", () => {
  it("MI1: a session of whole payloads migrates to every later format, with equal messages", () => {
    fc.assert(
      fc.property(migratableSessions(), fc.nat({ max: 3 }), ({ version, header, rows }, more) => {
        expect(readLog(textOf({ header, rows }))).toMatchObject({ status: "ok" })
        const to = Math.min(4, version + 1 + more) as FormatVersion
        expect(migrate(version, to, header, rows).causes).toEqual([])
        expectAccepted(version, to, header, rows)
      }),
    )
  })

  it("MI43: a log without fault becomes one in which a check finds nothing, and equal messages", () => {
    const seen = { surfaces: 0, replaced: 0 }
    fc.assert(
      fc.property(fc.constantFrom(0, 1, 2, 3), fc.nat(), fc.nat({ max: 3 }), (from, seed, more) => {
        const version = from as FormatVersion
        const { header, rows } = soundLog(version, drawFrom(seed), true)
        const to = Math.min(4, version + 1 + more) as FormatVersion
        const migrated = migrate(version, to, header, rows)
        expect(migrated.causes).toEqual([])
        const check = checkLog(textOf(migrated), { namedVersion: to })
        expect([check.found, check.refusal, check.tail]).toEqual([[], null, null])
        expect(check.eventCount).toBe(migrated.rows.length)
        expectAccepted(version, to, header, rows)
        if (messagesOf(header, rows).length > 0) seen.surfaces++
        if (rows.some(({ surfaceOp }) => isObject(surfaceOp))) seen.replaced++
      }),
      fewRuns(0.5),
    )
    expectAllSeen(seen)
  })

  it("MI2: a path = its parts in turn, row for row and seq for seq", () => {
    fc.assert(
      fc.property(migratableSessions(), fc.nat(), fc.nat(), ({ version, header, rows }, i, j) => {
        const to = (version + (i % (5 - version))) as FormatVersion
        const between = (version + (j % (to - version + 1))) as FormatVersion
        const whole = migrate(version, to, header, rows)
        const first = migrate(version, between, header, rows)
        const second = migrate(between, to, first.header, first.rows)
        expect(textOf(whole)).toBe(textOf(second))
        expect(whole.map).toMatchObject({
          oldCount: first.map.oldCount,
          newCount: second.map.newCount,
        })
        for (let seq = 0; seq <= whole.map.oldCount; seq++) {
          const middle = newSeqOf(first.map, seq)
          const image = middle === null ? null : newSeqOf(second.map, middle)
          expect(newSeqOf(whole.map, seq)).toBe(image)
        }
        for (let seq = 0; seq < whole.map.newCount; seq++) {
          const middle = oldSeqOf(second.map, seq)
          const source = middle === null ? null : oldSeqOf(first.map, middle)
          expect(oldSeqOf(whole.map, seq)).toBe(source)
        }
      }),
    )
  })

  it("MI3: the map leads each event to itself, and those that are gone were chunks", () => {
    fc.assert(
      fc.property(migratableSessions(), ({ version, header, rows }) => {
        const { map, rows: written } = migrate(version, 4, header, rows)
        const events = rows.flatMap((row) => unpacked(version, row))
        expect([map.oldCount, map.newCount]).toEqual([events.length, written.length])
        let last = -1
        for (const event of events) {
          const image = newSeqOf(map, Number(event["seq"]))
          if (image === null) {
            expect(event["type"]).toBe("assistant/chunk")
            continue
          }
          expect(image).toBeGreaterThan(last)
          last = image
          const name = textIn(event["type"]).replace("x/note", "plugin:x/note")
          expect(written[image]).toMatchObject({ type: name, time: event["time"], seq: image })
          expect(oldSeqOf(map, image)).toBe(event["seq"])
        }
        const kept = events.length - events.filter(({ type }) => type === "assistant/chunk").length
        expect(map.inserted).toHaveLength(written.length - kept)
      }),
    )
  })

  it("MI42: whatever rows and headers hold, an edge goes on to the end", () => {
    const damage = fc.record({
      at: fc.nat(),
      turns: fc.array(fc.nat({ max: 9 }), { maxLength: 7 }),
      value: jsonValues,
    })
    fc.assert(
      fc.property(
        migratableSessions(12),
        fc.array(damage, { minLength: 1, maxLength: 4 }),
        damage,
        ({ version, header, rows }, damages, ofHeader) => {
          const broken: JsonValue[] = [...rows]
          for (const { at, turns, value } of damages) {
            const i = at % broken.length
            broken[i] = changed(broken[i] ?? null, turns, value)
          }
          const turned = changed(header, ofHeader.turns.slice(0, 2), ofHeader.value)
          for (const from of [header, isObject(turned) ? turned : header]) {
            const { causes } = migrate(version, 4, from, broken, null)
            const seqs = causes.map(({ seq }) => seq ?? 0)
            expect(seqs.every((seq) => Number.isSafeInteger(seq) && seq >= 0)).toBe(true)
            // at least that nobody looked for children
            expect(causes).not.toEqual([])
          }
        },
      ),
    )
  })

  // rows that the generator writes with less than the frozen formats ask for
  const loose = new Set([
    "hook/invoked",
    "compaction/summary",
    "llm/retry",
    "llm/retry-started",
    "assistant/chunk",
    "assistant/message",
    "assistant/attempt",
    "tool/call",
    "session/title",
    "request/header",
    "todo/write",
  ])
  const text = (row: JsonObject): string => JSON.stringify(row)
  const explained: Partial<
    Record<CauseCode, (row: JsonObject, before: readonly JsonObject[]) => boolean>
  > = {
    "event-type-unknown": ({ type }) => textIn(type).startsWith("x/"),
    "surface-before-step": (row, before) =>
      hasSurface(row) && !before.some(({ type }) => type === "step/start"),
    "content-tag": (row) => text(row).includes("opaque-block"),
    "payload-shape": (row) => loose.has(textIn(row["type"])) || text(row).includes("offloaded"),
    "attempt-uncited": ({ type, sourceEventSeqs }) =>
      type === "assistant/message" && sourceEventSeqs === undefined,
    "attempt-citation": ({ type, sourceEventSeqs }) =>
      type === "assistant/message" && sourceEventSeqs !== undefined,
    "attempt-spans-cut": (row) => /chunk|assistant/.test(textIn(row["type"])),
    "prompt-outside-step": ({ type }) => type === "request/header",
    "reference-consumed": (row) =>
      Object.hasOwn(row, "sourceEventSeqs") || row["type"] === "session/title",
    "reference-unresolved": ({ type, seq }) => type === "session/title" && seq === 0,
    "target-shape": (row) => text(row).includes('"plugin":"prompt"'),
  }

  const isExplained = (cause: MigrationCause, events: readonly JsonObject[]): boolean => {
    const { seq } = cause
    if (seq === null) return false
    const row = events[seq]
    return row !== undefined && explained[cause.code]?.(row, events.slice(0, seq)) === true
  }

  it("MI4: any session migrates with equal messages, or each cause is of the row it names", () => {
    let accepted = 0
    fc.assert(
      fc.property(sessions(12), (session) => {
        const { version, header } = session
        const rows = rowsOf(session)
        if (version > 3) return
        const { causes } = migrate(version, 4, header, rows)
        if (causes.length === 0) {
          accepted++
          expectAccepted(version, 4, header, rows)
          return
        }
        const events = rows.flatMap((row) => unpacked(version, row))
        expect(causes.filter((cause) => !isExplained(cause, events))).toEqual([])
      }),
    )
    expect(accepted).toBeGreaterThan(0)
  })
})
