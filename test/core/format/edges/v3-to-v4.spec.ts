import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import {
  accepted,
  append,
  assistant,
  causesOf,
  dataOf,
  event,
  result,
  stepStart,
  text,
  turnStart,
  user,
} from "./logs.ts"

const next = (one: JsonObject): JsonValue | undefined => dataOf(3, [one])[0]

const sourced = (source: JsonValue): JsonObject =>
  append("user/message", user("u", { source } as JsonObject))

describe("what belongs to a plugin", () => {
  it("MI33: tags of content that are not listed get a prefix, once more where they have one", () => {
    const content = [
      { type: "mine", a: 1 },
      { type: "plugin:mine" },
      { type: "tool-addition" },
      text("t"),
    ]
    const later = [
      { type: "plugin:mine", a: 1 },
      { type: "plugin:plugin:mine" },
      { type: "plugin:tool-addition" },
      text("t"),
    ]
    const chunk = (type: string, more: JsonObject): JsonObject => ({
      type: "chunk",
      time: 1,
      chunk: { type, index: 0, ...more },
    })
    const summary = { compactionId: "k", summary: content, rawOutput: content, shadowedSeqs: [] }
    const call = { subCallId: "c", content }
    const queued = { message: { content } }
    const stream = [
      chunk("block-start", { blockType: "mine" }),
      chunk("block-end", { block: content[0] ?? null }),
    ]
    expect(
      dataOf(3, [
        append("user/message", user("u", { content })),
        event("compaction/summary", summary),
        event("tool/ptc-dispatch", call),
        event("team/message/queued", queued),
        event("assistant/attempt", { turn: 1, step: 1, stream }),
      ]),
    ).toStrictEqual([
      user("u", { content: later }),
      { ...summary, summary: later, rawOutput: later },
      { ...call, content: later },
      { message: { content: later } },
      {
        turn: 1,
        step: 1,
        stream: [
          chunk("block-start", { blockType: "plugin:mine" }),
          chunk("block-end", { block: later[0] ?? null }),
        ],
      },
    ])
  })

  it.each<[string, string]>([
    ["compact", "compact-checkpoint"],
    ["tools-code-mode", "ptc-mode"],
    ["tools-ptc", "ptc-mode"],
    ["dsh-compaction-basic", "compact-basic"],
    ["@deepseek-ai/dsh-system-prompt", "runtime-context"],
    ...[
      "agent-instructions",
      "session-reference",
      "team-message",
      "goal",
      "skill-invocation",
      "skill-catalog",
      "coordinator",
      "subagent-report",
      "subagent-settled",
      "webhook",
      "agent-message",
      "model-selection",
      "plan-mode",
      "time-context",
      "tmux-context",
      "user-approval",
      "repeat-tool-reminder",
      "tool-cordis",
      "cordis-host-runner",
      "tool-goal",
      "tool-jobs",
      "hooks-codex",
      "hooks-claude-code",
      "schedule",
      "dsh-session-title-llm",
    ].map((name): [string, string] => [name, name]),
    ["somebody", "plugin:somebody"],
    ["", "plugin:"],
    ["constructor", "plugin:constructor"],
  ])("MI33: the plugin %j has the kind %j", (plugin, kind) => {
    const source = { form: "notice", plugin, kind: "plugin", summary: "s" }
    expect(JSON.stringify((next(sourced(source)) as JsonObject)["source"])).toBe(
      JSON.stringify({ form: "notice", kind, summary: "s" }),
    )
  })

  it("MI33: a kind of its own stays, and the prompt's plugin has one", () => {
    expect(next(sourced({ kind: "mine", plugin: "p" }))).toMatchObject({
      source: { kind: "mine", plugin: "p" },
    })
    const system = (plugin: string): JsonObject =>
      append("system/message", {
        turn: 1,
        step: 1,
        message: { id: "m", role: "system", source: { kind: "plugin", plugin }, content: [] },
      })
    expect(next(system("@deepseek-ai/dsh-system-prompt"))).toMatchObject({
      message: { source: { kind: "system-prompt" } },
    })
    expect(causesOf(3, [system("other")])).toStrictEqual([
      {
        code: "target-shape",
        class: "unsupported",
        seq: 0,
        type: "system/message",
        fault: { path: ["message", "source", "kind"], expected: '"system-prompt"' },
      },
    ])
  })

  it("MI33: a plugin without a name and an empty kind are malformed", () => {
    for (const source of [{ kind: "plugin", plugin: 1 }, { kind: "plugin" }, { kind: "" }])
      expect(causesOf(3, [sourced(source)])).toMatchObject([
        { code: "payload-shape", class: "malformed", seq: 0 },
      ])
  })

  it("MI33: so are a queued message without a source, and one of a role that is still to come", () => {
    const { source: _, ...bare } = user("u")
    for (const message of [bare, user("u", { role: "developer" })])
      expect(
        causesOf(3, [
          event("agent/inbox/spliced", { target: "next-turn", start: 0, inserted: [message] }),
        ]),
      ).toMatchObject([{ code: "payload-shape", class: "malformed", seq: 0 }])
  })

  it("MI34: an event of an unknown type gets another name, and nothing else but its seq", () => {
    const opaque: JsonObject = { seq: 9, sourceEventSeqs: [2], surfaceOp: { start: 1 } }
    const rest = {
      ignorable: true,
      sourceEventSeqs: [0, 1],
      surfaceOp: { op: "mine", at: 1 },
    } as const
    const { rows } = accepted(3, [
      turnStart(),
      event("agent/inbox/spliced", { target: "next-turn", start: 0, inserted: [user("u")] }),
      turnStart(2),
      event("x/y", opaque, rest),
      event("developer/message", null, { ignorable: true }),
    ])
    expect(rows.slice(4)).toStrictEqual([
      { type: "plugin:x/y", seq: 4, time: 3000, data: opaque, ...rest },
      { type: "plugin:developer/message", seq: 5, time: 4000, data: null, ignorable: true },
    ])
  })
})

describe("rows of format 4", () => {
  it("MI24: the next turn, queued just before, ends the open one; references follow", () => {
    const { rows, map } = accepted(3, [
      turnStart(),
      append("user/message", user("u1")),
      event("agent/inbox/spliced", { target: "next-turn", start: 0, inserted: [user("u2")] }),
      turnStart(2),
      append("user/message", user("u3")),
    ])
    expect(rows.slice(3)).toStrictEqual([
      {
        type: "turn/end",
        seq: 3,
        time: 3000,
        data: { turn: 1, reason: { kind: "interrupted" } },
      },
      { type: "turn/start", seq: 4, time: 3000, data: { turn: 2 } },
      { type: "user/message", seq: 5, time: 4000, data: user("u3"), surfaceOp: "append" },
    ])
    expect(map.inserted).toStrictEqual([{ newSeq: 3, anchor: 3 }])
  })

  it("MI7: images put aside are found where their messages went", () => {
    const attachment = { attachmentId: "i", mediaType: "image/png", bytes: 1, width: 1, height: 1 }
    const queued = event("agent/inbox/spliced", {
      target: "next-turn",
      start: 0,
      inserted: [user("u2")],
    })
    const { rows } = accepted(3, [
      turnStart(),
      queued,
      turnStart(2),
      append("user/message", user("u3", { content: [{ type: "image", attachment }] })),
      event("image/offload", { targets: [{ seq: 3, imageIndexes: [0] }] }),
    ])
    expect(rows.at(-1)?.["data"]).toStrictEqual({ targets: [{ seq: 4, imageIndexes: [0] }] })
  })

  it("MI10: of the header only the version changes", () => {
    const header = { cwd: "/w", agentPreset: "code", origin: "subagent", parentSession: "p" }
    expect(JSON.stringify(accepted(3, [], { header }).header)).toBe(
      '{"type":"session","version":4,"id":"s","createdAt":1,"cwd":"/w","parentSession":"p",' +
        '"isSeeded":false,"origin":"subagent","delegationDepth":0,"agentPreset":"code"}',
    )
  })
})

describe("what format 3 may hold and format 4 may not", () => {
  it("MI37: an unknown type is refused unless it is ignorable, also one that format 4 knows", () => {
    for (const type of ["x/y", "developer/message"])
      expect(causesOf(3, [event(type, {})])).toStrictEqual([
        { code: "event-type-unknown", class: "unsupported", seq: 0, type },
      ])
  })

  it("MI37: a tool whose loading is deferred is refused", () => {
    const tool = { name: "ls", description: "", parameters: {} }
    const header = {
      config: { provider: "p", model: "m" },
      tools: [tool, { ...tool, name: "rm", deferLoading: false }],
    }
    expect(causesOf(3, [event("request/header", { header, reason: "initial" })])).toStrictEqual([
      { code: "deferred-tool", class: "unsupported", seq: 0, name: "rm" },
    ])
  })

  it("MI37: what the reader of format 3 refuses is malformed", () => {
    expect(
      causesOf(3, [
        stepStart(),
        append("assistant/message", assistant("a")),
        append("tool/result", result("r", "c1", { error: { name: "n", code: "c" } }), []),
      ]),
    ).toMatchObject([
      { code: "payload-shape", class: "malformed", seq: 1, fault: { path: ["stream"] } },
      { code: "sources-empty", class: "malformed", seq: 2 },
    ])
  })

  it("MI8: a title of a message that is still to come is malformed", () => {
    const title = event("session/title", { title: "t", messageSeqs: [1], source: { kind: "user" } })
    expect(causesOf(3, [title])).toStrictEqual([
      { code: "reference-unresolved", class: "malformed", seq: 0, cited: 1 },
    ])
  })

  it("MI37: a cut without a marker and a marker without a cut are malformed", () => {
    expect(causesOf(3, [], { header: { isSeeded: true } })).toStrictEqual([
      { code: "inherited-marker-missing", class: "malformed", seq: null },
    ])
    expect(causesOf(3, [event("session/end-seed", { inherited: true })])).toStrictEqual([
      { code: "inherited-marker-unexpected", class: "malformed", seq: 0 },
    ])
  })
})
