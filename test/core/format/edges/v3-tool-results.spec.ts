import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { accepted, append, causesOf, dataOf, event, text, user } from "./logs.ts"

const next = (one: JsonObject): JsonValue | undefined => dataOf(3, [one])[0]

const wrapped = (block: JsonObject, message: JsonObject = {}): JsonObject => ({
  turn: 1,
  step: 1,
  message: {
    id: "r1",
    role: "user",
    source: { kind: "tool", callId: "c1" },
    content: [
      { type: "tool-result", toolCallId: "c1", content: [text("out")], isError: false, ...block },
    ],
    ...message,
  },
})

describe("tool results as messages of their own", () => {
  it("MI32: the wrapper is lifted, in the order of later writers", () => {
    const [row] = accepted(3, [append("tool/result", wrapped({}))]).rows
    expect(JSON.stringify(row)).toBe(
      '{"type":"tool/result","seq":0,"time":0,"data":{"turn":1,"step":1,"message":' +
        '{"role":"tool","source":{"kind":"tool","callId":"c1"},"toolCallId":"c1",' +
        '"content":[{"type":"text","text":"out"}],"isError":false,"id":"r1"}},' +
        '"surfaceOp":"append"}',
    )
  })

  it("MI32: other fields of the block and of the message become a plugin's", () => {
    const one = append("tool/result", wrapped({ note: 1 }, { note: 2 }))
    expect((next(one) as JsonObject)["message"]).toStrictEqual({
      role: "tool",
      source: { kind: "tool", callId: "c1" },
      toolCallId: "c1",
      content: [text("out")],
      isError: false,
      id: "r1",
      "plugin:result:note": 1,
      "plugin:message:note": 2,
    })
  })

  it("MI32: content that is a plugin's says so", () => {
    const one = append("tool/result", wrapped({ content: [{ type: "mine", deep: 1 }] }))
    expect((next(one) as JsonObject)["message"]).toMatchObject({
      content: [{ type: "plugin:mine", deep: 1 }],
    })
  })

  it.each<[string, JsonObject, readonly (string | number)[]]>([
    ["a result without a flag", wrapped({ isError: 1 }), ["message", "content", 0, "isError"]],
    [
      "a result of another call",
      wrapped({ toolCallId: "c2" }),
      ["message", "content", 0, "toolCallId"],
    ],
    [
      "a message with two blocks",
      wrapped({}, { content: [text("a"), text("b")] }),
      ["message", "content"],
    ],
    ["a message without an id", wrapped({}, { id: "" }), ["message", "id"]],
  ])("MI32: %s is malformed", (_, data, path) => {
    expect(causesOf(3, [append("tool/result", data)])).toMatchObject([
      { code: "payload-shape", class: "malformed", seq: 0, fault: { path } },
    ])
  })

  it("MI32: a wrapper without isError is malformed", () => {
    const { isError: _, ...block } = (
      (wrapped({})["message"] as JsonObject)["content"] as readonly JsonObject[]
    )[0] as JsonObject
    expect(causesOf(3, [append("tool/result", wrapped({}, { content: [block] }))])).toMatchObject([
      { code: "payload-shape", class: "malformed", fault: { expected: "boolean" } },
    ])
  })

  it("MI37: a tool result inside another, or anywhere else, is refused", () => {
    const block = { type: "tool-result", toolCallId: "c2", content: [], isError: false }
    const refusal = { code: "nested-tool-result", class: "unsupported" }
    const chunk = { type: "block-start", index: 0, blockType: "tool-result" }
    expect(
      causesOf(3, [
        append("tool/result", wrapped({ content: [block] })),
        append("user/message", user("u", { content: [block] })),
        event("agent/inbox/spliced", {
          target: "next-turn",
          start: 0,
          inserted: [user("u", { content: [block] })],
        }),
        event("assistant/attempt", {
          turn: 1,
          step: 1,
          stream: [{ type: "chunk", time: 1, chunk }],
        }),
      ]),
    ).toStrictEqual([0, 1, 2, 3].map((seq) => ({ ...refusal, seq })))
  })
})
