import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import { stepFold } from "#core/fold/fold"
import { requestHeaderFold } from "#core/request/header-fold"
import { addressText } from "#core/request/address"
import type { RequestPoints } from "#core/request/request-points"
import { allPoints, requestPointsFold } from "#core/request/request-points"
import { sessionHeader, tool } from "../../../properties/arbitraries/dialect.ts"
import { headerIn, rightRow } from "../../../properties/carriers.ts"
import { requestsIn } from "../../../properties/logged-requests.ts"
import { bytesOf } from "../columns/scanning.ts"
import type { Draft } from "../surface/events.ts"
import { assistant, every, numbered, requestHeader, user } from "../surface/events.ts"

const at = { turn: 1, step: 1 }
const turnStart: Draft = { type: "turn/start", data: { turn: 1 } }
const turnEnd: Draft = { type: "turn/end", data: { turn: 1, reason: { kind: "completed" } } }
const stepStart = (step = 1): Draft => ({ type: "step/start", data: { turn: 1, step } })
const stepEnd: Draft = { type: "step/end", data: at }
const retry: Draft = { type: "llm/retry", data: { ...at, retryId: "y", retry: 1 } }
const retried: Draft = { type: "llm/retry-started", data: { ...at, retryId: "y", retry: 1 } }
const chunk: Draft = { type: "assistant/chunk", data: { ...at, chunk: { type: "usage" } } }
const failed: Draft = { type: "assistant/attempt", data: { ...at, stream: [] } }

const rowsOf = (drafts: readonly Draft[]): readonly JsonObject[] => numbered(drafts)

const pointsOf = (version: FormatVersion, rows: readonly JsonObject[]): RequestPoints => {
  const draft = requestPointsFold.begin(headerIn(sessionHeader(version, null)))
  for (const row of rows) {
    const { facts, data } = rightRow(version, row)
    stepFold(requestPointsFold, draft, facts, data)
  }
  return requestPointsFold.seal(draft)
}

/** Each request with the last seq that its model saw. */
const requests = (version: FormatVersion, drafts: readonly Draft[]): readonly string[] =>
  allPoints(pointsOf(version, rowsOf(drafts))).map(
    (point) => `${addressText(point)} through ${point.throughSeq}`,
  )

describe("where requests were sent", () => {
  it.each(every)(
    "R1: format %d: just before the first event that an answer can have caused",
    (v) => {
      const events = [turnStart, stepStart(), user(), requestHeader(v, [tool("ls")])]
      expect(requests(v, [...events, assistant(v), stepEnd, turnEnd])).toEqual(["1.1.1 through 3"])
      const two = [...events, assistant(v), stepEnd, stepStart(2), assistant(v), stepEnd, turnEnd]
      expect(requests(v, two)).toEqual(["1.1.1 through 3", "1.2.1 through 6"])
    },
  )

  it.each([0, 1] as const)("R1: format %d: a chunk is such an event, packed or not", (version) => {
    const events = [turnStart, stepStart(), user()]
    expect(requests(version, [...events, chunk, chunk, assistant(version)])).toEqual([
      "1.1.1 through 2",
    ])
    const data = { ...at, index: 0, dt: [1], texts: ["a", "b"] }
    const run = { type: "text-chunks", seq0: 3, time0: 1, data }
    const rows = [...rowsOf(events), run, { ...rowsOf([assistant(version)])[0], seq: 5 }]
    expect(pointsOf(version, rows).points).toEqual([{ ...at, attempt: 1, throughSeq: 2 }])
  })

  it.each([0, 1] as const)("R2: format %d: a retry makes a further attempt", (version) => {
    const events = [
      ...[turnStart, stepStart(), user()],
      ...[chunk, retry, retried],
      ...[requestHeader(version, []), retry, retried],
      ...[chunk, assistant(version), stepEnd],
    ]
    expect(requests(version, events)).toEqual([
      "1.1.1 through 2",
      "1.1.2 through 6",
      "1.1.3 through 8",
    ])
  })

  it.each([2, 3, 4] as const)("R2: format %d: a failed attempt is one too", (version) => {
    const events = [
      ...[turnStart, stepStart(), user()],
      ...[failed, retry, retried],
      ...[requestHeader(version, [tool("ls")]), assistant(version), stepEnd],
    ]
    expect(requests(version, events)).toEqual(["1.1.1 through 2", "1.1.2 through 6"])
    // an attempt that failed before its first chunk leaves the retry alone
    const bare = [turnStart, stepStart(), user(), retry, retried, assistant(version)]
    expect(requests(version, bare)).toEqual(["1.1.1 through 2", "1.1.2 through 4"])
  })

  it.each([0, 1] as const)(
    "R9: format %d: a chunk behind the last one of an answer is of a further attempt",
    (version) => {
      const finish: Draft = { ...chunk, data: { ...at, chunk: { type: "finish" } } }
      const events = [turnStart, stepStart(), user(), chunk, chunk, finish]
      expect(requests(version, [...events, chunk, finish, assistant(version), stepEnd])).toEqual([
        "1.1.1 through 2",
        "1.1.2 through 5",
      ])
      // the message is what came of it, and a retry is told once
      expect(requests(version, [...events, assistant(version), stepEnd])).toEqual([
        "1.1.1 through 2",
      ])
      expect(requests(version, [...events, retry, retried, chunk, stepEnd])).toEqual([
        "1.1.1 through 2",
        "1.1.2 through 7",
      ])
      const data = { ...at, index: 0, dt: [1], texts: ["a", "b"] }
      const run = { type: "text-chunks", seq0: 6, time0: 1, data }
      const rows = [...rowsOf(events), run]
      expect(pointsOf(version, rows).points).toEqual([
        { ...at, attempt: 1, throughSeq: 2 },
        { ...at, attempt: 2, throughSeq: 5 },
      ])
    },
  )

  it.each([2, 3, 4] as const)(
    "R9: format %d: a failed attempt may be followed by the next one without a word",
    (version) => {
      const events = [turnStart, stepStart(), user(), failed]
      expect(requests(version, [...events, failed, assistant(version), stepEnd])).toEqual([
        "1.1.1 through 2",
        "1.1.2 through 3",
        "1.1.3 through 4",
      ])
      // what was logged for the next attempt was seen by it; a retry is told once
      const more = [retry, retried, requestHeader(version, [tool("ls")]), assistant(version)]
      expect(requests(version, [...events, ...more])).toEqual([
        "1.1.1 through 2",
        "1.1.2 through 6",
      ])
      // none is known to follow
      expect(requests(version, events)).toEqual(["1.1.1 through 2"])
      expect(requests(version, [...events, stepEnd, turnEnd])).toEqual(["1.1.1 through 2"])
    },
  )

  it.each(every)(
    "R3: format %d: a step that was given up before its request has an address",
    (v) => {
      const events = [turnStart, stepStart(), user()]
      expect(requests(v, [...events, stepEnd, turnEnd])).toEqual(["1.1.1 through 2"])
      expect(requests(v, [...events, turnEnd])).toEqual(["1.1.1 through 2"])
      // one that was given up between two attempts had its first one
      expect(requests(v, [...events, retry, retried, stepEnd])).toEqual(["1.1.1 through 2"])
      expect(requests(v, [turnStart, user(), turnEnd])).toEqual([])
    },
  )

  it.each(every)(
    "R4: format %d: a step that is open at the end has a request to come",
    (version) => {
      const events = [turnStart, stepStart(), user()]
      expect(requests(version, events)).toEqual(["1.1.1 through 2"])
      expect(requests(version, [...events, retry, retried])).toEqual([
        "1.1.1 through 2",
        "1.1.2 through 4",
      ])
      expect(requests(version, [...events, retry])).toEqual(["1.1.1 through 2"])
      expect(pointsOf(version, rowsOf(events))).toEqual({
        points: [],
        open: { turn: 1, step: 1, attempt: 1, isSent: false, ended: null },
        lastSeq: 2,
      })
      expect(requests(version, [])).toEqual([])
    },
  )
})

describe("the request header in effect", () => {
  it.each(every)("R5: format %d: it is the latest one, with its price", (version) => {
    const draft = requestHeaderFold.begin(headerIn(sessionHeader(version, null)))
    expect(requestHeaderFold.seal(draft)).toEqual({ header: null, toolsTokens: 0, systemTokens: 0 })
    const rows = rowsOf([requestHeader(version, [tool("ls")]), user(), requestHeader(version, [])])
    const states = rows.map((row) => {
      const { facts, data } = rightRow(version, row)
      stepFold(requestHeaderFold, draft, facts, data)
      return requestHeaderFold.seal(draft)
    })
    const headers = rows.map(({ data }) => (data as JsonObject)["header"])
    // 4 tokens around the JSON of the tools, at 4 code units a token
    const toolsTokens = 4 + Math.ceil(JSON.stringify([tool("ls")]).length / 4)
    const systemTokens = version < 3 ? 5 : 0
    expect(states[0]).toEqual({ header: headers[0], toolsTokens, systemTokens })
    expect(states[1]).toBe(states[0])
    expect(states[2]).toEqual({ header: headers[2], toolsTokens: 0, systemTokens })
  })
})

describe("where requests were sent, as ranges tell it", () => {
  const chunkOf = (type: string): Draft => ({
    type: "assistant/chunk",
    data: { ...at, chunk: { type } },
  })
  const [delta, finish] = [chunkOf("text-delta"), chunkOf("finish")]

  it.each<[string, readonly Draft[]]>([
    ["a retry", [retry]],
    ["an answer", [assistant(1)]],
    ["nothing", []],
  ])("R9: a chunk behind the last one and %s is of a further attempt", (_, between) => {
    const rows = rowsOf([turnStart, stepStart(), delta, finish, ...between, delta, delta, stepEnd])
    const lines = [sessionHeader(1, null), ...rows].map((row) => JSON.stringify(row))
    const bytes = bytesOf(lines)
    const throughSeq = 3 + between.length
    const expected = [
      ["1.1.1", 1],
      ["1.1.2", throughSeq],
    ]
    for (const cuts of [null, [], [3], [4], [5], [6]]) {
      const found = requestsIn({ version: 1, bytes, cuts })
      expect(
        found.map(({ point, ...each }) => [point && addressText(point), each.throughSeq]),
      ).toEqual(expected)
    }
  })
})
