import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { citedFrom, citedTwice, runsHold, sortedRuns, sourceRunsOf } from "#core/log/source-runs"
import type { SourceRuns } from "#core/log/source-runs"
import { logOf, readLog } from "../../fixtures/log-in-memory.ts"

const highest = 9_007_199_254_740_991

const runsOf = (value: JsonValue): SourceRuns => {
  const sources = sourceRunsOf(value)
  if (sources === null) throw new Error("no citations")
  return sources
}

describe("the written form", () => {
  it.each<[JsonValue, number[], number]>([
    [[], [], 0],
    [[3], [3, 3], 1],
    [[0], [0, 0], 1],
    [[3, 5, 9], [3, 3, 5, 5, 9, 9], 3],
    [[3, 4], [3, 4], 2],
    [[3, 4, 6, 7, 8], [3, 4, 6, 8], 5],
    [[[4, 8]], [4, 8], 5],
    [[[4, 4]], [4, 4], 1],
    [[[4, 5]], [4, 5], 2],
    [[3, [7, 9], 12], [3, 3, 7, 9, 12, 12], 5],
    [[[0, 2], 3], [0, 3], 4],
    [
      [
        [0, 2],
        [3, 5],
      ],
      [0, 5],
      6,
    ],
    [[[0, 2], [4, 5], 7], [0, 2, 4, 5, 7, 7], 6],
    [[highest], [highest, highest], 1],
  ])("L37: %j grows, as runs %j", (value, runs, length) => {
    expect(sourceRunsOf(value)).toStrictEqual({ runs, length, isAscending: true })
  })

  it.each<[JsonValue, number[], number]>([
    [[5, 3], [5, 5, 3, 3], 2],
    [[3, 3], [3, 3, 3, 3], 2],
    [[4, 5, 1, 2], [4, 5, 1, 2], 4],
    [[2, 0, 1], [2, 2, 0, 1], 3],
  ])("L38: %j does not grow and is taken in the order written", (value, runs, length) => {
    expect(sourceRunsOf(value)).toStrictEqual({ runs, length, isAscending: false })
  })

  it.each<[JsonValue]>([
    [null],
    [3],
    ["append"],
    [{}],
    [{ "0": 1 }],
    [["1"]],
    [[null]],
    [[{}]],
    [[true]],
    [[-1]],
    [[0.5]],
    [[highest + 1]],
    [[[]]],
    [[[1]]],
    [[[1, 2, 3]]],
    [[[2, 1]]],
    [[[1, "2"]]],
    [[[1, null]]],
    [[[-1, 2]]],
    [[[0, 1.5]]],
    [[[0, highest + 1]]],
    [[[[1, 2]]]],
  ])("L39: %j is no list of seqs and pairs", (value) => {
    expect(sourceRunsOf(value)).toBeNull()
  })

  it.each<[JsonValue]>([
    [[5, [1, 2]]],
    [[[1, 2], 2]],
    [
      [
        [1, 3],
        [3, 5],
      ],
    ],
    [[[1, 3], 0]],
    [[2, 1, [4, 6]]],
  ])("L39: %j has a pair and does not grow", (value) => {
    expect(sourceRunsOf(value)).toBeNull()
  })

  it("L40: a pair is never expanded, however far it reaches", () => {
    expect(sourceRunsOf([[0, highest]])).toStrictEqual({
      runs: [0, highest],
      length: 9_007_199_254_740_992,
      isAscending: true,
    })
  })
})

describe("what is cited", () => {
  it.each<[JsonValue, number, number | null]>([
    [[0, 1], 2, null],
    [[0, 2], 2, 2],
    [[0, 5], 2, 5],
    [[[0, 2]], 2, 2],
    [[[0, 9]], 2, 2],
    [[[4, 9]], 2, 4],
    [[5, 0], 2, 5],
    [[], 0, null],
  ])("L41: of %j the first that is not before %d is %j", (value, seq, later) => {
    expect(citedFrom(runsOf(value), seq)).toBe(later)
  })

  it.each<[JsonValue, number | null]>([
    [[0, 1, 2], null],
    [[2, 0, 1], null],
    [[1, 1], 1],
    [[0, 1, 0], 0],
    [[3, 4, 5, 1, 4], 4],
    [[9, 2, 9], 9],
  ])("L41: in %j the seq cited twice is %j", (value, twice) => {
    expect(citedTwice(runsOf(value))).toBe(twice)
  })

  it("L41: a seq is found in the runs, whatever the order written", () => {
    const sorted = sortedRuns(runsOf([9, 4, 5, 0]))
    expect(sorted).toStrictEqual([0, 0, 4, 5, 9, 9])
    expect([0, 1, 3, 4, 5, 6, 8, 9, 10].filter((seq) => runsHold(sorted, seq))).toStrictEqual([
      0, 4, 5, 9,
    ])
    expect(runsHold([], 0)).toBe(false)
  })
})

describe("citations in a log", () => {
  const versions = [0, 1, 2, 3, 4]

  /** A log of a user message, then a second one with these citations. */
  const citing = (version: number, sources: JsonValue, type = "user/message"): string => {
    const user = (seq: number): JsonObject => ({
      type: "user/message",
      seq,
      time: 1,
      data: { id: `u${seq}`, role: "user", content: [], source: { kind: "user" } },
      surfaceOp: "append",
    })
    const opaque = { type, seq: 2, time: 1, data: null, ignorable: true }
    const third = type === "user/message" ? user(2) : opaque
    return logOf(version, user(0), user(1), { ...third, sourceEventSeqs: sources })
  }

  const cases = <A>(values: readonly A[]): [number, A][] =>
    versions.flatMap((version) => values.map((value): [number, A] => [version, value]))

  it.each(
    cases<JsonValue>([
      [0],
      [0, 1],
      [1, 0],
      [[0, 1]],
      [[0, 0], 1],
      [
        [0, 0],
        [1, 1],
      ],
    ]),
  )("L42: format %d takes %j on event 2", (version, sources) => {
    expect(readLog(citing(version, sources))).toMatchObject({ status: "ok", nodes: [0, 1, 2] })
  })

  it.each(
    cases<[JsonValue, object]>([
      [[], { code: "sources-empty" }],
      [[2], { code: "source-not-earlier", source: 2 }],
      [[0, 3], { code: "source-not-earlier", source: 3 }],
      [[[0, 2]], { code: "source-not-earlier", source: 2 }],
      [[[0, highest]], { code: "source-not-earlier", source: 2 }],
      [[0, 0], { code: "sources-repeated", source: 0 }],
      [[0, 1, 0], { code: "sources-repeated", source: 0 }],
      [[1, [0, 0]], { code: "sources-shape" }],
      [[[1, 0]], { code: "sources-shape" }],
      [[[0, 1], 1], { code: "sources-shape" }],
      ["append", { code: "sources-shape" }],
      [null, { code: "sources-shape" }],
    ]),
  )("L42: format %d refuses citations on event 2: %j", (version, [sources, refusal]) => {
    expect(readLog(citing(version, sources))).toMatchObject({
      status: "refused",
      nodes: [0, 1],
      refusal: { refusal: { ...refusal, seq: 2 }, row: 3 },
    })
  })

  it.each([0, 1, 2, 3])("L43: format %d: an unknown event may cite nothing", (version) => {
    expect(readLog(citing(version, [0], "x/y"))).toMatchObject({
      refusal: { refusal: { code: "sources-forbidden", seq: 2 } },
    })
  })

  it("L43: format 4: what an unknown event cites means nothing, and must be readable", () => {
    for (const sources of [[], [0], [1, 0], [[0, 1]]] as const)
      expect(readLog(citing(4, sources, "x/y"))).toMatchObject({ status: "ok", eventCount: 3 })
    for (const sources of [null, "0", [[1, 0]], [2], [[0, 2]], [0, 0], [[0, highest]]])
      expect(readLog(citing(4, sources, "x/y"))).toMatchObject({
        status: "refused",
        eventCount: 2,
        refusal: { refusal: { code: "sources-shape", seq: 2 } },
      })
  })

  it.each(versions)("L43: format %d: a bad list on an unknown event is refused", (version) => {
    expect(readLog(citing(version, [["x"]], "x/y"))).toMatchObject({
      refusal: { refusal: { code: "sources-shape", seq: 2 } },
    })
  })

  it("L40: a log of 60,000 events that each cite all before them costs what its text costs", () => {
    const rows: string[] = []
    for (let seq = 0; seq < 60_000; seq++) {
      const cited = seq === 0 ? "" : `,"sourceEventSeqs":[[0,${seq - 1}]]`
      rows.push(
        `{"type":"user/message","seq":${seq},"time":1,"data":{"content":[]}${cited},"surfaceOp":"append"}`,
      )
    }
    const read = readLog(logOf(0, ...rows))
    expect(read).toMatchObject({ status: "ok", eventCount: 60_000 })
    expect(read.nodes.length).toBe(60_000)
  })
})
