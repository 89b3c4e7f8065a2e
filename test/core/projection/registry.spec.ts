import { isLeft } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import { openCells } from "#core/projection/cells"
import { driveEvent } from "#core/projection/drive"
import { snapshotOf, stateOf } from "#core/projection/read"
import { noUnits, registerUnit, registerUnits, releaseUnit } from "#core/projection/registry"
import {
  codeOf,
  eventsOf,
  headerOf,
  host,
  LiveSession,
  pass,
  registryOf,
  rightOf,
  say,
  sliceOf,
  words,
} from "./session.ts"

const silent = { ...words, init: () => ({ words: ["other"] }) }

describe("registerUnit", () => {
  it.each([-1, 1.5, NaN, 2 ** 53, -0])("PR1: refuses the state version %s", (stateVersion) => {
    expect(codeOf(registerUnit(noUnits, { ...words, stateVersion }))).toStrictEqual({
      code: "state-version-invalid",
      key: "words",
      stateVersion,
    })
  })

  it("PR1: takes the state version 0", () => {
    expect(registryOf({ ...words, stateVersion: 0 }).units.size).toBe(1)
  })

  it("PR2: counts a second definition, and the first one serves", () => {
    const registry = registryOf(words, silent)
    const session = new LiveSession(registry, [say("a")])
    const [, snapshot] = rightOf(snapshotOf(registry, session.cells, session.slice))
    expect(snapshot.values).toStrictEqual({ words: { words: ["a"] } })
  })

  it("PR2: the first definition serves on when its registrant has gone", () => {
    const registry = rightOf(releaseUnit(registryOf(words, silent), "words"))
    const session = new LiveSession(registry, [say("a")])
    const [, state] = rightOf(stateOf(registry, session.cells, session.slice, words))
    expect(state).toStrictEqual({ words: ["a"] })
  })

  it("PR3: refuses another version of a key and changes nothing", () => {
    const registry = registryOf(words)
    expect(codeOf(registerUnit(registry, { ...words, stateVersion: 7 }))).toStrictEqual({
      code: "state-version-conflict",
      key: "words",
      registered: 1,
      offered: 7,
    })
    // one reference: the next release removes it
    expect(rightOf(releaseUnit(registry, "words")).units.size).toBe(0)
  })

  it("PR3: adds no unit of several when one is refused", () => {
    const registry = registryOf(words)
    expect(isLeft(registerUnits(registry, [host, { ...words, stateVersion: 2 }]))).toBe(true)
    expect([...registry.units.keys()]).toStrictEqual(["words"])
  })

  it("PR5: keeps the order of registration", () => {
    const other = { ...words, key: "first" }
    const registry = registryOf(other, words, host)
    const session = new LiveSession(registry)
    const [, snapshot] = rightOf(snapshotOf(registry, session.cells, session.slice))
    expect(Object.keys(snapshot.values)).toStrictEqual(["first", "words"])
    expect(session.tell(say("a")).map(([key]) => key)).toStrictEqual(["first", "words"])
  })
})

describe("releaseUnit", () => {
  it("PR4: refuses a key that nobody registered", () => {
    expect(codeOf(releaseUnit(noUnits, "words"))).toStrictEqual({
      code: "key-unregistered",
      key: "words",
    })
  })

  it("PR4: with the last reference the key is gone from snapshots", () => {
    const registry = registryOf(words, host)
    const session = new LiveSession(registry, [say("a")])
    const [cells] = rightOf(snapshotOf(registry, session.cells, session.slice))
    const without = rightOf(releaseUnit(registry, "words"))
    const [left, snapshot] = rightOf(snapshotOf(without, cells, session.slice))
    expect(snapshot.values).toStrictEqual({})
    expect([...left.cells.keys()]).toStrictEqual(["host"])
  })

  it("PR4: what is registered later folds from the beginning", () => {
    const registry = registryOf(words)
    const session = new LiveSession(registry, [say("a")])
    const [cells] = rightOf(snapshotOf(registry, session.cells, session.slice))
    const without = rightOf(releaseUnit(registry, "words"))
    const again = rightOf(registerUnit(without, silent))
    const [, state] = rightOf(stateOf(again, cells, session.slice, words))
    expect(state).toStrictEqual({ words: ["other", "a"] })
  })
})

describe("openCells", () => {
  it("PR6: gives a new session a cell of each unit as of seq −1", () => {
    const cells = openCells(registryOf(words, host), headerOf(), 0, -1)
    expect([...cells.cells].map(([key, cell]) => [key, cell.observedSeq, cell.state])).toEqual([
      ["words", -1, { words: [] }],
      ["host", -1, { words: [] }],
    ])
  })

  it("PR6: gives a session with a past no cell", () => {
    expect(openCells(registryOf(words), headerOf(), 0, 3).cells.size).toBe(0)
  })

  it("PR6: hands header and number of inherited events to a unit", () => {
    const header = headerOf(4, { id: "mine" })
    const born = {
      ...words,
      init: ({ id }: { readonly id: string }, count: number) => ({ words: [id, `${count}`] }),
    }
    const registry = registryOf(born)
    const [, state] = rightOf(
      stateOf(registry, openCells(registry, header, 5, -1), sliceOf([]), words),
    )
    expect(state).toStrictEqual({ words: ["mine", "5"] })
  })
})

describe("catching up", () => {
  const events = eventsOf([say("a"), pass, say("b")])

  it("PR7: folds a new unit from the beginning and others from their watermark", () => {
    const cells = openCells(registryOf(words), headerOf(), 0, -1)
    const [some] = rightOf(snapshotOf(registryOf(words), cells, sliceOf(events.slice(0, 1))))
    const both = registryOf(words, host)
    const [all] = rightOf(snapshotOf(both, some, sliceOf(events)))
    expect([...all.cells.values()].map(({ state, observedSeq }) => [state, observedSeq])).toEqual([
      [{ words: ["a", "b"] }, 2],
      [{ words: ["a", "b"] }, 2],
    ])
  })

  it("PR7: needs no events before the watermark", () => {
    const registry = registryOf(words)
    const cells = openCells(registry, headerOf(), 0, -1)
    const [some] = rightOf(snapshotOf(registry, cells, sliceOf(events.slice(0, 2))))
    const [, state] = rightOf(stateOf(registry, some, sliceOf(events.slice(2)), words))
    expect(state).toStrictEqual({ words: ["a", "b"] })
  })

  it("PR8: moves the watermark with events that change nothing", () => {
    const session = new LiveSession(registryOf(words))
    expect(session.tell(pass)).toStrictEqual([])
    expect(session.cells.cells.get("words")?.observedSeq).toBe(0)
  })

  it("PR15: refuses what is not at hand", () => {
    const registry = registryOf(words)
    const cells = openCells(registry, headerOf(), 0, 2)
    const gap = [events[0], events[2]].flatMap((each) => each ?? [])
    expect(codeOf(snapshotOf(registry, cells, sliceOf(gap)))).toStrictEqual({
      code: "event-missing",
      seq: 1,
      found: 2,
    })
    expect(codeOf(snapshotOf(registry, cells, sliceOf(events.slice(1))))).toStrictEqual({
      code: "event-missing",
      seq: 0,
      found: null,
    })
    const [later] = eventsOf([say("c")], 9)
    const driven = later && driveEvent(registry, cells, sliceOf(events), later)
    expect(driven && codeOf(driven)).toStrictEqual({ code: "event-missing", seq: 3, found: null })
  })

  it("PR15: refuses what is no event of the format", () => {
    const registry = registryOf(words)
    const [odd] = eventsOf([{ type: "never/heard", data: {} }])
    const session = new LiveSession(registry)
    const driven = odd && driveEvent(registry, session.cells, session.slice, odd)
    expect(driven && codeOf(driven)).toStrictEqual({
      code: "event-refused",
      seq: 0,
      refusal: { code: "event-type-unknown", seq: 0, type: "never/heard" },
    })
  })
})
