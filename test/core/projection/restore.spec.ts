import { describe, expect, it } from "vitest"
import { openCells } from "#core/projection/cells"
import type { ProjectionRows } from "#core/projection/checkpoint"
import { hydrateCells } from "#core/projection/hydrate"
import { snapshotOf, stateOf } from "#core/projection/read"
import { noUnits } from "#core/projection/registry"
import type { Restored } from "#core/projection/restore"
import { restoreFloor, restoreRows } from "#core/projection/restore"
import type { EventSlice } from "#core/projection/advance"
import {
  applied,
  codeOf,
  eventsOf,
  headerOf,
  LiveSession,
  longest,
  pass,
  registryOf,
  rightOf,
  say,
  words,
} from "./session.ts"

const a = applied("a", 1)
const b = applied("b", 2)
const both = registryOf(a, b)

/** A stored row of nothing but its version and watermark. */
const row = (ver: number, seq: number): ProjectionRows[string] => ({ ver, seq, val: { seqs: [] } })

/** Events from one seq to another, both included. */
const events = (from: number, to: number): EventSlice => ({
  baseSeq: from,
  events: eventsOf(
    Array.from({ length: to - from + 1 }, () => pass),
    from,
  ),
})

const none = (baseSeq: number): EventSlice => ({ baseSeq, events: [] })

describe("restoreFloor", () => {
  it.each([
    ["no rows at all", {}, 0],
    ["the lowest watermark", { a: row(1, 9), b: row(2, 6) }, 6],
    ["a row of another version", { a: row(1, 9), b: row(1, 6) }, 0],
    ["a missing row", { a: row(1, 9) }, 0],
    ["rows at the first event", { a: row(1, 0), b: row(2, 0) }, 0],
    ["rows before the first event", { a: row(1, -1), b: row(2, -1) }, 0],
    ["a state that is none", { a: { ver: 1, seq: 9, val: 7 }, b: row(2, 6) }, 6],
  ])("PR23: with %s", (_name, rows: ProjectionRows, floor) => {
    expect(restoreFloor(both, rows)).toBe(floor)
  })

  it("PR23: takes no notice of rows that nobody registered", () => {
    expect(restoreFloor(registryOf(a), { a: row(1, 9), z: row(1, 2) })).toBe(9)
  })

  it("PR23: is null without units", () => {
    expect(restoreFloor(noUnits, { a: row(1, 9) })).toBeNull()
  })

  it("PR23: takes a row whose seq is no number for none", () => {
    const odd = { ver: 1, seq: NaN, val: { seqs: [] } }
    expect(restoreFloor(registryOf(a), { a: odd })).toBe(0)
  })
})

const restored = (rows: ProjectionRows, slice: EventSlice): Restored =>
  rightOf(restoreRows(both, rows, slice, headerOf(), 0))

const seqs = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)

describe("restoreRows", () => {
  const rows = { a: row(1, 9), b: row(2, 6) }

  it("PR27: applies what comes behind each row; the log ends where the first row does", () => {
    expect(restored(rows, events(6, 9))).toStrictEqual({
      snapshot: { asOfSeq: 9, values: { a: [], b: [7, 8, 9] } },
      rows: {
        a: { ver: 1, seq: 9, val: { seqs: [] } },
        b: { ver: 2, seq: 9, val: { seqs: [7, 8, 9] } },
      },
      refolded: [],
    })
  })

  it("PR27: applies what comes behind each row; the log went on", () => {
    const { snapshot } = restored(rows, events(6, 12))
    expect(snapshot).toStrictEqual({ asOfSeq: 12, values: { a: [10, 11, 12], b: seqs(7, 12) } })
  })

  it("PR27: a checkpoint at the end of the log is served as it is", () => {
    const one = restoreRows(registryOf(a), { a: row(1, 9) }, events(9, 9), headerOf(), 0)
    expect(rightOf(one).snapshot).toStrictEqual({ asOfSeq: 9, values: { a: [] } })
  })

  it("PR27: also where the slice begins behind it and is empty", () => {
    const one = restoreRows(registryOf(a), { a: row(1, 9) }, none(10), headerOf(), 0)
    expect(rightOf(one).snapshot).toStrictEqual({ asOfSeq: 9, values: { a: [] } })
  })

  it("PR25: a log that was repaired to end at 7 must be read from 0", () => {
    const verdict = restoreRows(both, rows, events(6, 7), headerOf(), 0)
    const cause = "row-ahead"
    expect(codeOf(verdict)).toStrictEqual({ code: "row-unusable", key: "a", baseSeq: 6, cause })
    const { snapshot, refolded } = restored(rows, events(0, 7))
    expect(snapshot).toStrictEqual({ asOfSeq: 7, values: { a: seqs(0, 7), b: [7] } })
    expect(refolded).toStrictEqual([{ key: "a", cause }])
  })

  it("PR25: a log that was repaired to end at 4 must be read from 0", () => {
    expect(codeOf(restoreRows(both, rows, none(6), headerOf(), 0))?.code).toBe("row-unusable")
    const { snapshot, refolded } = restored(rows, events(0, 4))
    expect(snapshot).toStrictEqual({ asOfSeq: 4, values: { a: seqs(0, 4), b: seqs(0, 4) } })
    expect(refolded.map(({ cause }) => cause)).toStrictEqual(["row-ahead", "row-ahead"])
  })

  const causes = [
    ["row-missing", {}],
    ["row-version", { a: row(0, 9) }],
    ["row-version", { a: row(2, 9) }],
    ["row-behind", { a: row(1, 4) }],
    ["row-ahead", { a: row(1, 13) }],
  ] as const

  it.each(causes)("PR25: refuses all for %s, in %j", (cause, part) => {
    const verdict = restoreRows(both, { b: row(2, 6), ...part }, events(6, 12), headerOf(), 0)
    expect(codeOf(verdict)).toStrictEqual({ code: "row-unusable", key: "a", baseSeq: 6, cause })
  })

  it("PR24: a row at the event before the first one at hand is of use", () => {
    const { snapshot } = restored({ a: row(1, 5), b: row(2, 6) }, events(6, 8))
    expect(snapshot.values).toStrictEqual({ a: [6, 7, 8], b: [7, 8] })
  })

  it.each([
    ["row-missing", {}],
    ["row-version", { a: row(0, 9) }],
    ["row-behind", { a: row(1, -2) }],
    ["row-ahead", { a: row(1, 13) }],
  ] as const)("PR24: folds from the beginning for %s with the whole log", (cause, part) => {
    const { snapshot, refolded } = restored({ b: row(2, 6), ...part }, events(0, 8))
    expect(snapshot.values).toStrictEqual({ a: seqs(0, 8), b: [7, 8] })
    expect(refolded).toStrictEqual([{ key: "a", cause }])
  })

  it.each([0, 6])("PR26: refuses a state that the codec does not take, from seq %i", (from) => {
    const odd = { a: { ver: 1, seq: 9, val: { seqs: ["x"] } }, b: row(2, 6) }
    expect(codeOf(restoreRows(both, odd, events(from, 9), headerOf(), 0))).toStrictEqual({
      code: "state-shape",
      key: "a",
      fault: { path: ["seqs", 0], expected: "number" },
    })
  })

  it("PR24: a row that is of no use is not decoded", () => {
    const odd = { a: { ver: 3, seq: 9, val: "x" }, b: row(2, 6) }
    expect(restored(odd, events(0, 9)).refolded).toHaveLength(1)
  })

  it("PR15: refuses events that are not in order", () => {
    const { baseSeq, events: all } = events(6, 9)
    const gap = { baseSeq, events: all.filter(({ seq }) => seq !== 8) }
    expect(codeOf(restoreRows(both, rows, gap, headerOf(), 0))).toStrictEqual({
      code: "event-missing",
      seq: 8,
      found: 9,
    })
  })

  it("PR27: without units there are no values", () => {
    expect(rightOf(restoreRows(noUnits, rows, events(0, 2), headerOf(), 0)).snapshot).toStrictEqual(
      { asOfSeq: 2, values: {} },
    )
  })

  it("PR27: an empty log is restored as of −1", () => {
    expect(restored({}, none(0)).snapshot).toStrictEqual({ asOfSeq: -1, values: { a: [], b: [] } })
  })
})

describe("hydrateCells", () => {
  const registry = registryOf(words)
  const log = [say("a"), say("b"), pass]
  const stored = { words: { ver: 1, seq: 1, val: { words: ["a", "b"] } } }

  it("PR28: puts restored states into cells, which go on from there", () => {
    const session = new LiveSession(registry, log)
    const end = { baseSeq: 1, events: session.events.slice(1) }
    const [cells, snapshot] = rightOf(hydrateCells(registry, session.cells, stored, end))
    expect(snapshot).toStrictEqual({ asOfSeq: 2, values: { words: { words: ["a", "b"] } } })
    expect(cells.cells.get("words")?.observedSeq).toBe(2)
    session.cells = cells
    expect(session.tell(pass)).toStrictEqual([])
    expect(session.tell(say("c"))).toStrictEqual([["words", { words: ["a", "b", "c"] }, 4]])
  })

  it("PR28: leaves a cell that is further ahead", () => {
    const session = new LiveSession(registry, log)
    const [ahead] = rightOf(snapshotOf(registry, session.cells, session.slice))
    const shorter = { baseSeq: 0, events: session.events.slice(0, 1) }
    const [cells, snapshot] = rightOf(hydrateCells(registry, ahead, {}, shorter))
    expect(snapshot).toStrictEqual({ asOfSeq: 0, values: { words: { words: ["a"] } } })
    expect(cells.cells.get("words")).toBe(ahead.cells.get("words"))
  })

  it("PR28: restores nothing where all cells are there", () => {
    const session = new LiveSession(registry, log)
    const [there, seen] = rightOf(snapshotOf(registry, session.cells, session.slice))
    const odd = { words: { ver: 1, seq: 1, val: "no state" } }
    const [cells, snapshot] = rightOf(hydrateCells(registry, there, odd, session.slice))
    expect(cells).toBe(there)
    expect(snapshot).toStrictEqual(seen)
  })

  it("PR28: nor without units", () => {
    const session = new LiveSession(noUnits, log)
    const [cells, seen] = rightOf(hydrateCells(noUnits, session.cells, stored, session.slice))
    expect(cells).toBe(session.cells)
    expect(seen).toStrictEqual({ asOfSeq: 2, values: {} })
  })

  it("PR28: what was told stays told", () => {
    const session = new LiveSession(registry)
    session.tell(say("a"))
    session.append(say("b"))
    const [cells] = rightOf(hydrateCells(registry, session.cells, stored, session.slice))
    session.cells = cells
    expect(session.tell(pass)).toStrictEqual([["words", { words: ["a", "b"] }, 2]])
  })

  it("PR28: what is restored is what later units are compared with", () => {
    const session = new LiveSession(registry)
    for (const event of eventsOf(log)) session.events.push(event)
    const [cells] = rightOf(hydrateCells(registry, session.cells, stored, session.slice))
    const late = new LiveSession(registryOf(words, longest))
    for (const event of session.events) late.events.push(event)
    late.cells = rightOf(snapshotOf(late.registry, cells, late.slice))[0]
    // `words` was there before and was told of nothing yet
    expect(late.tell(pass).map(([key]) => key)).toStrictEqual(["words"])
  })

  it("PR28: refuses as restoring does, and changes nothing", () => {
    const cells = openCells(registry, headerOf(), 0, 8)
    const verdict = hydrateCells(registry, cells, {}, events(6, 8))
    expect(codeOf(verdict)).toMatchObject({ code: "row-unusable", cause: "row-missing" })
    expect(cells.cells.size).toBe(0)
  })

  it("PR29: a row that is restored is not written to", () => {
    const frozen = {
      words: { ver: 1, seq: 1, val: Object.freeze({ words: Object.freeze(["x"]) }) },
    }
    const session = new LiveSession(registry, [pass, pass, say("b")])
    const [cells] = rightOf(hydrateCells(registry, session.cells, frozen, session.slice))
    const [, state] = rightOf(stateOf(registry, cells, session.slice, words))
    expect(state).toStrictEqual({ words: ["x", "b"] })
  })
})
