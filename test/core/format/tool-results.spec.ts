import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { ShapeFault } from "#core/data/refusal"
import { cases, changed, faultOf } from "./verdict.ts"

const wrapped = [0, 1, 2, 3]
const place = { turn: 1, step: 1 }

const block: JsonObject = {
  type: "tool-result",
  toolCallId: "c1",
  content: [{ type: "text", text: "a.txt" }],
  isError: false,
}
const wrapper: JsonObject = {
  id: "r1",
  role: "user",
  source: { kind: "tool", callId: "c1" },
  content: [block],
}
const message: JsonObject = {
  role: "tool",
  source: { kind: "tool", callId: "c1" },
  toolCallId: "c1",
  content: [{ type: "text", text: "a.txt" }],
  isError: false,
  id: "r1",
}

const wrapperFault = (version: number, content: JsonValue): ShapeFault | null =>
  faultOf(version, "tool/result", { ...place, message: { ...wrapper, content } })

const messageFault = (keys: Record<string, unknown>, data: JsonObject = {}): ShapeFault | null =>
  faultOf(4, "tool/result", { ...place, message: changed(message, keys), ...data })

describe("a tool result as a block, formats 0 to 3", () => {
  it.each(wrapped)("F17: format %d: the message holds exactly one tool result", (version) => {
    expect(wrapperFault(version, [block])).toBeNull()
    for (const content of [[], [block, block], [block, { type: "text", text: "x" }]])
      expect(wrapperFault(version, content)).toStrictEqual({
        path: ["message", "content"],
        expected: "array of 1",
      })
    for (const other of [
      { ...block, type: "text", text: "x" },
      { ...block, type: "result" },
    ])
      expect(wrapperFault(version, [other])).toStrictEqual({
        path: ["message", "content", 0, "type"],
        expected: '"tool-result"',
      })
    for (const other of [null, "x", []])
      expect(wrapperFault(version, [other])).toMatchObject({ path: ["message", "content", 0] })
  })

  it.each(wrapped)("F17: format %d: the block has a call id and a list of blocks", (version) => {
    for (const toolCallId of [undefined, 1, null])
      expect(wrapperFault(version, [changed(block, { toolCallId })])).toStrictEqual({
        path: ["message", "content", 0, "toolCallId"],
        expected: "string",
      })
    for (const content of [undefined, null, "a.txt", {}])
      expect(wrapperFault(version, [changed(block, { content })])).toStrictEqual({
        path: ["message", "content", 0, "content"],
        expected: "array",
      })
    expect(wrapperFault(version, [{ ...block, content: [] }])).toBeNull()
  })

  it.each(wrapped)("F17: format %d: isError may be absent, true or false", (version) => {
    for (const isError of [undefined, true, false])
      expect(wrapperFault(version, [changed(block, { isError })])).toBeNull()
    for (const isError of [null, 0, "true"])
      expect(wrapperFault(version, [changed(block, { isError })])).toMatchObject({
        path: ["message", "content", 0, "isError"],
      })
  })

  it.each(wrapped)("F17: format %d: further fields of the block are kept", (version) => {
    expect(wrapperFault(version, [{ ...block, note: { a: 1 } }])).toBeNull()
  })

  it.each(wrapped)("F18: format %d: block and source name the same call", (version) => {
    expect(wrapperFault(version, [{ ...block, toolCallId: "c2" }])).toStrictEqual({
      path: ["message", "content", 0, "toolCallId"],
      expected: "callId of the source",
    })
  })

  it("F18: format 0: without a source there is nothing to compare with", () => {
    for (const source of [undefined, {}])
      expect(
        faultOf(0, "tool/result", { ...place, message: changed(wrapper, { source }) }),
      ).toBeNull()
  })

  it.each([1, 2, 3])("F18: format %d: the source is of kind tool and names a call", (version) => {
    const verdict = (source: JsonObject): ShapeFault | null =>
      faultOf(version, "tool/result", { ...place, message: { ...wrapper, source } })
    expect(verdict({ kind: "user", callId: "c1" })).toMatchObject({
      path: ["message", "source", "kind"],
    })
    for (const callId of ["", 1, null])
      expect(verdict({ kind: "tool", callId })).toStrictEqual({
        path: ["message", "source", "callId"],
        expected: "nonempty string",
      })
  })
})

describe("a tool result as a message, format 4", () => {
  it("F19: its content may be empty", () => {
    expect(messageFault({})).toBeNull()
    expect(messageFault({ content: [] })).toBeNull()
  })

  it("F19: it has a call id of its own", () => {
    for (const toolCallId of [undefined, "", 1, null])
      expect(messageFault({ toolCallId })).toStrictEqual({
        path: ["message", "toolCallId"],
        expected: "nonempty string",
      })
  })

  it("F19: isError may be absent, true or false", () => {
    for (const isError of [undefined, true, false]) expect(messageFault({ isError })).toBeNull()
    for (const isError of [null, 0, "true"])
      expect(messageFault({ isError })).toStrictEqual({
        path: ["message", "isError"],
        expected: "boolean",
      })
  })

  it("F19: the source is of kind tool and names the same call", () => {
    expect(messageFault({ source: { kind: "user", callId: "c1" } })).toMatchObject({
      path: ["message", "source", "kind"],
    })
    expect(messageFault({ source: { kind: "tool" } })).toMatchObject({
      path: ["message", "source", "callId"],
    })
    expect(messageFault({ toolCallId: "c2" })).toStrictEqual({
      path: ["message", "toolCallId"],
      expected: "callId of the source",
    })
  })

  it("F19: the wrapper of the formats before is refused", () => {
    expect(messageFault({ role: "user" })).toMatchObject({ path: ["message", "role"] })
    expect(messageFault({ content: [block] })).toStrictEqual({
      path: ["message", "content", 0, "type"],
      expected: "another type",
    })
    expect(faultOf(4, "tool/result", { ...place, message: wrapper })).not.toBeNull()
  })

  it.each(wrapped)("F19: in format %d the message of format 4 is refused", (version) => {
    expect(faultOf(version, "tool/result", { ...place, message })).not.toBeNull()
  })

  it("F20: beside an error the result says that it is one", () => {
    const error = { name: "ToolError", code: "FAILED" }
    expect(messageFault({ isError: true }, { error })).toBeNull()
    for (const isError of [false, undefined])
      expect(messageFault({ isError }, { error })).toStrictEqual({
        path: ["message", "isError"],
        expected: "true beside an error",
      })
    expect(messageFault({ isError: true })).toBeNull()
  })

  it.each(cases<JsonValue>([0, 1, 2, 3, 4], [null, 1, "x", [], { ms: 3 }]))(
    "F20: format %d: meta may be %j",
    (version, meta) => {
      const data = { ...place, message: version < 4 ? wrapper : message, meta }
      expect(faultOf(version, "tool/result", data)).toBeNull()
    },
  )
})
