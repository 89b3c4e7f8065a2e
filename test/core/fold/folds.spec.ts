import { requestFigures } from "#core/fold/request-figures"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { activityFold } from "#core/fold/activity-fold"
import type { Fold } from "#core/fold/fold"
import { stepFold } from "#core/fold/fold"
import { product } from "#core/fold/product"
import { requestHeaderFold } from "#core/request/header-fold"
import { usageFold } from "#core/tokens/usage-fold"
import { sessionHeader, tool } from "../../../properties/arbitraries/dialect.ts"
import { FoldCarrier, headerIn, rightRow } from "../../../properties/carriers.ts"
import type { Draft } from "../surface/events.ts"
import {
  assistant,
  every,
  numbered,
  replacing,
  requestHeader,
  system,
  user,
} from "../surface/events.ts"

const turn = (n: number): Draft => ({ type: "turn/start", data: { turn: n } })
const step = (n: number): Draft => ({ type: "step/start", data: { turn: 1, step: n } })
const marker = (data: JsonObject): Draft => ({ type: "session/end-seed", data })

const run = <Draft, State>(
  fold: Fold<Draft, State>,
  header: JsonObject,
  rows: readonly JsonObject[],
  version: 0 | 4,
): State => {
  const draft = fold.begin(headerIn(header))
  for (const row of rows) {
    const { facts, data } = rightRow(version, row)
    stepFold(fold, draft, facts, data)
  }
  return fold.seal(draft)
}

describe("activity", () => {
  it("FO6: events, turns and steps are counted, and the first and last time kept", () => {
    const rows = numbered([turn(1), step(1), user(), step(2), turn(2)])
    expect(run(activityFold, sessionHeader(4, null), rows, 4)).toEqual({
      eventCount: 5,
      turnCount: 2,
      stepCount: 2,
      firstTimeMs: 1_000,
      lastTimeMs: 1_004,
      inheritedEvents: 0,
      inheritedMarkerSeq: null,
    })
    expect(run(activityFold, sessionHeader(4, null), [], 4)).toMatchObject({
      eventCount: 0,
      firstTimeMs: null,
      lastTimeMs: null,
    })
  })

  it("FO6: each member of a packed run is an event", () => {
    const data = { turn: 1, step: 1, index: 0, dt: [4, -9], texts: ["a", "b", "c"] }
    const packed = { type: "reasoning-chunks", seq0: 0, time0: 10, data }
    expect(run(activityFold, sessionHeader(0, null), [packed], 0)).toMatchObject({
      eventCount: 3,
      firstTimeMs: 10,
      lastTimeMs: 5,
    })
  })

  it("L44 L45: inherited events are those before the last tagged marker, or those of the header", () => {
    const rows = numbered([user(), marker({ inherited: true }), user(), marker({})])
    expect(run(activityFold, sessionHeader(4, 0), rows, 4)).toMatchObject({
      inheritedEvents: 1,
      inheritedMarkerSeq: 1,
    })
    const twice = numbered([
      user(),
      marker({ inherited: true }),
      user(),
      marker({ inherited: true }),
    ])
    expect(run(activityFold, sessionHeader(4, 0), twice, 4)).toMatchObject({ inheritedEvents: 3 })
    expect(run(activityFold, sessionHeader(0, 3), numbered([user()]), 0)).toMatchObject({
      inheritedEvents: 3,
      inheritedMarkerSeq: null,
    })
  })
})

describe("several folds at once", () => {
  const folds = { activity: activityFold, usage: usageFold, header: requestHeaderFold }

  it("FO2: a product reads what any of its folds reads, and has their states by name", () => {
    const both = product(folds)
    expect([...both.reads].sort((a, b) => (a < b ? -1 : 1))).toEqual([
      "assistant/attempt",
      "assistant/chunk",
      "assistant/message",
      "llm/retry-started",
      "request/header",
      "session/end-seed",
    ])
    const draft = both.begin(headerIn(sessionHeader(4, null)))
    const [row] = numbered([requestHeader(4, [tool("ls")])])
    const { facts, data } = rightRow(4, row ?? {})
    both.step(draft, facts, data)
    const state = both.seal(draft)
    expect(Object.keys(state)).toEqual(["activity", "usage", "header"])
    expect(state.activity.eventCount).toBe(1)
    expect(state.header.header).toBe((data as JsonObject)["header"])
  })

  it("FO3: each of its folds gets only the payloads that it reads", () => {
    const seen: [string, boolean][] = []
    const spy = (name: string, reads: readonly string[]): Fold<null, null> => ({
      reads: new Set(reads),
      begin: () => null,
      step: (_draft, facts, data) => void seen.push([`${name} ${facts.type}`, data !== undefined]),
      seal: () => null,
      resume: () => null,
    })
    const both = product({ a: spy("a", ["turn/start"]), b: spy("b", ["step/start"]) })
    const draft = both.begin(headerIn(sessionHeader(4, null)))
    for (const row of numbered([turn(1), step(1), user()])) {
      const { facts, data } = rightRow(4, row)
      stepFold(both, draft, facts, data)
    }
    expect(seen).toEqual([
      ["a turn/start", true],
      ["b turn/start", false],
      ["a step/start", false],
      ["b step/start", true],
      ["a user/message", false],
      ["b user/message", false],
    ])
  })
})

describe("the fold of a log", () => {
  it.each(every)(
    "FO8: format %d: it tells of replacements, requests and what a person saw",
    (version) => {
      const told: string[] = []
      const fold = new FoldCarrier(sessionHeader(version, null), {
        onReplacement: ({ seq, shadowedSeqs }) => told.push(`${seq} over ${shadowedSeqs.join()}`),
        onRequest: (point, fold) => {
          const { nodeCount, messageCount, tokens } = requestFigures(point, fold)
          told.push(`request ${point.throughSeq}: ${nodeCount} ${messageCount} ${tokens.messages}`)
        },
        onTranscript: ({ byteOffset }) => told.push(`seen ${byteOffset}`),
      })
      const events = [
        turn(1),
        step(1),
        user("four"),
        assistant(version, ""),
        replacing(version, user("12345"), [2, 2], [2]),
        step(2),
        assistant(version, "x"),
      ]
      for (const row of numbered(events)) expect(fold.offer(row)).toBeNull()
      expect(told).toEqual([
        "seen 2",
        // 1 token of text, 4 of the block, 4 of the role
        "request 2: 1 1 9",
        "seen 3",
        "4 over 2",
        "request 5: 2 1 10",
        "seen 6",
      ])
    },
  )

  it("K9 K10: the system prompt is priced where its format has it, and is no message", () => {
    const tokens = (version: 2 | 3 | 4, drafts: readonly Draft[]): unknown => {
      const fold = new FoldCarrier(sessionHeader(version, null))
      for (const row of numbered(drafts)) expect(fold.offer(row)).toBeNull()
      return fold.fold.tokens()
    }
    // the header of format 2 says "ä€𝄞": 4 code units, and 4 tokens for the role
    expect(tokens(2, [requestHeader(2, []), user("four")])).toEqual({
      system: 5,
      tools: 0,
      messages: 9,
      total: 14,
    })
    for (const version of [3, 4] as const) {
      const events = [system(version, "12345678"), user("four"), system(version, "")]
      // 2 of text and 4 of the role; the last one that says something counts
      expect(tokens(version, events)).toEqual({ system: 6, tools: 0, messages: 9, total: 15 })
      const more = [...events, system(version, "1234")]
      expect(tokens(version, more)).toEqual({ system: 5, tools: 0, messages: 15, total: 20 })
    }
  })
})
