import { isRight } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import { noProjections } from "#core/surface/message-projection"
import { catchUp, liveSurface, validateNext } from "#core/surface/live"
import { formatOf, stateText } from "../../../properties/carriers.ts"
import { addition, tool } from "../../../properties/arbitraries/dialect.ts"
import {
  assistant,
  developer,
  every,
  leftOf,
  note,
  replacing,
  requestHeader,
  rightOf,
  toolResult,
  user,
} from "./events.ts"
import { LiveLog } from "./live-log.ts"

describe("the live surface", () => {
  it.each(every)("S42: format %d: asking changes neither log nor surface", (version) => {
    const log = new LiveLog(version)
    expect(log.append(user())).toBeNull()
    expect(log.read()).toEqual([0])
    const before = stateText(log.live.state)
    expect(log.validate(log.next(replacing(version, user(), [0, 0], [0])))).toBeNull()
    expect(log.events).toHaveLength(1)
    expect(stateText(log.live.state)).toBe(before)
    expect(log.read()).toEqual([0])
  })

  it.each(every)(
    "S42: format %d: the plan that was asked for is the one that is applied",
    (version) => {
      const log = new LiveLog(version)
      log.append(user())
      const event = log.next(replacing(version, user(), [0, 0], [0]))
      expect(log.validate(event)).toBeNull()
      const pending = log.live.pending
      expect(pending).toMatchObject({ event, seq: 1, admission: { plan: { op: "replace" } } })
      // a plan that only this test could have made shows that no other one is made
      const marked = { tokens: 77, derives: true, digest: 0, byteOffset: 5, byteLength: 6 }
      const forged = {
        ...log.live,
        pending: pending && { ...pending, admission: { ...pending.admission, detail: marked } },
      }
      log.events.push(event)
      const after = rightOf(catchUp(forged, log.events, log.projections))
      expect(after.state.entries[0]).toEqual({ seq: 1, kind: 3, ...marked })
      expect(after.pending).toBeNull()
    },
  )

  it.each(every)("S44: format %d: another event at that place goes the full way", (version) => {
    const log = new LiveLog(version)
    log.append(user())
    log.append(toolResult(version))
    const asked = log.next(replacing(version, user(), [0, 1], [0, 1]))
    const other = log.next(user("other"))
    expect(log.validate(asked)).toBeNull()
    log.events.push(other)
    expect(log.read()).toEqual([0, 1, 2])
    expect(log.live.pending).toBeNull()
    // the same content in another object is another candidate
    const again = log.next(replacing(version, user(), [0, 2], [0, 1, 2]))
    expect(log.validate(again)).toBeNull()
    log.events.push(structuredClone(again))
    expect(log.read()).toEqual([3])
  })

  it.each(every)(
    "S44: format %d: and is refused where it is wrong, asked for or not",
    (version) => {
      const log = new LiveLog(version)
      log.append(user())
      expect(log.validate(log.next(user()))).toBeNull()
      log.events.push(log.next(replacing(version, user(), [0, 0], [])))
      expect(log.read()).toEqual({ code: "sources-empty", seq: 1 })
      expect(log.validate(log.next(user()))).toEqual({ code: "sources-empty", seq: 1 })
      expect(stateText(log.live.state)).toContain('"nodes":[[0,')
    },
  )

  it("S45: a candidate that is asked for and never appended pins nothing", () => {
    const log = new LiveLog(4)
    log.append(user())
    log.append(requestHeader(4, [tool("ls")]))
    const replaced = log.next(replacing(4, user(), [0, 0], [0]))
    expect(log.validate(replaced)).toBeNull()
    expect(log.validate(log.next(developer([addition("ls")], 1)))).toBeNull()
    expect(log.validate(log.next(assistant(4)))).toBeNull()
    expect(log.append(replacing(4, user(), [0, 0], [0]))).toBeNull()
    expect(log.append(user())).toBeNull()
    expect(log.read()).toEqual([2, 3])
    // its turn is over, and its seq is taken
    expect(log.validate(replaced)).toMatchObject({ code: "seq-not-contiguous", expected: 4 })
  })

  it.each(every)("S46: format %d: events are folded when somebody asks", (version) => {
    const log = new LiveLog(version)
    for (const event of [user(), note, user()]) log.events.push(log.next(event))
    expect(log.live.state.nextSeq).toBe(0)
    expect(log.read()).toEqual([0, 2])
    expect(log.live.state.nextSeq).toBe(3)
    log.events.push(log.next(replacing(version, user(), [0, 2], [0, 2])))
    // asking for the next one folds what is there first
    expect(log.append(user())).toBeNull()
    expect(log.live.state.nextSeq).toBe(4)
    expect(log.read()).toEqual([3, 4])
    const { live } = log
    expect(log.read()).toEqual([3, 4])
    expect(log.live).toBe(live)
  })

  it.each(every)("S47: format %d: a refused candidate changes nothing", (version) => {
    const log = new LiveLog(version)
    log.append(user())
    const asked = log.next(user("asked"))
    expect(log.validate(asked)).toBeNull()
    const { live } = log
    const wrong = [
      replacing(version, user(), [0, 0], [0, 0]),
      replacing(version, user(), [1, 1], [0]),
      { ...user(), surfaceOp: "prepend" },
      { ...user(), data: { content: null } },
      { ...user(), seq: 5 },
    ]
    for (const event of wrong) expect(log.append(event)).not.toBeNull()
    expect(log.events).toHaveLength(1)
    expect(log.live).toBe(live)
    log.events.push(asked)
    expect(log.read()).toEqual([0, 1])
  })

  it.each(every)("S43: format %d: a window begins at its base seq", (version) => {
    const log = new LiveLog(version, 40)
    for (const event of [user(), note, user()]) expect(log.append(event)).toBeNull()
    expect(log.read()).toEqual([40, 42])
    expect(log.append(replacing(version, user(), [40, 42], [41, 40, 42]))).toBeNull()
    expect(log.append({ ...user(), seq: 4 })).toMatchObject({ expected: 44 })
    expect(log.read()).toEqual([43])
  })

  it.each(every)("S43: format %d: what lies before the window is not on its surface", (version) => {
    const log = new LiveLog(version, 40)
    log.append(user())
    expect(log.append(replacing(version, user(), [39, 40], [39, 40]))).toEqual({
      code: "endpoint-not-on-surface",
      seq: 41,
      endpoint: 39,
    })
    // it is earlier all the same, and may be cited
    expect(log.append({ ...user(), sourceEventSeqs: [3] })).toBeNull()
  })

  it("S43: a header before the window is not at hand", () => {
    const log = new LiveLog(4, 40)
    expect(log.append(developer([addition("ls")], 39))).toEqual({
      code: "header-seq-not-header",
      seq: 40,
      headerSeq: 39,
    })
  })

  it.each(every)("S48: format %d: it keeps the nodes that are live, and no history", (version) => {
    const log = new LiveLog(version)
    log.append(user())
    for (let seq = 1; seq < 50; seq++)
      expect(log.append(replacing(version, user(), [seq - 1, seq - 1], [seq - 1]))).toBeNull()
    expect(log.read()).toEqual([49])
    const { state } = log.live
    expect(state.entries).toHaveLength(1)
    expect([state.replaceGeneration, state.contentGeneration]).toEqual([49, 49])
    expect(Object.keys(state)).not.toContain("replacements")
  })

  it("S42: older surfaces stay valid, and two may go on from one", () => {
    const start = liveSurface(formatOf(4))
    const first = [user(), user("b")].map((event, i) => ({ ...event, seq: i, time: 0 }))
    const both = rightOf(catchUp(start, first, noProjections))
    const one = { ...user("one"), seq: 2, time: 0 }
    const two = { ...replacing(4, user("two"), [0, 1], [0, 1]), seq: 2, time: 0 }
    const left = rightOf(validateNext(both, first, noProjections, one))
    const right = rightOf(validateNext(both, first, noProjections, two))
    const seqs = (live: typeof both): readonly number[] =>
      live.state.entries.slice(0, live.state.size).map(({ seq }) => seq)
    expect(seqs(rightOf(catchUp(left, [...first, one], noProjections)))).toEqual([0, 1, 2])
    expect(seqs(rightOf(catchUp(right, [...first, two], noProjections)))).toEqual([2])
    // a plan is taken for its own candidate alone, whichever surface it was made for
    expect(seqs(rightOf(catchUp(right, [...first, one], noProjections)))).toEqual([0, 1, 2])
    expect(seqs(both)).toEqual([0, 1])
    expect(seqs(start)).toEqual([])
    expect(isRight(catchUp(both, first, noProjections))).toBe(true)
    const wrong = { ...user(), seq: 2, time: 0.5 }
    expect(leftOf(validateNext(both, first, noProjections, wrong))).toMatchObject({
      code: "envelope-shape",
    })
  })
})
