import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import {
  header,
  headerEvent,
  measured,
  refusalAfter,
  stepStart,
  streamed,
  textStream,
  usageOf,
} from "./meter-log.ts"

describe("the content of a stream", () => {
  const chunk = (value: JsonObject): JsonObject => ({ type: "chunk", time: 1, chunk: value })

  /** Tokens of what was sent: the log keeps nothing of the answer here. */
  const sent = (...stream: JsonValue[]): number => {
    const drafts = [headerEvent(header("m", [])), stepStart(), streamed("", usageOf(2), stream)]
    return measured(drafts).baseline.tokens
  }

  it("TK21: deltas of a block are one text, packed or not", () => {
    // nothing was sent: the report of 2 tokens is believed
    expect(sent()).toBe(2)
    expect(sent(...textStream("hello", " world!"))).toBe(11)
    const one = chunk({ type: "text-delta", index: 0, text: "hello" })
    expect(sent(one, chunk({ type: "text-delta", index: 0, text: " world!" }))).toBe(11)
    // two blocks: 2+4, 2+4, 4
    expect(sent(one, chunk({ type: "reasoning-delta", index: 1, text: "world" }))).toBe(16)
  })

  it("TK21: the end of a block stands for all of its deltas", () => {
    const delta = chunk({ type: "text-delta", index: 0, text: "x".repeat(400) })
    const end = (text: string): JsonObject =>
      chunk({ type: "block-end", index: 0, block: { type: "text", text } })
    expect(sent(delta, end("hello world!"), delta, end("other"))).toBe(11)
  })

  it("TK21: tool calls of an answer that was cut short are left out", () => {
    const call: JsonObject = {
      type: "tool-call-chunks",
      time0: 1,
      index: 0,
      dt: [1],
      id: "c1",
      name: "ls",
      args: ["{", "}"],
    }
    // 1+1+4, 4
    expect(sent(call)).toBe(10)
    expect(sent(call, chunk({ type: "finish", reason: { kind: "tool-calls" } }))).toBe(10)
    expect(
      sent(...textStream("ok").map((each) => ({ ...(each as JsonObject), index: 1 })), call),
    ).toBe(15)
    expect(sent(call, chunk({ type: "finish", reason: { kind: "max-tokens" } }))).toBe(2)
  })

  it("TK21: a block of unknown kind that never ended is refused", () => {
    const start = chunk({ type: "block-start", index: 3, blockType: "image" })
    const drafts = [headerEvent(header()), stepStart(), streamed("", usageOf(2), [start])]
    expect(refusalAfter(drafts)).toEqual({
      code: "stream-block-open",
      seq: 2,
      index: 3,
      blockType: "image",
    })
  })

  it("TK21: records that say nothing are passed over", () => {
    expect(sent(7, null, {}, chunk({}), chunk({ type: "text-delta" }))).toBe(2)
  })
})
