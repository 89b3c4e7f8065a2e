import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { logOf, readLog } from "../../fixtures/log-in-memory.ts"
import { cases } from "./verdict.ts"

const mode = (seq: number): JsonObject => ({
  type: "plan/mode",
  seq,
  time: 1,
  data: { active: true },
})
const row = (type: string, data: JsonValue, more: JsonObject = {}): JsonObject => ({
  type,
  seq: 2,
  time: 1,
  data,
  ...more,
})

const offsetOf = (version: number, ...rows: readonly (string | JsonObject)[]): number =>
  Buffer.byteLength(logOf(version, ...rows))

const behind = (
  version: number,
  wrong: string | JsonObject,
  ...more: readonly JsonObject[]
): object => readLog(logOf(version, mode(0), "{", wrong, ...more), { tolerance: "recoverable" })

const expectRefused = (version: number, wrong: JsonObject, code: string): void =>
  expect(behind(version, wrong), JSON.stringify(wrong)).toMatchObject({
    status: "refused",
    eventCount: 1,
    tail: null,
    refusal: { refusal: { code, seq: 2 }, row: 3, byteOffset: offsetOf(version, mode(0), "{") },
  })

const expectDropped = (version: number, wrong: string | JsonObject): void =>
  expect(behind(version, wrong), JSON.stringify(wrong)).toMatchObject({
    status: "torn",
    eventCount: 1,
    refusal: null,
    tail: { cause: { refusal: { code: "invalid-json" }, row: 2 } },
  })

const text: JsonObject = { type: "text", text: "t" }
const result: JsonObject = { type: "tool-result", toolCallId: "c", content: [] }
const change: JsonObject = { type: "tool-removal", toolName: "ls" }

const system = (version: number, changes: JsonObject = {}, message: JsonObject = {}): JsonObject =>
  row("system/message", {
    turn: 1,
    step: 1,
    message: {
      id: "y",
      role: "system",
      content: [text],
      source: version === 3 ? { kind: "plugin", plugin: "p" } : { kind: "system-prompt" },
      ...message,
    },
    ...changes,
  })

const header = (fields: JsonObject): JsonObject =>
  row("request/header", { header: { config: { provider: "p", model: "m" }, ...fields } })

const developer = (changes: JsonObject, message: JsonObject = {}): JsonObject =>
  row("developer/message", {
    turn: 1,
    step: 1,
    message: {
      id: "d",
      role: "developer",
      content: [text],
      source: { kind: "tools" },
      ...message,
    },
    ...changes,
  })

const toolResult = (
  message: JsonObject,
  data: JsonObject = {},
  more: JsonObject = { surfaceOp: "append" },
): JsonObject =>
  row(
    "tool/result",
    {
      message: {
        id: "r",
        role: "tool",
        toolCallId: "c",
        source: { kind: "tool", callId: "c" },
        content: [text],
        ...message,
      },
      ...data,
    },
    more,
  )

const user = (message: JsonObject): JsonObject =>
  row("user/message", { id: "u", role: "user", content: [], source: { kind: "user" }, ...message })

const inbox = (inserted: JsonValue): JsonObject =>
  row("agent/inbox/spliced", { target: "next-turn", start: 0, inserted })

const held = (message: JsonObject): JsonObject => ({
  id: "u",
  role: "user",
  content: [text],
  source: { kind: "user" },
  ...message,
})

const stream = (chunk: JsonValue): JsonObject =>
  row("assistant/attempt", { turn: 1, step: 1, stream: [{ type: "chunk", time: 1, chunk }] })

describe("rows behind damage, in recoverable mode", () => {
  it.each(["tool/code-dispatch-start", "tool/code-dispatch"])(
    "RC1: formats 3 and 4: a required %s is refused, an ignorable one is dropped",
    (type) => {
      for (const version of [3, 4]) {
        expectRefused(version, row(type, {}), "event-type-unknown")
        expectDropped(version, row(type, {}, { ignorable: true }))
        expectDropped(version, row("x/required", {}))
      }
      for (const version of [0, 1, 2]) expectDropped(version, row(type, {}))
    },
  )

  it.each([3, 4])("RC2: format %d: a prompt that is none is refused", (version) => {
    for (const wrong of [
      system(version, { turn: 0 }),
      system(version, { step: "1" }),
      system(version, { message: null }),
      system(version, {}, { id: "" }),
      system(version, {}, { role: "user" }),
      system(version, {}, { content: "t" }),
      system(version, {}, { content: [result] }),
      system(version, {}, { content: [{ type: "text" }] }),
    ])
      expectRefused(version, wrong, "payload-shape")
    for (const well of [system(version), system(version, {}, { content: [{ type: "x" }] })])
      expectDropped(version, well)
    // without a message there is nothing to be asked
    expectDropped(version, row("system/message", {}))
  })

  it("RC2: whose prompt it is is asked at format 4 alone, and only whether it is anybody's", () => {
    for (const source of [null, {}, { kind: "" }, { kind: "plugin", plugin: "p" }]) {
      expectRefused(4, system(4, {}, { source }), "payload-shape")
      expectDropped(3, system(3, {}, { source }))
    }
    expectDropped(4, system(4, {}, { source: { kind: "plugin:p" } }))
  })

  it.each([3, 4])("RC2: format %d: a header with a prompt is refused, even an empty one", (v) => {
    for (const system of ["", "be brief", null])
      expectRefused(v, header({ system }), "payload-shape")
    expectDropped(v, header({}))
    // what the core alone asks for
    expectDropped(v, header({ tools: [] }))
    expectDropped(v, row("request/header", { header: {}, reason: "fallback" }))
  })

  it("RC3: format 4: a header that is none, or with a tool of another kind, is refused", () => {
    for (const wrong of [
      row("request/header", null),
      row("request/header", {}),
      row("request/header", { header: [] }),
      header({ tools: [{ name: "ls" }, { name: "a", deferLoading: false }] }),
      header({ tools: [{ deferLoading: null }] }),
    ]) {
      expectRefused(4, wrong, "payload-shape")
      expectDropped(3, wrong)
    }
    for (const well of [header({ tools: [null] }), header({ tools: [{ deferLoading: true }] })])
      expectDropped(4, well)
  })

  it("RC3: format 4: a message of a developer that is none is refused", () => {
    for (const wrong of [
      row("developer/message", null),
      row("developer/message", { turn: 1, step: 1 }),
      developer({ turn: 0 }),
      developer({}, { role: "user" }),
      developer({}, { source: { kind: "plugin" } }),
      developer({}, { content: [{ type: "tool-removal", toolName: "" }] }),
      developer({ headerSeq: 0 }, { content: [{ type: "tool-addition", toolName: "l", tool: 1 }] }),
      developer({}, { content: [{ type: "tool-addition", toolName: "l" }] }),
      developer({ headerSeq: "0" }, { content: [{ type: "tool-addition", toolName: "l" }] }),
      developer({ headerSeq: 0 }, { content: [change] }),
    ])
      expectRefused(4, wrong, "payload-shape")
    expectDropped(4, developer({}, { content: [change] }))
    // what it names may be dropped with it
    const addition = { type: "tool-addition", toolName: "l" }
    expectDropped(4, developer({ headerSeq: 0 }, { content: [addition] }))
    expectDropped(3, { ...developer({ turn: 0 }), ignorable: true })
  })

  it("RC3: format 4: a tool result that is none, or a fork's in another form, is refused", () => {
    const repair = { error: { name: "ToolNotStartedError", code: "TOOL_NOT_STARTED" } }
    const forked = { id: "forked-tool-result-c-2", isError: true }
    for (const wrong of [
      row("tool/result", null),
      toolResult({ role: "user" }),
      toolResult({ toolCallId: "d" }),
      toolResult({ content: [result] }),
      toolResult({ isError: "yes" }),
      toolResult({}, { error: {} }),
      toolResult({ ...forked, id: "forked-tool-result-c-3" }, repair),
      toolResult(forked, repair, { surfaceOp: "append", sourceEventSeqs: [0] }),
      toolResult({ ...forked, content: [text, text] }, repair),
    ])
      expectRefused(4, wrong, "payload-shape")
    expectDropped(4, toolResult({}))
    expectDropped(4, toolResult(forked, repair))
    expectDropped(3, toolResult({ role: "user" }))
  })

  it("RC3: format 4: sources and blocks of messages are asked wherever they stand", () => {
    for (const wrong of [
      user({ source: null }),
      user({ source: { kind: "plugin" } }),
      user({ role: "developer" }),
      user({ content: [result] }),
      user({ content: [change] }),
      row("assistant/message", { message: held({ content: [result] }) }),
      inbox([held({}), held({ content: [result] })]),
      inbox([null, held({ role: "developer" })]),
      row("session/title-llm-request", { messages: [held({ source: {} })] }),
      row("compaction/summary", { summary: [result] }),
      row("tool/ptc-dispatch", { content: [result] }),
      stream({ type: "block-start", index: 0, blockType: "tool-addition" }),
      stream({ type: "block-end", index: 0, block: result }),
    ]) {
      expectRefused(4, wrong, "payload-shape")
      expectDropped(3, wrong)
    }
    for (const well of [
      user({}),
      user({ id: 1 }),
      user({ content: null }),
      row("user/message", null),
      row("assistant/message", { message: null }),
      inbox(false),
      inbox([null]),
      row("session/title-llm-request", { messages: null }),
      row("tool/ptc-dispatch", { content: [change] }),
      stream(null),
    ])
      expectDropped(4, well)
  })

  it.each(cases([3, 4], ["x", "", "{", "[]", '{"type":1}', '{"type":"request/header"}']))(
    "RC4: format %d: %j is no row to be asked",
    (version, line) => {
      // but that a header without data is none at format 4
      if (version === 4 && line.includes("request"))
        expect(behind(4, line)).toMatchObject({
          status: "refused",
          refusal: { refusal: { code: "envelope-shape", seq: null } },
        })
      else expectDropped(version, line)
    },
  )

  it.each([3, 4])("RC4: format %d: a damaged row is asked as well", (version) => {
    const wrong = { ...header({ system: "" }), seq: 9 }
    const log = logOf(version, mode(0), wrong)
    expect(readLog(log, { tolerance: "recoverable" })).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "payload-shape", seq: 9 }, row: 2 },
    })
    // by default the damage is what is shown
    expect(readLog(log)).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "seq-not-contiguous", seq: 9 }, row: 2 },
    })
  })

  it("RC4: the first of such rows and of ends of turns refuses", () => {
    const end = row("turn/end", { turn: 1, reason: { kind: "completed" } })
    expect(behind(4, end, header({ system: "" }))).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "invalid-json" }, row: 2 },
    })
    expect(behind(4, header({ system: "" }), end)).toMatchObject({
      status: "refused",
      refusal: { refusal: { code: "payload-shape" }, row: 3 },
    })
  })
})
