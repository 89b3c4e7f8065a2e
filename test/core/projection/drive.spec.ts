import * as t from "io-ts"
import { describe, expect, it } from "vitest"
import type { ProjectionDefinition } from "#core/projection/definition"
import { driveEvent } from "#core/projection/drive"
import { cachedSnapshot, snapshotOf, stateOf } from "#core/projection/read"
import { registerUnit } from "#core/projection/registry"
import type { Longest, Words } from "./session.ts"
import {
  codeOf,
  fussy,
  host,
  LiveSession,
  longest,
  pass,
  registryOf,
  rightOf,
  say,
  words,
} from "./session.ts"

const snapshot = (session: LiveSession): void => {
  const [cells] = rightOf(snapshotOf(session.registry, session.cells, session.slice))
  session.cells = cells
}

describe("driveEvent", () => {
  it("PR9: tells a new view and is quiet where the view is the same object", () => {
    const session = new LiveSession(registryOf(longest, host))
    expect(session.tell(say("two"))).toStrictEqual([["longest", ["two"], 0]])
    expect(session.tell(say("a"))).toStrictEqual([])
    expect(session.tell(pass)).toStrictEqual([])
    expect(session.tell(say("three"))).toStrictEqual([["longest", ["three"], 3]])
  })

  it("PR9: tells an equal view that is another object", () => {
    const fresh = {
      ...longest,
      wire: { codec: t.array(t.string), view: (state: Longest) => [...state.longest] },
    }
    const session = new LiveSession(registryOf(fresh))
    session.tell(say("two"))
    expect(session.tell(say("a"))).toStrictEqual([["longest", ["two"], 1]])
  })

  it("PR10: the first event is told only if it changes what is shown", () => {
    const session = new LiveSession(registryOf(longest), [say("first"), say("b")])
    expect(session.tell(say("c"))).toStrictEqual([])
    const other = new LiveSession(registryOf(longest), [say("b")])
    expect(other.tell(say("first"))).toStrictEqual([["longest", ["first"], 1]])
  })

  it("PR10: tells nothing of a unit that comes late until its state changes", () => {
    const session = new LiveSession(registryOf(words), [say("a")])
    session.tell(say("b"))
    const registry = rightOf(registerUnit(session.registry, longest))
    const late = new LiveSession(registry)
    for (const event of session.events) late.events.push(event)
    late.cells = session.cells
    expect(late.tell(pass)).toStrictEqual([])
    expect(late.tell(say("cc")).map(([key]) => key)).toStrictEqual(["words", "longest"])
  })

  it("PR11: a reader that comes first hides no change", () => {
    const session = new LiveSession(registryOf(words))
    const event = session.append(say("a"))
    snapshot(session)
    expect(session.drive(event).changes).toStrictEqual([
      { key: "words", value: { words: ["a"] }, asOfSeq: 0 },
    ])
  })

  it("PR11: nor does a reader that makes the cell", () => {
    const session = new LiveSession(registryOf(words), [say("a")])
    const event = session.append(say("b"))
    snapshot(session)
    expect(session.drive(event).changes.map(({ value }) => value)).toStrictEqual([
      { words: ["a", "b"] },
    ])
  })

  it("PR11: a reader that makes the cell makes no change of what nobody changed", () => {
    const session = new LiveSession(registryOf(words), [say("a")])
    const event = session.append(pass)
    snapshot(session)
    expect(session.drive(event).changes).toStrictEqual([])
  })

  it("PR11: a reader that makes the cell of a late unit makes no change either", () => {
    const session = new LiveSession(registryOf(words))
    session.tell(say("first"))
    const late = new LiveSession(registryOf(words, longest))
    for (const event of session.events) late.events.push(event)
    late.cells = session.cells
    snapshot(late)
    expect(late.tell(pass)).toStrictEqual([])
    expect(late.tell(say("a")).map(([key]) => key)).toStrictEqual(["words"])
  })

  it("PR11: tells what is shown by then where a reader ran further ahead", () => {
    const session = new LiveSession(registryOf(words))
    const first = session.append(say("a"))
    const second = session.append(say("b"))
    snapshot(session)
    expect(session.drive(first).changes).toStrictEqual([
      { key: "words", value: { words: ["a", "b"] }, asOfSeq: 1 },
    ])
    expect(session.drive(second).changes).toStrictEqual([])
  })

  it("PR12: tells skipped events with the next one, even one that changes nothing", () => {
    const session = new LiveSession(registryOf(words))
    session.append(say("a"))
    session.append(say("b"))
    expect(session.tell(pass)).toStrictEqual([["words", { words: ["a", "b"] }, 2]])
  })

  it("PR12: an event that is driven again tells nothing", () => {
    const session = new LiveSession(registryOf(words))
    const event = session.append(say("a"))
    expect(session.drive(event).changes).toHaveLength(1)
    const before = session.cells
    expect(session.drive(event).changes).toStrictEqual([])
    expect(session.cells).toBe(before)
  })

  it("PR12: takes an event that is not in the log yet", () => {
    const session = new LiveSession(registryOf(words))
    const event = session.append(say("a"))
    session.events.pop()
    expect(session.drive(event).changes).toHaveLength(1)
  })
})

describe("a unit that refuses an event", () => {
  const session = new LiveSession(registryOf(fussy("no"), words, host))
  session.tell(say("yes"))
  const refusal = {
    code: "unit-refused",
    key: "fussy",
    seq: 1,
    cause: { code: "word-refused", seq: 1 },
  }
  const refused = session.drive(session.append(say("no")))
  const next = session.drive(session.append(say("yes")))

  it("PR13: stays where it was while the others go on", () => {
    expect(refused.refusals).toStrictEqual([refusal])
    expect(refused.changes.map(({ key }) => key)).toStrictEqual(["words"])
    expect(next.refusals).toStrictEqual([refusal])
    expect(next.changes.map(({ value }) => value)).toStrictEqual([{ words: ["yes", "no", "yes"] }])
    const watermarks = [...session.cells.cells.values()].map((cell) => cell.observedSeq)
    expect(watermarks).toStrictEqual([0, 2, 2])
    expect(session.cells.cells.get("fussy")?.state).toBe(1)
  })

  it("PR13: refuses every read that needs it, and no other", () => {
    const { registry, cells, slice } = session
    expect(codeOf(snapshotOf(registry, cells, slice))).toStrictEqual(refusal)
    expect(codeOf(stateOf(registry, cells, slice, fussy("no")))).toStrictEqual(refusal)
    expect(rightOf(stateOf(registry, cells, slice, words))[1]?.words).toHaveLength(3)
    // what is there already is served as of where the unit stands
    expect(rightOf(cachedSnapshot(registry, cells))).toStrictEqual({
      asOfSeq: 0,
      values: { fussy: 1, words: { words: ["yes", "no", "yes"] } },
    })
  })
})

describe("a unit that throws", () => {
  it("PR14: is heard, and nothing was changed", () => {
    const thrower = {
      ...words,
      key: "thrower",
      apply: (): never => {
        throw new RangeError("mine")
      },
    }
    const session = new LiveSession(registryOf(words, thrower))
    const event = session.append(say("a"))
    const before = session.cells
    const state = JSON.stringify([...before.cells.values()].map((cell) => cell.state))
    expect(() => driveEvent(session.registry, before, session.slice, event)).toThrow("mine")
    expect(JSON.stringify([...before.cells.values()].map((cell) => cell.state))).toBe(state)
  })
})

describe("a view that its codec does not take", () => {
  const odd: ProjectionDefinition<Words, unknown> = {
    ...words,
    key: "odd",
    wire: { codec: t.strict({ words: t.number }), view: (state) => state },
  }
  const fault = { path: ["words"], expected: "number" }

  it("PR18: is refused, and the others are told", () => {
    const session = new LiveSession(registryOf(odd, words))
    const { changes, refusals } = session.drive(session.append(say("a")))
    expect(refusals).toStrictEqual([{ code: "view-shape", key: "odd", fault }])
    expect(changes.map(({ key }) => key)).toStrictEqual(["words"])
    expect(codeOf(snapshotOf(session.registry, session.cells, session.slice))).toStrictEqual({
      code: "view-shape",
      key: "odd",
      fault,
    })
  })
})
