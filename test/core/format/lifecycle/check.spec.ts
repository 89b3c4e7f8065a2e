import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { findingsOf } from "../../../fixtures/checked-log.ts"
import { fixtureText, headerIn, linesOf, logOf, logUnder } from "../../../fixtures/log-in-memory.ts"
import { findingsIn } from "./expected.ts"

const event = (seq: number, type: string, data: JsonObject, more: JsonObject = {}): JsonObject => ({
  type,
  seq,
  time: 1,
  data,
  ...more,
})

const codesOf = (text: string): string[] => findingsOf(text).map(({ finding }) => finding.code)

const old: JsonObject = { id: "u", role: "user", content: [], source: { kind: "user" } }
const user = (seq: number): JsonObject => event(seq, "user/message", old, { surfaceOp: "append" })

/** Rows that break one rule, or are right where it does not hold, in every format. */
const broken: readonly (readonly [code: string, since: number, rows: readonly JsonObject[]])[] = [
  ["turn-start-number", 0, [event(0, "turn/start", { turn: 2 })]],
  ["step-start-outside-turn", 0, [event(0, "step/start", { turn: 1, step: 1 })]],
  ["outside-turn", 0, [event(0, "request/context", { provider: "p", model: "m" })]],
  [
    "tool-call-unadvertised",
    0,
    [
      event(0, "turn/start", { turn: 1 }),
      event(1, "step/start", { turn: 1, step: 1 }),
      event(2, "tool/call", { turn: 1, step: 1, callId: "c", name: "n", arguments: "{}" }),
    ],
  ],
  [
    "title-citations-missing",
    0,
    [event(0, "session/title", { title: "t", messageSeqs: [], source: { kind: "fallback" } })],
  ],
  ["command-done-unknown", 4, [event(0, "command/done", { commandId: "x", kind: "success" })]],
  ["compaction-unmatched", 4, [event(0, "compaction/end", { compactionId: "k", turn: null })]],
  [
    "compaction-range",
    4,
    [
      event(0, "compaction/prune", {
        shadowedRange: { start: 0, end: 0 },
        shadowedSeqs: [0],
        shadowedTokenCount: 1,
      }),
    ],
  ],
  ["retry-turn", 4, [event(0, "llm/retry", { retryId: "i", turn: 1, step: 1, retry: 1 })]],
  [
    "message-source",
    4,
    [
      event(0, "agent/inbox/spliced", {
        target: "next-step",
        start: 0,
        inserted: [{ ...old, source: { kind: "plugin", plugin: "x" } }],
      }),
    ],
  ],
  [
    "tool-result-block",
    4,
    [
      event(0, "team/message/queued", {
        message: { content: [{ type: "tool-result", toolCallId: "c", content: [] }] },
      }),
    ],
  ],
  [
    "delivery-version",
    4,
    [
      event(0, "session-log-deepseek/delivery-accepted", {
        sessionId: "s",
        throughSeq: 0,
        sessionFormatVersion: "4",
      }),
    ],
  ],
]

const versions = [0, 1, 2, 3, 4]

describe("the check of a whole log", () => {
  it.each(
    broken.flatMap(([code, since, rows]) =>
      versions.map((version) => ({ code, version, holds: version >= since, rows })),
    ),
  )("RU22: format $version: $code: $holds", ({ code, version, holds, rows }) => {
    expect(codesOf(logOf(version, ...rows))).toStrictEqual(holds ? [code] : [])
  })

  it("RU22: a head is asked for since format 3, children and sub-calls since format 4", () => {
    const system = (version: number): JsonObject =>
      event(
        3,
        "system/message",
        {
          turn: 1,
          step: 1,
          message: {
            id: "y",
            role: "system",
            content: [],
            source: version < 4 ? { kind: "plugin", plugin: "x" } : { kind: "system-prompt" },
          },
        },
        { surfaceOp: "append" },
      )
    const rows = (version: number): JsonObject[] => [
      user(0),
      event(1, "turn/start", { turn: 1 }),
      event(2, "step/start", { turn: 1, step: 1 }),
      system(version),
      event(4, "subagent/catalog", { version: 9 }),
      event(5, "tool/ptc-dispatch", { subCallId: "" }),
    ]
    expect(codesOf(logOf(3, ...rows(3)))).toStrictEqual(["head-absent"])
    expect(codesOf(logOf(4, ...rows(4)))).toStrictEqual([
      "head-absent",
      "catalog-field",
      "ptc-id-empty",
    ])
  })

  it.each([
    [3, "developer/message", { turn: 9, step: 9 }],
    [2, "tool/ptc-dispatch", { subCallId: "" }],
    [1, "assistant/attempt", { turn: 9, step: 9 }],
    [4, "assistant/chunk", { turn: 9, step: 9 }],
  ] as const)("RU2: to format %d an ignorable %s is opaque", (version, type, data) => {
    expect(codesOf(logOf(version, event(0, type, data, { ignorable: true })))).toStrictEqual([])
  })

  it("RU2: a known event that is marked ignorable is held to the rules", () => {
    const rows = [event(0, "turn/start", { turn: 2 }, { ignorable: true })]
    expect(codesOf(logOf(4, ...rows))).toStrictEqual(["turn-start-number"])
  })

  it("RU2: the rules are asked of what was accepted", () => {
    const rows = [event(0, "turn/start", { turn: 2 }), event(1, "turn/end", { turn: "x" })]
    expect(codesOf(logOf(4, ...rows))).toStrictEqual(["turn-start-number", "payload-shape"])
  })

  it.each(["R33d", "R44a", "R44c", "R34f", "R35a", "R41c"])(
    "RU24: %s: a finding has the place of its event, whenever it was decided",
    (file) => {
      const lines = linesOf(fixtureText(`rules/${file}.jsonl`))
      const [found, ...others] = findingsIn(file)
      const seq = found !== undefined && "seq" in found.finding ? (found.finding.seq ?? -9) : -9
      const before = lines.slice(0, seq + 1).join("")
      expect(found).toMatchObject({ row: seq + 1, byteOffset: Buffer.byteLength(before) })
      expect(others).toStrictEqual([])
    },
  )

  it("RU24: the last marker counts, however many there are", () => {
    const marker = (seq: number): JsonObject => event(seq, "session/end-seed", { inherited: true })
    const delivery = (seq: number): JsonObject =>
      event(seq, "session-log-deepseek/delivery-accepted", {
        sessionId: "parent",
        throughSeq: 0,
        sessionFormatVersion: 4,
      })
    const header = headerIn(4, { isSeeded: true, parentSession: "parent" })
    const rows = [user(0), delivery(1), marker(2), delivery(3), marker(4), delivery(5)]
    const found = findingsOf(logUnder(header, ...rows)).map(({ finding }) => finding)
    expect(found).toStrictEqual([{ code: "delivery-session", seq: 5, sessionId: "parent" }])
  })

  it.each(versions)(
    "RU25: format %d: one conversation, in each format, breaks no rule",
    (version) => {
      expect(codesOf(fixtureText(`chain/v${version}.jsonl`))).toStrictEqual([])
    },
  )

  it("RU23: a row that is lost is found, and not again at every row behind it", () => {
    const lines = linesOf(fixtureText("rules/two-turns-valid.jsonl"))
    const lost = (row: number): string =>
      lines
        .map((line, i) =>
          i === row
            ? `${JSON.stringify(event(row - 1, "plugin/lost", {}, { ignorable: true }))}\n`
            : line,
        )
        .join("")
    const counts = lines.slice(1).map((_, i) => {
      const found = findingsOf(lost(i + 1)).map(({ finding }) => finding.code)
      return [i, ...found]
    })
    expect(counts).toStrictEqual([
      // turn 1
      [0, "step-start-outside-turn"],
      [1, "step-mismatch", "step-end-unopened"],
      [2],
      [3],
      [4],
      [5, "tool-call-unadvertised"],
      [6, "tool-result-unstarted"],
      [7, "tool-call-unresolved"],
      [8, "step-start-open"],
      [9, "step-mismatch", "step-end-unopened"],
      [10],
      [11, "turn-end-step-open"],
      [12, "turn-start-open"],
      // turn 2
      [13, "step-start-outside-turn"],
      [14, "step-mismatch", "step-end-unopened"],
      [15],
      [16, "turn-end-step-open"],
      [17],
    ])
  })
})
