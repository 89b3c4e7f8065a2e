import { describe, expect, it } from "vitest"
import { checkLog } from "../../fixtures/checked-in-full.ts"
import { logOf } from "../../fixtures/log-in-memory.ts"
import {
  asking,
  call,
  event,
  offsetsOf,
  result,
  stepEnd,
  stepStart,
  told,
  turnEnd,
  turnStart,
  user,
} from "./rows.ts"

const endSeed = (seq: number): ReturnType<typeof event> => event(seq, "session/end-seed", {})

const notNext = (seq: number, expected: number): object => ({
  code: "seq-not-contiguous",
  seq,
  expected,
})

// one turn with a call, eight events
const turn = [
  turnStart(0),
  stepStart(1),
  user(2),
  asking(3, "c"),
  call(4, "c"),
  result(5, "c"),
  stepEnd(6),
  turnEnd(7),
]

describe("the order of rows in a check", () => {
  it("CK1: goes on behind whatever is wrong, and names the row and the byte of each finding", () => {
    const rows = [turnStart(0, 2), "{", event(2, "x/later", {}), turnEnd(3, 2), user(4), user(4)]
    const log = logOf(4, ...rows)
    const offsets = offsetsOf(log)
    const { found, header, isLog, eventCount } = checkLog(log)
    expect(found).toStrictEqual([
      {
        finding: { code: "turn-start-number", seq: 0, turn: 2, expected: 1 },
        row: 1,
        byteOffset: offsets[1],
      },
      { finding: { code: "invalid-json" }, row: 2, byteOffset: offsets[2] },
      {
        finding: { code: "event-type-unknown", seq: 2, type: "x/later" },
        row: 3,
        byteOffset: offsets[3],
      },
      { finding: notNext(4, 5), row: 6, byteOffset: offsets[6] },
    ])
    expect([header?.id, isLog, eventCount]).toStrictEqual(["s", true, 4])
  })

  it("CK1: a log without a fault has no finding", () => {
    const outcome = checkLog(logOf(4, ...turn))
    expect(outcome).toMatchObject({ found: [], refusal: null, tail: null })
    expect([outcome.acceptedEvents, outcome.eventCount]).toStrictEqual([8, 8])
  })

  it.each([
    ["no JSON", "{"],
    ["no row", "[]"],
    ["of a type that nobody knows", event(2, "x/later", {})],
  ])("CK3: a row that is %s is found once, and not missed a second time", (_what, bad) => {
    const outcome = checkLog(logOf(4, ...turn.slice(0, 2), bad, ...turn.slice(3)))
    expect(outcome.found.map(({ row }) => row)).toStrictEqual([3])
    expect(outcome.acceptedEvents).toBe(2)
  })

  it("CK3: a line that is too much takes no event with it", () => {
    const outcome = checkLog(logOf(4, ...turn.slice(0, 2), "{", ...turn.slice(2)))
    expect(told(outcome)).toStrictEqual([[3, "invalid-json"]])
    expect([outcome.acceptedEvents, outcome.eventCount]).toStrictEqual([2, 8])
  })

  it("CK3: two rows in one line are one bad line, and three missing events are more", () => {
    const two = JSON.stringify(turn[2]) + JSON.stringify(turn[3])
    const glued = logOf(4, ...turn.slice(0, 2), two, ...turn.slice(4))
    expect(told(checkLog(glued))).toStrictEqual([[3, "invalid-json"]])
    const more = logOf(4, ...turn.slice(0, 2), "{", ...turn.slice(5))
    expect(told(checkLog(more))).toStrictEqual([
      [3, "invalid-json"],
      [4, "seq-not-contiguous"],
    ])
  })

  it("CK3: a bad line behind a gap stands for itself", () => {
    const log = logOf(4, user(0), user(2), "{", user(4), user(5))
    expect(told(checkLog(log))).toStrictEqual([
      [2, "seq-not-contiguous"],
      [3, "invalid-json"],
    ])
  })

  it("CK3: a bad line of formats 0 and 1 may have been a packed run of many events", () => {
    const note = (seq: number): ReturnType<typeof event> => event(seq, "todo/write", { todos: [] })
    const log = logOf(1, note(0), '{"type":"text-chunks","texts":["a","b"', note(6), note(7))
    expect(told(checkLog(log))).toStrictEqual([[2, "invalid-json"]])
  })

  it.each(turn.map((row, i) => [i, row] as const))(
    "CK4: row %d twice is one row out of order, and is taken once",
    (i, row) => {
      const outcome = checkLog(logOf(4, ...turn.slice(0, i + 1), row, ...turn.slice(i + 1)))
      expect(outcome.found.map(({ finding }) => finding)).toStrictEqual([notNext(i, i + 1)])
      expect(outcome.found[0]?.row).toBe(i + 2)
      expect([outcome.acceptedEvents, outcome.eventCount]).toStrictEqual([i + 1, 9])
    },
  )

  it.each(turn.slice(0, -1).map((_, i) => i))(
    "CK5: where row %d is missing the next one is out of order, and nothing else is found",
    (i) => {
      const outcome = checkLog(logOf(4, ...turn.toSpliced(i, 1)))
      expect(outcome.found.map(({ finding }) => finding)).toStrictEqual([notNext(i + 1, i)])
      expect(outcome.acceptedEvents).toBe(i)
    },
  )

  it("CK5: from the next turn on the rules between events are asked again", () => {
    const astray = [turnStart(8, 2), turnEnd(9, 3), turnStart(10, 7), stepEnd(11, 7)]
    const log = logOf(4, ...turn.toSpliced(6, 1), ...astray)
    expect(told(checkLog(log))).toStrictEqual([
      [7, "seq-not-contiguous"],
      [9, "turn-end-number"],
      [10, "turn-start-number"],
      [11, "step-end-unopened"],
    ])
  })

  it.each(turn.slice(0, -1).map((_, i) => i))(
    "CK6: rows %d and the next exchanged are one row out of order, and both are taken",
    (i) => {
      const [a = "", b = ""] = turn.slice(i, i + 2)
      const outcome = checkLog(logOf(4, ...turn.slice(0, i), b, a, ...turn.slice(i + 2)))
      expect(outcome.found.map(({ finding }) => finding)).toStrictEqual([notNext(i + 1, i)])
      expect([outcome.acceptedEvents, outcome.eventCount]).toStrictEqual([i, 8])
    },
  )

  it("CK6: rows that come later than others are one gap, where they were missing", () => {
    const order = [0, 3, 4, 1, 2, 5]
    expect(told(checkLog(logOf(4, ...order.map((seq) => user(seq)))))).toStrictEqual([
      [2, "seq-not-contiguous"],
    ])
  })

  it.each([0, 1, 9, 900, 1e6, 1e12, 2 ** 53 - 1])(
    "CK7: one row with the seq %d that is not its own is one row out of order",
    (seq) => {
      const rows = turn.map((row, i) => (i === 2 ? { ...row, seq } : row))
      expect(checkLog(logOf(4, ...rows)).found.map(({ finding }) => finding)).toStrictEqual([
        notNext(seq, 2),
      ])
    },
  )

  it.each([0, 1, 9, 1e12])("CK7: so is one row too much, of the seq %d", (seq) => {
    const rows = turn.toSpliced(5, 0, user(seq))
    expect(checkLog(logOf(4, ...rows)).found.map(({ finding }) => finding)).toStrictEqual([
      notNext(seq, 5),
    ])
  })

  it("CK8: events that are too far ahead are read and not gone on to, and found once in a row", () => {
    const far = 5e6
    const rows = [0, 1, 2, 3].map((i) => user(far + i))
    const outcome = checkLog(logOf(4, user(0), ...rows, user(1)))
    expect(outcome.found.map(({ finding }) => finding)).toStrictEqual([notNext(far, 1)])
    expect([outcome.acceptedEvents, outcome.eventCount]).toStrictEqual([1, 6])
  })

  it("CK8: a log may miss a million events altogether", () => {
    const half = 500_000
    const rows = [half, half + 1, 2 * half + 1, 2 * half + 2].map((seq) => user(seq))
    // what is not gone on to takes no part: that it does nothing to the surface is not seen
    const far = [3 * half, 3 * half + 1].map((seq) => user(seq, {}))
    const outcome = checkLog(logOf(4, ...rows, ...far))
    expect(outcome.found.map(({ finding }) => finding)).toStrictEqual([
      notNext(half, 0),
      notNext(2 * half + 1, half + 2),
      notNext(3 * half, 2 * half + 3),
    ])
  })

  it("CK9: two writers: a fork, with what each of them wrote", () => {
    const log = logOf(4, user(0), user(1), user(2), endSeed(3), turnStart(1), user(2))
    const offsets = offsetsOf(log)
    const [, , one = 0, , , again = 0] = offsets
    const outcome = checkLog(log)
    expect(outcome.found).toStrictEqual([
      { finding: notNext(1, 4), row: 5, byteOffset: again },
      {
        finding: {
          code: "sequence-fork",
          seq: 1,
          expected: 4,
          firstEvents: 3,
          firstBytes: again - one,
          secondEvents: 2,
          secondBytes: Buffer.byteLength(log) - again,
        },
        row: 5,
        byteOffset: again,
      },
    ])
    expect([outcome.acceptedEvents, outcome.eventCount]).toStrictEqual([4, 6])
  })

  it("CK9: bytes behind the last newline belong to neither branch", () => {
    const log = logOf(4, user(0), user(1), turnStart(0), turnEnd(1))
    const fork = (text: string): object | undefined =>
      checkLog(text).found.find(({ finding }) => finding.code === "sequence-fork")
    expect(fork(`${log}{"type":`)).toStrictEqual(fork(log))
  })

  it("CK9: a last row of a seq that was there before is a fork of one event", () => {
    const log = logOf(4, user(0), user(1), user(2), turnStart(1))
    expect(checkLog(log).found.map(({ finding }) => finding)).toMatchObject([
      notNext(1, 3),
      { code: "sequence-fork", seq: 1, expected: 3, firstEvents: 2, secondEvents: 1 },
    ])
  })

  it("CK10: the first branch goes on while its rows are known, and the second is not judged", () => {
    // the second begins at 1, and names turns and steps as if nobody else had
    const second = [turnStart(1, 9), stepStart(2, 9, 9), turnStart(3, 9)]
    const first = [call(4, "d"), stepStart(5, 1, 1)]
    const outcome = checkLog(logOf(4, ...turn.slice(0, 4), ...second.slice(0, 2), ...first))
    expect(outcome.found.map(({ finding }) => finding)).toMatchObject([
      notNext(1, 4),
      { code: "sequence-fork", seq: 1, firstEvents: 5, secondEvents: 2 },
      { code: "tool-call-unadvertised", seq: 4 },
      { code: "step-start-open", seq: 5 },
    ])
  })

  it("CK10: once both wait for the same event no row is judged as that of a branch", () => {
    const rows = [...turn.slice(0, 4), turnStart(2, 9), stepStart(3, 9, 9)]
    const log = logOf(4, ...rows, call(4, "c"), call(4, "d"), stepEnd(5), stepEnd(5))
    const outcome = checkLog(log)
    expect(outcome.found.map(({ finding }) => finding)).toMatchObject([
      notNext(2, 4),
      // a row that both wait for is the second's, who wrote last
      { code: "sequence-fork", seq: 2, firstEvents: 4, secondEvents: 4 },
    ])
    expect(outcome.eventCount).toBe(10)
  })

  it("CK10: what a third writer wrote counts as the second's", () => {
    const log = logOf(4, user(0), user(1), turnStart(0), turnEnd(1), stepStart(0), stepEnd(1))
    expect(checkLog(log).found.map(({ finding }) => finding)).toMatchObject([
      notNext(0, 2),
      { code: "sequence-fork", seq: 0, firstEvents: 2, secondEvents: 4 },
    ])
  })

  it("CK10: in the second branch rows are refused for themselves", () => {
    const log = logOf(4, user(0), user(1), turnStart(0), turnEnd(1), "{", user(2))
    expect(told(checkLog(log))).toStrictEqual([
      [3, "seq-not-contiguous"],
      [3, "sequence-fork"],
      [5, "invalid-json"],
    ])
  })

  it("CK14: a torn tail is no finding", () => {
    const log = logOf(4, ...turn)
    const rest = '{"type":"turn/sta'
    const outcome = checkLog(log + rest)
    expect(outcome).toMatchObject({
      found: [],
      refusal: null,
      tail: { byteOffset: Buffer.byteLength(log), byteLength: rest.length },
    })
  })
})
