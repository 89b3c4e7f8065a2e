import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { logOf, readLog } from "../../fixtures/log-in-memory.ts"
import { changed, versions } from "./verdict.ts"

const wrapped = [0, 1, 2, 3]

/** A log of these rows, numbered in their order. */
const numbered = (version: number, ...rows: readonly JsonObject[]): string =>
  logOf(version, ...rows.map((row, seq) => ({ ...row, seq, time: 1 })))

const text = (value: string): JsonObject => ({ type: "text", text: value })

const block: JsonObject = {
  type: "tool-result",
  toolCallId: "c1",
  content: [text("long")],
  isError: false,
}

/** The payload of a tool result in its format, with some keys of its message set anew. */
const payload = (version: number, message: Record<string, unknown> = {}): JsonObject => ({
  turn: 1,
  step: 1,
  message: changed(
    version < 4
      ? { id: "r1", role: "user", source: { kind: "tool", callId: "c1" }, content: [block] }
      : {
          id: "r1",
          role: "tool",
          source: { kind: "tool", callId: "c1" },
          toolCallId: "c1",
          content: [text("long")],
          isError: false,
        },
    message,
  ),
  meta: { ms: 3, path: "a.txt" },
})

const replaced = (version: number): JsonObject => ({
  surfaceOp:
    version < 3 ? { op: "replace", start: 0, end: 0 } : { op: "replace", startSeq: 0, endSeq: 0 },
  sourceEventSeqs: [0],
})

/** A log of a tool result and its rewrite. */
const rewritten = (version: number, data: JsonObject): unknown =>
  readLog(
    numbered(
      version,
      { type: "tool/result", data: payload(version), surfaceOp: "append" },
      { type: "tool/result", data, ...replaced(version) },
    ),
  )

const accepted = { status: "ok", nodes: [1] }
const refused = {
  status: "refused",
  nodes: [0],
  refusal: { refusal: { code: "tool-result-changed", seq: 1, shadowed: 0 } },
}

describe("the part of a tool result that a rewrite may change", () => {
  it.each(wrapped)("F51: format %d: the content of its block", (version) => {
    for (const content of [[], [text("short")], [text("a"), text("b")]])
      expect(
        rewritten(version, payload(version, { content: [{ ...block, content }] })),
      ).toMatchObject(accepted)
  })

  it("F51: format 4: the content of its message", () => {
    for (const content of [[], [text("short")], [text("a"), text("b")]])
      expect(rewritten(4, payload(4, { content }))).toMatchObject(accepted)
  })

  it.each(versions)("F51: format %d: it may change nothing, and the order of keys", (version) => {
    expect(rewritten(version, payload(version))).toMatchObject(accepted)
    const backwards = Object.fromEntries(Object.entries(payload(version)).toReversed())
    expect(rewritten(version, backwards)).toMatchObject(accepted)
  })

  it.each(wrapped)("F52: format %d: it keeps everything else of the block", (version) => {
    for (const keys of [{ isError: true }, { isError: undefined }, { note: 1 }])
      expect(
        rewritten(version, payload(version, { content: [changed(block, keys)] })),
      ).toMatchObject(refused)
  })

  it.each(versions)("F52: format %d: it keeps everything else of the message", (version) => {
    const all: Record<string, unknown>[] = [{ id: "r2" }, { note: 1 }]
    const ofFormat = version < 4 ? [] : [{ isError: true }, { isError: undefined }]
    for (const keys of [...all, ...ofFormat])
      expect(rewritten(version, payload(version, keys))).toMatchObject(refused)
  })

  it.each(versions)("F52: format %d: it keeps everything else of the payload", (version) => {
    const changes: Record<string, JsonValue | undefined>[] = [
      { turn: 2 },
      { meta: { ms: 4, path: "a.txt" } },
      { meta: undefined },
      { note: null },
    ]
    for (const keys of changes)
      expect(rewritten(version, changed(payload(version), keys))).toMatchObject(refused)
  })
})

describe("messages that say nothing", () => {
  const empty = (version: number, role: string): JsonObject => {
    const source =
      role === "assistant"
        ? { kind: "model", provider: "p", model: "m" }
        : role === "system"
          ? version < 4
            ? { kind: "plugin", plugin: "p" }
            : { kind: "system-prompt" }
          : { kind: "user" }
    const message = { id: role, role, content: [], source }
    return {
      type: `${role}/message`,
      data: role === "user" ? message : { turn: 1, step: 1, stream: [], message },
      surfaceOp: "append",
    }
  }

  it.each<[number, string[]]>([
    [0, ["user", "assistant"]],
    [1, ["user", "assistant"]],
    [2, ["user", "assistant"]],
    [3, ["system", "user", "assistant"]],
    [4, ["system", "user", "assistant", "developer"]],
  ])(
    "F53: format %d: of %j without content, only the user's becomes a message",
    (version, roles) => {
      const read = readLog(numbered(version, ...roles.map((role) => empty(version, role))))
      expect(read).toMatchObject({ status: "ok", nodes: roles.map((_, seq) => seq) })
      expect(read.messages.map((message) => message["role"])).toStrictEqual(["user"])
    },
  )

  it.each(versions)(
    "F53: format %d: a tool result without content becomes a message",
    (version) => {
      const content = version < 4 ? [{ ...block, content: [] }] : []
      const data = payload(version, { content })
      const read = readLog(numbered(version, { type: "tool/result", data, surfaceOp: "append" }))
      expect(read.messages).toStrictEqual([data["message"]])
    },
  )
})
