import * as t from "io-ts"
import { describe, expect, it } from "vitest"
import type { JsonValue } from "#core/data/json"
import { openCells } from "#core/projection/cells"
import { checkpointOf, viewCheckpoint } from "#core/projection/checkpoint"
import { cachedSnapshot, snapshotOf, stateOf } from "#core/projection/read"
import { noUnits } from "#core/projection/registry"
import type { Longest } from "./session.ts"
import {
  codeOf,
  headerOf,
  host,
  LiveSession,
  longest,
  pass,
  registryOf,
  rightOf,
  say,
  sliceOf,
  words,
} from "./session.ts"

const later = { ...words, key: "later" }

describe("stateOf", () => {
  it("PR16: answers with the state of one unit and touches no other", () => {
    const registry = registryOf(words, host)
    const session = new LiveSession(registry, [say("a"), pass])
    const [cells, state] = rightOf(stateOf(registry, session.cells, session.slice, host))
    expect(state).toStrictEqual({ words: ["a"] })
    expect([...cells.cells.keys()]).toStrictEqual(["host"])
    const [more] = rightOf(stateOf(registry, cells, session.slice, words))
    expect([...more.cells.keys()]).toStrictEqual(["host", "words"])
  })

  it("PR16: is undefined without a unit of that key and version", () => {
    const session = new LiveSession(registryOf(words), [say("a")])
    const { registry, cells, slice } = session
    expect(rightOf(stateOf(registry, cells, slice, host))).toStrictEqual([cells, undefined])
    const newer = { ...words, stateVersion: 2 }
    expect(rightOf(stateOf(registry, cells, slice, newer))).toStrictEqual([cells, undefined])
  })
})

describe("snapshotOf", () => {
  it("PR17: takes every unit to the end of the log", () => {
    const registry = registryOf(words, host, later)
    const session = new LiveSession(registry, [say("a"), say("b"), pass])
    const [cells, snapshot] = rightOf(snapshotOf(registry, session.cells, session.slice))
    expect(snapshot).toStrictEqual({
      asOfSeq: 2,
      values: { words: { words: ["a", "b"] }, later: { words: ["a", "b"] } },
    })
    expect([...cells.cells.values()].map((cell) => cell.observedSeq)).toStrictEqual([2, 2, 2])
  })

  it("PR17: picks values by key, and folds the rest all the same", () => {
    const registry = registryOf(words, host, later)
    const session = new LiveSession(registry, [say("a")])
    const [cells, snapshot] = rightOf(
      snapshotOf(registry, session.cells, session.slice, ["later", "host", "nobody"]),
    )
    expect(snapshot.values).toStrictEqual({ later: { words: ["a"] } })
    expect(cells.cells.size).toBe(3)
  })

  it("PR17: is as of −1 for an empty log", () => {
    const registry = registryOf(words)
    const cells = openCells(registry, headerOf(), 0, -1)
    expect(rightOf(snapshotOf(registry, cells, sliceOf([])))[1]).toStrictEqual({
      asOfSeq: -1,
      values: { words: { words: [] } },
    })
    expect(rightOf(snapshotOf(noUnits, cells, sliceOf([])))[1].values).toStrictEqual({})
  })

  it("PR18: holds what the codec makes of a view", () => {
    const joined = new t.Type<string, string, unknown>(
      "joined",
      (value): value is string => typeof value === "string",
      (value) => t.success((value as { readonly words: readonly string[] }).words.join("+")),
      (value) => value,
    )
    const unit = { ...words, wire: { codec: joined, view: (state: unknown) => state as string } }
    const session = new LiveSession(registryOf(unit), [say("a"), say("b")])
    const { registry, cells, slice } = session
    expect(rightOf(snapshotOf(registry, cells, slice))[1].values).toStrictEqual({ words: "a+b" })
  })

  it("PR18: has the same value object while the view is the same", () => {
    let decoded = 0
    const counting = {
      decode: (value: unknown) => {
        decoded++
        return t.success([value] as JsonValue)
      },
    }
    const unit = {
      ...words,
      wire: { codec: counting, view: (s: { readonly words: unknown }) => s },
    }
    const session = new LiveSession(registryOf(unit as typeof words), [say("a")])
    const [cells, first] = rightOf(snapshotOf(session.registry, session.cells, session.slice))
    session.append(pass)
    const [more, second] = rightOf(snapshotOf(session.registry, cells, session.slice))
    expect(second.values["words"]).toBe(first.values["words"])
    expect(decoded).toBe(1)
    const [same] = rightOf(snapshotOf(session.registry, more, session.slice))
    expect(same).toBe(more)
  })

  it("PR18: also where the state is another", () => {
    const codec = { decode: (value: unknown) => t.success([value]) }
    const unit = { ...longest, wire: { codec, view: (state: Longest) => state.longest } }
    const session = new LiveSession(registryOf(unit), [say("two"), say("a")])
    const first = sliceOf(session.events.slice(0, 1))
    const [cells, before] = rightOf(snapshotOf(session.registry, session.cells, first))
    const [, after] = rightOf(snapshotOf(session.registry, cells, session.slice))
    expect(after.values["longest"]).toStrictEqual([["two"]])
    expect(after.values["longest"]).toBe(before.values["longest"])
  })

  it("PR19: refuses a log that ends before a watermark", () => {
    const session = new LiveSession(registryOf(words), [say("a"), say("b")])
    const [cells] = rightOf(snapshotOf(session.registry, session.cells, session.slice))
    const shorter = sliceOf(session.events.slice(0, 1))
    const refusal = { code: "log-behind", key: "words", observedSeq: 1, endSeq: 0 }
    expect(codeOf(snapshotOf(session.registry, cells, shorter))).toStrictEqual(refusal)
    expect(codeOf(stateOf(session.registry, cells, shorter, words))).toStrictEqual(refusal)
    expect(codeOf(checkpointOf(session.registry, cells, shorter))).toStrictEqual(refusal)
  })
})

describe("cachedSnapshot", () => {
  const registry = registryOf(words, later, host)
  const session = new LiveSession(registry, [say("a"), say("b")])
  const first = sliceOf(session.events.slice(0, 1))
  const [one] = rightOf(stateOf(registry, session.cells, first, later))
  const [both] = rightOf(stateOf(registry, one, session.slice, words))

  it("PR20: serves what is there, as of the lowest watermark", () => {
    expect(rightOf(cachedSnapshot(registry, both))).toStrictEqual({
      asOfSeq: 0,
      values: { words: { words: ["a", "b"] }, later: { words: ["a"] } },
    })
    expect(rightOf(cachedSnapshot(registry, both, ["words"]))?.asOfSeq).toBe(1)
  })

  it("PR20: is null where nothing is there to be shown", () => {
    expect(rightOf(cachedSnapshot(registry, session.cells))).toBeNull()
    expect(rightOf(cachedSnapshot(registry, both, ["host"]))).toBeNull()
    const [hosts] = rightOf(stateOf(registry, session.cells, session.slice, host))
    expect(rightOf(cachedSnapshot(registry, hosts))).toBeNull()
  })
})

describe("checkpointOf", () => {
  it("PR21: has a row for each unit", () => {
    const registry = registryOf(words, host)
    const session = new LiveSession(registry, [say("a"), pass])
    const [, rows] = rightOf(checkpointOf(registry, session.cells, session.slice))
    expect(rows).toStrictEqual({
      words: { ver: 1, seq: 1, val: { words: ["a"] } },
      host: { ver: 2, seq: 1, val: { words: ["a"] } },
    })
  })

  it("PR21: shares nothing with the cells", () => {
    const registry = registryOf(words)
    const session = new LiveSession(registry, [say("a")])
    const [cells, rows] = rightOf(checkpointOf(registry, session.cells, session.slice))
    const val = rows["words"]?.val as { words: string[] }
    val.words.push("forged")
    expect(rightOf(stateOf(registry, cells, session.slice, words))[1]).toStrictEqual({
      words: ["a"],
    })
  })

  it("PR21: refuses a state that JSON cannot hold", () => {
    const registry = registryOf({ ...words, init: () => ({ words: [], at: NaN }) })
    const session = new LiveSession(registry)
    expect(codeOf(checkpointOf(registry, session.cells, session.slice))).toStrictEqual({
      code: "state-not-lossless",
      key: "words",
      fault: { what: "non-finite", path: ["at"] },
    })
  })
})

describe("viewCheckpoint", () => {
  const row = (ver: number, val: unknown): { ver: number; seq: number; val: unknown } => ({
    ver,
    seq: 4,
    val,
  })
  const right = row(1, { words: ["a"] })

  it("PR22: shows rows without a log, and no row of a host's unit", () => {
    const registry = registryOf(words, later, host)
    const rows = { later: right, words: right, host: row(2, { words: [] }), other: right }
    expect(rightOf(viewCheckpoint(registry, rows))).toStrictEqual({
      words: { words: ["a"] },
      later: { words: ["a"] },
    })
    expect(Object.keys(rightOf(viewCheckpoint(registry, rows, ["later"])))).toStrictEqual(["later"])
  })

  it("PR22: shows nothing of rows that cannot be read", () => {
    const registry = registryOf(words, later)
    const rows = { words: row(2, { words: [] }), later: row(1, { words: 7 }) }
    expect(rightOf(viewCheckpoint(registry, rows))).toStrictEqual({})
  })

  it("PR22: refuses a view that does not pass", () => {
    const odd = { ...words, wire: { codec: t.number, view: () => "text" as unknown as number } }
    expect(codeOf(viewCheckpoint(registryOf(odd), { words: right }))).toStrictEqual({
      code: "view-shape",
      key: "words",
      fault: { path: [], expected: "number" },
    })
  })
})
