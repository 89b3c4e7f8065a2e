import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { accepted, append, causesOf, dataOf, event, result, text, user } from "./logs.ts"
import type { Source } from "./logs.ts"

const first = (one: JsonObject, source?: Source): JsonValue | undefined =>
  dataOf(0, [one], source)[0]

const replace = (start: number): JsonObject => ({
  surfaceOp: { op: "replace", start, end: start },
  sourceEventSeqs: [start],
})

const summary = {
  summary: [text("s")],
  shadowedRange: { start: 0, end: 0 },
  shadowedSeqs: [0],
  shadowedTokenCount: 1,
  provider: "p",
  model: "m",
}

describe("rows from before the freeze", () => {
  it("MI13: what was called compact is called compaction", () => {
    const { rows } = accepted(0, [
      append("user/message", user("u1")),
      event("compact/start", { compactionId: "k", turn: null }),
      event("compact/summary", { compactionId: "k", ...summary }),
      event("compact/end", { compactionId: "k", turn: null }),
      event("compact/prune", {
        shadowedRange: { start: 0, end: 0 },
        shadowedSeqs: [0],
        shadowedTokenCount: 0,
      }),
    ])
    expect(rows.slice(1).map(({ type }) => type)).toStrictEqual([
      "compaction/start",
      "compaction/summary",
      "compaction/end",
      "compaction/prune",
    ])
  })

  it("MI13: a steering message is a user message, wrapped or flat", () => {
    const { rows } = accepted(0, [
      append("steering/message", { turn: 1, message: user("u1") }),
      append("steering/message", { turn: 1, content: [text("hi")], source: { kind: "user" } }),
    ])
    expect(rows).toStrictEqual([
      { type: "user/message", seq: 0, time: 0, data: user("u1"), surfaceOp: "append" },
      {
        type: "user/message",
        seq: 1,
        time: 1000,
        data: user("legacy-message:s:1"),
        surfaceOp: "append",
      },
    ])
  })

  it("MI14: a compaction without an id gets one, and all that belongs to it until its end", () => {
    const compact = { kind: "plugin", plugin: "compact" }
    const id = "legacy-compaction:s:1"
    const data = dataOf(0, [
      append("user/message", user("u1")),
      event("compaction/start", { turn: null }),
      event("compaction/summary", summary),
      event(
        "user/message",
        user("u2", { source: compact }),
        replace(0) as { surfaceOp: JsonObject },
      ),
      event("compaction/end", { turn: null }),
    ])
    expect(data.slice(1)).toStrictEqual([
      { compactionId: id, turn: null },
      { compactionId: id, ...summary },
      user("u2", { source: { ...compact, compactionId: id } }),
      { compactionId: id, turn: null },
    ])
  })

  it("MI14: behind its end, and behind an end-seed, nothing gets the id", () => {
    const end = event("compaction/end", { turn: null })
    const start = event("compaction/start", { turn: null })
    const missing = {
      code: "payload-shape",
      class: "malformed",
      type: "compaction/end",
      fault: { path: ["compactionId"], expected: "nonempty string" },
    }
    expect(causesOf(0, [start, end, end])).toStrictEqual([{ ...missing, seq: 2 }])
    expect(causesOf(0, [start, event("session/end-seed", {}), end])).toStrictEqual([
      { ...missing, seq: 2 },
    ])
  })

  it("MI14: a chain of retries without an id gets that of its first", () => {
    const retry = (n: number, more: JsonObject = {}): JsonObject =>
      event("llm/retry", {
        turn: 1,
        step: 1,
        provider: "p",
        mode: "always",
        policyKey: "k",
        retry: n,
        delayMs: 1,
        failure: { message: "m", code: "c" },
        ...more,
      })
    const data = dataOf(0, [
      retry(1),
      retry(2),
      retry(1, { step: 2 }),
      retry(1, { policyKey: "other" }),
      retry(1, { step: 3, retryId: "own" }),
      retry(2, { step: 3 }),
    ])
    expect(data.map((each) => (each as JsonObject)["retryId"])).toStrictEqual([
      "legacy-retry:s:0",
      "legacy-retry:s:0",
      "legacy-retry:s:2",
      "legacy-retry:s:3",
      "own",
      "own",
    ])
  })

  it("MI15: a turn has no trigger", () => {
    expect(
      first(event("turn/start", { turn: 1, trigger: { kind: "user", more: 1 } })),
    ).toStrictEqual({ turn: 1 })
    for (const data of [
      { turn: 0, trigger: { kind: "user" } },
      { turn: 1, trigger: { kind: "" } },
      { turn: 1, trigger: "user" },
      { turn: 1, trigger: { kind: "user" }, more: 1 },
    ])
      expect(causesOf(0, [event("turn/start", data)])).toMatchObject([
        { code: "payload-shape", class: "malformed", seq: 0 },
      ])
  })

  const failure = { message: "m", code: "c", status: 500 }
  it.each<[JsonObject, JsonObject]>([
    [{ kind: "aborted" }, { kind: "aborted", reason: { kind: "legacy" } }],
    [{ kind: "disposed" }, { kind: "aborted", reason: { kind: "disposed" } }],
    [
      { kind: "error", step: 2, failure },
      { kind: "error", error: failure },
    ],
    [
      { kind: "error", step: 2, message: "m", code: "c" },
      { kind: "error", error: { message: "m", code: "c" } },
    ],
    [
      { kind: "error", step: 2, message: "m" },
      { kind: "error", error: { message: "m", code: "UNKNOWN" } },
    ],
    [
      { kind: "aborted", reason: { kind: "user" } },
      { kind: "aborted", reason: { kind: "user" } },
    ],
    [{ kind: "of later" }, { kind: "of later" }],
  ])("MI15: the turn that ended by %j ended by %j", (reason, later) => {
    expect(first(event("turn/end", { turn: 1, reason }))).toStrictEqual({ turn: 1, reason: later })
  })

  it("MI15: a reason that is neither the older nor the frozen one is refused", () => {
    for (const reason of [
      { kind: "error", step: 2, failure: { message: "m", code: "c", more: 1 } },
      { kind: "error", step: "2", message: "m" },
      { kind: "error", message: "m" },
      { kind: "aborted", reason: { kind: "nobody" } },
    ])
      expect(causesOf(0, [event("turn/end", { turn: 1, reason })])).toMatchObject([
        { code: "payload-shape", class: "malformed", seq: 0 },
      ])
  })

  it("MI16: a message without an identity gets one", () => {
    const data = dataOf(0, [
      append("user/message", { content: [text("hi")], source: { kind: "user" } }),
      append("assistant/message", {
        turn: 1,
        step: 1,
        content: [text("yes")],
        provenance: { provider: "p", model: "m" },
        usage: { inputTokens: 1, outputTokens: 2 },
      }),
    ])
    expect(data).toStrictEqual([
      user("legacy-message:s:0"),
      {
        turn: 1,
        step: 1,
        message: {
          id: "legacy-message:s:1",
          role: "assistant",
          content: [text("yes")],
          source: { provider: "p", model: "m", kind: "model" },
        },
        usage: { inputTokens: 1, outputTokens: 2 },
      },
    ])
  })

  it("MI16: a flat tool result gets a message, and keeps its identity when it is rewritten", () => {
    const flat = (content: JsonValue): JsonObject => ({
      turn: 1,
      step: 1,
      callId: "c1",
      content,
      isError: false,
      meta: { ms: 1 },
    })
    const later = (start: number): JsonObject =>
      event("tool/result", flat([]), replace(start) as { surfaceOp: JsonObject })
    const idOf = (data: JsonValue | undefined): JsonValue | undefined =>
      ((data as JsonObject)["message"] as JsonObject)["id"]
    const data = dataOf(0, [append("tool/result", flat([text("out")])), later(0), later(1)])
    expect(data[0]).toStrictEqual({
      ...result("legacy-message:s:0"),
      meta: { ms: 1 },
    })
    expect(data.map(idOf)).toStrictEqual(Array(3).fill("legacy-message:s:0"))
    const named = [append("tool/result", result("own", "c1", { meta: { ms: 1 } })), later(0)]
    expect(dataOf(0, named).map(idOf)).toStrictEqual(["own", "own"])
  })

  it("MI17: a request header has no prefix of messages", () => {
    const config = { provider: "p", model: "m" }
    expect(
      first(event("request/header", { header: { config, messagePrefix: [1] }, reason: "initial" })),
    ).toStrictEqual({ header: { config }, reason: "initial" })
    expect(
      causesOf(0, [
        event("request/header", { header: { config, messagePrefix: "x" }, reason: "initial" }),
      ]),
    ).toStrictEqual([
      {
        code: "payload-shape",
        class: "malformed",
        seq: 0,
        type: "request/header",
        fault: { path: ["header", "messagePrefix"], expected: "array" },
      },
    ])
  })

  it("MI17: a descriptor of version 2 is one of version 3, and any other is refused", () => {
    const of = (version: number): JsonObject =>
      event("subagent/descriptor", { mode: "one-shot", version, provider: "p", label: "l" })
    for (const version of [2, 3])
      expect(first(of(version))).toStrictEqual({
        mode: "one-shot",
        version: 3,
        provider: "p",
        label: "l",
      })
    for (const version of [1, 4])
      expect(causesOf(0, [of(version)])).toStrictEqual([
        { code: "descriptor-version", class: "unsupported", seq: 0, version },
      ])
  })
})
