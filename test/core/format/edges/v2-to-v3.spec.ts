import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { promptMessage } from "#core/format/edges/system-prompt"
import { sha256, textIn } from "../../../fixtures/migration.ts"
import {
  accepted,
  append,
  causesOf,
  dataOf,
  event,
  result,
  step,
  stepEnd,
  stepStart,
  text,
  turnStart,
  user,
} from "./logs.ts"

const header = (more: JsonObject, reason = "initial"): JsonObject =>
  event("request/header", { header: { config: { provider: "p", model: "m" }, ...more }, reason })

const message = (seq: number, type: "step/start" | "request/header", prompt: string): JsonObject =>
  promptMessage("s", { seq, type }, prompt, sha256)

const begun = [turnStart(), stepStart()]

/** A payload behind the first step, as the step to format 3 makes it. */
const next = (one: JsonObject): JsonValue | undefined => dataOf(2, [...begun, one]).at(-1)

const causesBehind = (...events: readonly JsonObject[]): readonly object[] =>
  causesOf(2, [...begun, ...events])

describe("names that changed with format 3", () => {
  it("MI27: the preset code is called ptc, in the header and when it is selected", () => {
    expect(step(2, [], { header: { agentPreset: "code" } }).header["agentPreset"]).toBe("ptc")
    expect(step(2, [], { header: { agentPreset: "other" } }).header["agentPreset"]).toBe("other")
    expect(next(event("agent-preset/selected", { agentPreset: "code" }))).toStrictEqual({
      agentPreset: "ptc",
    })
    expect(next(event("agent-preset/selected", { agentPreset: "codes" }))).toStrictEqual({
      agentPreset: "codes",
    })
  })

  it("MI27: calls of code are called ptc, with the same payload", () => {
    const call = { rootCallId: "c", parentCallId: "c", subCallId: "d", name: "n", arguments: [1] }
    const done = { ...call, isError: false, content: [text("x")] }
    const { rows } = accepted(2, [
      event("tool/code-dispatch-start", call),
      event("tool/code-dispatch", done),
    ])
    expect(rows.map(({ type, data }) => [type, data])).toStrictEqual([
      ["tool/ptc-dispatch-start", call],
      ["tool/ptc-dispatch", done],
    ])
  })

  it("MI27: the plugin of code mode has its later name, wherever it speaks", () => {
    const old = user("u", { source: { kind: "plugin", plugin: "tools-code-mode" } })
    const renamed = user("u", { source: { kind: "plugin", plugin: "tools-ptc" } })
    const other = user("v", { source: { kind: "plugin", plugin: "tools-code-modes" } })
    const inbox = { target: "next-step", start: 0 }
    const request = {
      titleProvider: "p",
      messageSeqs: [1],
      route: { provider: "p", model: "m" },
      system: "",
      maxTokens: 1,
    }
    expect(
      dataOf(2, [
        ...begun,
        append("user/message", old),
        event("agent/inbox/spliced", { ...inbox, inserted: [old, other] }),
        event("session/title-llm-request", { ...request, messages: [old] }),
      ]).slice(3),
    ).toStrictEqual([
      renamed,
      { ...inbox, inserted: [renamed, other] },
      { ...request, messageSeqs: [1], messages: [renamed] },
    ])
  })
})

describe("the system prompt on the surface", () => {
  it("MI28: behind the first step stands an empty system message, and behind no other", () => {
    const { rows, map } = accepted(2, [...begun, stepEnd(), stepStart(1, 2)])
    expect(rows).toHaveLength(5)
    expect(rows[2]).toStrictEqual({
      type: "system/message",
      seq: 2,
      time: 1000,
      data: { turn: 1, step: 1, message: message(1, "step/start", "") },
      surfaceOp: "append",
    })
    expect(map.inserted).toStrictEqual([{ newSeq: 2, anchor: 1 }])
  })

  it("MI28: a header with another prompt has a message before it that replaces the head", () => {
    const { rows } = accepted(2, [
      ...begun,
      header({ system: "one" }),
      header({ system: "one" }, "change"),
      stepEnd(),
      stepStart(1, 2),
      header({ system: "two" }, "change"),
      header({}, "change"),
    ])
    const said = rows.filter(({ type }) => type === "system/message")
    const replacing = (head: number): JsonObject => ({
      sourceEventSeqs: [head],
      surfaceOp: { op: "replace", startSeq: head, endSeq: head },
    })
    const at = { turn: 1, step: 1 }
    const later = { turn: 1, step: 2 }
    expect(said.slice(1)).toStrictEqual([
      {
        type: "system/message",
        seq: 3,
        time: 2000,
        data: { ...at, message: message(2, "request/header", "one") },
        ...replacing(2),
      },
      {
        type: "system/message",
        seq: 8,
        time: 6000,
        data: { ...later, message: message(6, "request/header", "two") },
        ...replacing(3),
      },
      {
        type: "system/message",
        seq: 10,
        time: 7000,
        data: { ...later, message: message(7, "request/header", "") },
        ...replacing(8),
      },
    ])
    expect(message(2, "request/header", "one")["content"]).toStrictEqual([text("one")])
    for (const row of rows.filter(({ type }) => type === "request/header"))
      expect((row["data"] as JsonObject)["header"]).toStrictEqual({
        config: { provider: "p", model: "m" },
      })
  })

  it("MI28: an empty prompt before the first step is none, and neither is a new one outside", () => {
    accepted(2, [header({ system: "" }), ...begun])
    const refusal = { code: "prompt-outside-step", class: "unsupported" }
    expect(causesOf(2, [header({ system: "x" }), ...begun])).toStrictEqual([{ ...refusal, seq: 0 }])
    expect(causesBehind(stepEnd(), header({ system: "x" }), header({ system: "x" }))).toStrictEqual(
      [{ ...refusal, seq: 3 }],
    )
    accepted(2, [...begun, header({ system: "x" }), stepEnd(), header({ system: "x" })])
  })

  it("MI28: what was on the surface before the first step is refused, each event of it", () => {
    const refusal = { code: "surface-before-step", class: "unsupported" }
    expect(
      causesOf(2, [
        append("user/message", user("u1")),
        turnStart(),
        append("user/message", user("u2")),
        stepStart(),
        append("user/message", user("u3")),
      ]),
    ).toStrictEqual([
      { ...refusal, seq: 0 },
      { ...refusal, seq: 2 },
    ])
  })

  it("MI29: a message that has a made id already is refused, before it and behind it", () => {
    const id = textIn(message(1, "step/start", "")["id"])
    expect(causesBehind(append("user/message", user(id)))).toStrictEqual([
      { code: "message-id-collision", class: "unsupported", seq: 2, id },
    ])
    const early = textIn(message(3, "request/header", "x")["id"])
    expect(
      causesBehind(append("user/message", user(early)), header({ system: "x" })),
    ).toStrictEqual([{ code: "message-id-collision", class: "unsupported", seq: 3, id: early }])
  })

  it("MI29: an id that only begins like a made one is nobody's, and may come twice", () => {
    const like = user("v2-to-v3-system-mine")
    accepted(2, [
      ...begun,
      event("agent/inbox/spliced", { target: "next-step", start: 0, inserted: [like] }),
      append("user/message", like),
    ])
  })

  it("MI28: the message has the place of its step, also of one outside any turn", () => {
    const [, head] = accepted(2, [stepStart(3, 2)]).rows
    expect(head?.["data"]).toMatchObject({ turn: 3, step: 2 })
  })

  it("MI28: a step without a number that counts cannot hold a message", () => {
    expect(causesOf(2, [stepStart(1, 0)])).toMatchObject([
      { code: "target-shape", class: "unsupported", seq: 0, type: "system/message" },
    ])
  })
})

describe("rows of format 3", () => {
  it("MI30: lists without tools and defaults without any are left out", () => {
    const tools = [{ name: "ls", description: "", parameters: {} }]
    const config = { provider: "p", model: "m", maxTokens: 5 }
    const of = (more: JsonObject): JsonValue | undefined =>
      (next(header({ config, ...more })) as JsonObject)["header"] as JsonObject | undefined
    expect(of({ tools: [], adapterDefaults: {} })).toStrictEqual({ config })
    expect(of({ tools, adapterDefaults: { maxTokens: true } })).toStrictEqual({
      config,
      tools,
      adapterDefaults: { maxTokens: true },
    })
  })

  it("MI30: replacements have longer names for their ends; ranges of payloads keep theirs", () => {
    const compact = { kind: "plugin", plugin: "compact", compactionId: "k" }
    const { rows } = accepted(2, [
      ...begun,
      append("user/message", user("u1")),
      append("user/message", user("u2")),
      event("compaction/prune", {
        shadowedRange: { start: 2, end: 3 },
        shadowedSeqs: [2, 3],
        shadowedTokenCount: 2,
      }),
      event("user/message", user("u3", { source: compact }), {
        surfaceOp: { op: "replace", start: 2, end: 3 },
        sourceEventSeqs: [2, 3],
      }),
    ])
    expect(rows.slice(5)).toStrictEqual([
      {
        type: "compaction/prune",
        seq: 5,
        time: 4000,
        data: {
          shadowedRange: { start: 3, end: 4 },
          shadowedSeqs: [3, 4],
          shadowedTokenCount: 2,
        },
      },
      {
        type: "user/message",
        seq: 6,
        time: 5000,
        data: user("u3", { source: compact }),
        sourceEventSeqs: [3, 4],
        surfaceOp: { op: "replace", startSeq: 3, endSeq: 4 },
      },
    ])
  })

  it("MI30: an id that ends in a seq keeps it", () => {
    const error = { name: "ToolNotStartedError", code: "TOOL_NOT_STARTED" }
    const repaired = result("interrupted-tool-result-c1-2", "c1", { error })
    const block = { type: "tool-result", toolCallId: "c1", content: [], isError: true }
    const data = {
      ...repaired,
      message: { ...(repaired["message"] as JsonObject), content: [block] },
    }
    expect(next(append("tool/result", data))).toStrictEqual(data)
  })
})
