import { describe, expect, it } from "vitest"
import type { Believed } from "#core/projection/believed-rows"
import { believedRows, storedSnapshot } from "#core/projection/believed-rows"
import type { ProjectionRows } from "#core/projection/checkpoint"
import { recordText } from "#core/projection/record"
import { restoreLog } from "#core/projection/restore-log"
import { isLeft, right } from "fp-ts/lib/Either.js"
import type { Either } from "fp-ts/lib/Either.js"
import type { PaceMoment, WritePace } from "#core/projection/write-pace"
import { allStored, defaultPace, nextTickMs, stepPace } from "#core/projection/write-pace"
import type { EventSlice } from "#core/projection/advance"
import { applied, eventsOf, headerOf, host, pass, registryOf, rightOf, words } from "./session.ts"

const header = headerOf(4, { cwd: "/home/a" })
const seeded = headerOf(4, { cwd: "/home/a", isSeeded: true })
const rows: ProjectionRows = {
  words: { ver: 1, seq: 7, val: { words: ["a", "b"] } },
  host: { ver: 2, seq: 5, val: { words: ["a"] } },
}
const registry = registryOf(words, host)
const text = rightOf(recordText(header, 0, rows, 7))

const leftOf = (verdict: Either<unknown, unknown>): unknown =>
  isLeft(verdict) ? verdict.left : null

const codeIn = ({ distrust }: Believed): string | undefined => distrust?.code

const changed = (change: (record: { [key: string]: unknown }) => void): string => {
  const record = JSON.parse(text) as { [key: string]: unknown }
  change(record)
  return JSON.stringify(record)
}

describe("a record of a session", () => {
  it("PC1: is believed of the session that it was made of", () => {
    expect(believedRows(text, header, 0)).toStrictEqual({
      rows,
      inheritedEventCount: 0,
      distrust: null,
    })
    expect(JSON.parse(text)).toStrictEqual({
      version: 1,
      identity: {
        createdAtMs: header.createdAtMs,
        cwd: "/home/a",
        formatVersion: 4,
        isSeeded: false,
        inheritedEventCount: 0,
      },
      rows,
    })
  })

  it.each([
    ["createdAtMs", headerOf(4, { cwd: "/home/a", createdAt: header.createdAtMs + 1 }), 0],
    ["cwd", headerOf(4), 0],
    ["formatVersion", headerOf(3, { cwd: "/home/a" }), 0],
    ["isSeeded", seeded, 0],
  ] as const)("PC1: is not believed of one that differs in %s", (field, other, inherited) => {
    expect(believedRows(text, other, inherited)).toStrictEqual({
      rows: {},
      inheritedEventCount: inherited,
      distrust: { code: "record-identity", field },
    })
  })

  it("PC1: nor of one that inherited another number of events", () => {
    const forked = rightOf(recordText(seeded, 3, rows, 7))
    expect(believedRows(forked, seeded, 3).distrust).toBeNull()
    expect(believedRows(forked, seeded, 4).distrust).toStrictEqual({
      code: "record-identity",
      field: "inheritedEventCount",
    })
  })

  it("PC1: nothing is known where nothing was stored", () => {
    expect(codeIn(believedRows(null, header, 0))).toBe("record-missing")
  })

  it("PC2: a session without a seed has inherited nothing", () => {
    const refusal = { code: "inherited-unseeded", inheritedEventCount: 2 }
    expect(leftOf(recordText(header, 2, rows, 7))).toStrictEqual(refusal)
    expect(believedRows(text, header, 2).distrust).toStrictEqual(refusal)
  })

  it("PC3: of another version it is not read", () => {
    const other = changed((record) => {
      record["version"] = 2
      record["rows"] = "of another form"
    })
    expect(believedRows(other, header, 0).distrust).toStrictEqual({
      code: "record-version",
      version: 2,
    })
  })

  it.each([
    ["no JSON", "{", [], "object"],
    ["no object", "[]", [], "object"],
    ["no version", "{}", ["version"], "count"],
    ["a further key", changed((record) => (record["more"] = 1)), ["more"], "nothing"],
    [
      "an identity without a field",
      changed((record) => (record["identity"] = {})),
      ["identity", "createdAtMs"],
      "count",
    ],
    ["no rows", changed((record) => (record["rows"] = [])), ["rows"], "object"],
    [
      "a seq below −1",
      changed((record) => (record["rows"] = { words: { ver: 1, seq: -2, val: 0 } })),
      ["rows", "words", "seq"],
      "seq or -1",
    ],
    [
      "a version that is no count",
      changed((record) => (record["rows"] = { words: { ver: 0.5, seq: 1, val: 0 } })),
      ["rows", "words", "ver"],
      "count",
    ],
    [
      "a row without a value",
      changed((record) => (record["rows"] = { words: { ver: 1, seq: 1 } })),
      ["rows", "words", "val"],
      "any",
    ],
  ])("PC3: %s is no record", (_name, odd, path, expected) => {
    const { distrust, rows: none } = believedRows(odd, header, 0)
    expect(none).toStrictEqual({})
    expect(distrust).toMatchObject({ code: "record-damaged", fault: { path } })
    if (expected !== "any") expect(distrust).toMatchObject({ fault: { expected } })
  })

  it("PC4: says how many events were inherited where the header does not", () => {
    const forked = rightOf(recordText(seeded, 3, rows, 7))
    expect(believedRows(forked, seeded, null)).toStrictEqual({
      rows,
      inheritedEventCount: 3,
      distrust: null,
    })
    expect(believedRows(null, seeded, null).inheritedEventCount).toBeNull()
  })

  it("PC5: never knows of more than the log is sure to keep", () => {
    expect(leftOf(recordText(header, 0, rows, 6))).toStrictEqual({
      code: "row-ahead",
      key: "words",
      seq: 7,
      durableSeq: 6,
    })
    const empty = { words: { ver: 1, seq: -1, val: { words: [] } } }
    expect(isLeft(recordText(header, 0, empty, -1))).toBe(false)
  })

  it("PC6: holds what JSON holds and nothing else", () => {
    const odd = { words: { ver: 1, seq: 7, val: { words: [-0] } } }
    expect(leftOf(recordText(header, 0, odd, 7))).toStrictEqual({
      code: "state-not-lossless",
      key: "words",
      fault: { what: "negative-zero", path: ["words", 0] },
    })
    const old = { words: { ver: -1, seq: 7, val: 0 } }
    expect(leftOf(recordText(header, 0, old, 7))).toMatchObject({
      code: "row-shape",
      key: "words",
      fault: { path: ["ver"] },
    })
  })

  it("PC6: what is stored can be read again, also at the deepest", () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)])
    const deep = (levels: number): ProjectionRows => ({
      words: { ver: 1, seq: 0, val: nested(levels) },
    })
    const stored = rightOf(recordText(header, 0, deep(997), 0))
    expect(believedRows(stored, header, 0).rows).toStrictEqual(deep(997))
    expect(leftOf(recordText(header, 0, deep(998), 0))).toMatchObject({
      code: "state-not-lossless",
      key: "words",
      fault: { what: "too-deep" },
    })
  })
})

describe("a snapshot of what is stored", () => {
  it("PC7: shows the values without a log, as of the lowest of them", () => {
    const both = registryOf(words, applied("applied", 3))
    const more = { ...rows, applied: { ver: 3, seq: 4, val: { seqs: [1] } } }
    const stored = rightOf(recordText(header, 0, more, 7))
    expect(storedSnapshot(both, stored, header)).toStrictEqual(
      right({ asOfSeq: 4, values: { words: { words: ["a", "b"] }, applied: [1] } }),
    )
    expect(storedSnapshot(both, stored, header, ["words"])).toStrictEqual(
      right({ asOfSeq: 7, values: { words: { words: ["a", "b"] } } }),
    )
  })

  it("PC7: is null where nothing can be shown", () => {
    expect(storedSnapshot(registry, null, header)).toStrictEqual(right(null))
    expect(storedSnapshot(registryOf(host), text, header)).toStrictEqual(right(null))
    expect(storedSnapshot(registry, text, headerOf(4))).toStrictEqual(right(null))
  })

  it("PC7: does not ask how many events were inherited", () => {
    const forked = rightOf(recordText(seeded, 3, rows, 7))
    expect(rightOf(storedSnapshot(registry, forked, seeded))?.asOfSeq).toBe(7)
  })
})

describe("when a checkpoint is stored", () => {
  const pace: WritePace = { everyEvents: 3, intervalMs: 100 }
  const event = (nowMs: number, type = "plan/mode"): PaceMoment => ({ is: "event", type, nowMs })

  const run = (moments: readonly PaceMoment[]): readonly boolean[] => {
    let unstored = allStored
    return moments.map((moment) => {
      const step = stepPace(pace, unstored, moment)
      unstored = step.unstored
      return step.isDue
    })
  }

  it("PC8: at the beginning, the end, and the end of each turn", () => {
    expect(run([{ is: "created" }, event(0), event(0, "turn/end"), { is: "disposed" }])).toEqual([
      true,
      false,
      true,
      true,
    ])
  })

  it("PC8: every so many events, and the end of a turn begins to count anew", () => {
    expect(run([event(0), event(0), event(0), event(0), event(0)])).toEqual([
      false,
      false,
      true,
      false,
      false,
    ])
    const ended = run([event(0), event(0), event(0, "turn/end"), event(0), event(0), event(0)])
    expect(ended).toEqual([false, false, true, false, false, true])
  })

  it("PC8: so much time behind the first event that is not stored", () => {
    expect(run([event(10), event(109), { is: "tick", nowMs: 110 }])).toEqual([false, false, true])
    expect(run([event(10), event(110)])).toEqual([false, true])
    expect(run([{ is: "tick", nowMs: 9_999 }])).toEqual([false])
    expect(run([event(10), event(110), { is: "tick", nowMs: 999 }])).toEqual([false, true, false])
  })

  it("PC8: says when time alone will make it so", () => {
    expect(nextTickMs(pace, allStored)).toBeNull()
    expect(nextTickMs(pace, stepPace(pace, allStored, event(10)).unstored)).toBe(110)
    expect(defaultPace).toStrictEqual({ everyEvents: 200, intervalMs: 5_000 })
  })
})

describe("restoring a log", () => {
  const units = registryOf(applied("a", 1), applied("b", 2))
  const stored: ProjectionRows = {
    a: { ver: 1, seq: 9, val: { seqs: [] } },
    b: { ver: 2, seq: 6, val: { seqs: [] } },
  }
  /** A log that ends at a seq, with a list of the places that it was read from. */
  const logTo = (end: number): { read: (from: number) => EventSlice; from: number[] } => {
    const from: number[] = []
    const read = (baseSeq: number): EventSlice => {
      from.push(baseSeq)
      const drafts = Array.from({ length: Math.max(0, end - baseSeq + 1) }, () => pass)
      return { baseSeq, events: eventsOf(drafts, baseSeq) }
    }
    return { read, from }
  }
  const upTo = (end: number): number[] => Array.from({ length: end + 1 }, (_, i) => i)

  it("PC9: reads from the floor on", () => {
    const { read, from } = logTo(8)
    const { rows: none } = believedRows(null, header, 0)
    expect(rightOf(restoreLog(units, none, read, header, 0)).snapshot.values).toEqual({
      a: upTo(8),
      b: upTo(8),
    })
    expect(from).toEqual([0])
    const longer = logTo(12)
    const restored = rightOf(restoreLog(units, stored, longer.read, header, 0))
    expect(restored.snapshot).toEqual({
      asOfSeq: 12,
      values: { a: [10, 11, 12], b: [7, 8, 9, 10, 11, 12] },
    })
    expect(restored.distrust).toBeNull()
    expect(longer.from).toEqual([6])
  })

  it("PC9: reads all, without the rows, where the log ends before one of them", () => {
    const { read, from } = logTo(7)
    const restored = rightOf(restoreLog(units, stored, read, header, 0))
    expect(restored.snapshot.values).toEqual({ a: upTo(7), b: upTo(7) })
    expect(restored.distrust).toEqual({
      code: "row-unusable",
      key: "a",
      baseSeq: 6,
      cause: "row-ahead",
    })
    expect(from).toEqual([6, 0])
  })

  it("PC9: a state that the codec does not take costs no second reading of a whole log", () => {
    const { read, from } = logTo(2)
    const odd = {
      a: { ver: 1, seq: 0, val: { seqs: ["x"] } },
      b: { ver: 2, seq: 1, val: { seqs: [] } },
    }
    const restored = rightOf(restoreLog(units, odd, read, header, 0))
    expect(restored.snapshot.values).toEqual({ a: [0, 1, 2], b: [0, 1, 2] })
    expect(restored.distrust).toMatchObject({ code: "state-shape", key: "a" })
    expect(from).toEqual([0])
  })

  it("PC9: refuses what the whole log is refused for", () => {
    const gap = (baseSeq: number): EventSlice => ({
      baseSeq,
      events: eventsOf([pass, pass, pass], baseSeq).filter(({ seq }) => seq !== baseSeq + 1),
    })
    expect(leftOf(restoreLog(units, {}, gap, header, 0))).toEqual({
      code: "event-missing",
      seq: 1,
      found: 2,
    })
  })
})
