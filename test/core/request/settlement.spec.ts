import { describe, expect, it } from "vitest"
import type { JsonArray, JsonObject } from "#core/data/json"
import type { AttemptEnd } from "#core/request/settlement"
import { settleAttempt } from "#core/request/settlement"
import type { EventDraft } from "#core/request/request-log"
import { leftOf, rightOf } from "../surface/events.ts"
import { plain } from "./agent.ts"

const place = { turn: 2, step: 3 }

const chunk = (value: JsonObject): JsonObject => ({ type: "chunk", time: 1, chunk: value })
const text = (words: string, index = 0): JsonObject =>
  chunk({ type: "text-delta", index, text: words })
const block = (index: number, value: JsonObject): JsonObject =>
  chunk({ type: "block-end", index, block: value })
const finish = (kind: string, more: JsonObject = {}): JsonObject =>
  chunk({ type: "finish", reason: { kind }, ...more })
const usage = (inputTokens: number): JsonObject =>
  chunk({ type: "usage", usage: { inputTokens, outputTokens: 1 } })
const call = { type: "tool-call", id: "c", name: "ls", arguments: "{}" }

const settled = (end: AttemptEnd, ...stream: JsonArray): EventDraft =>
  rightOf(settleAttempt({ ...place, route: plain, messageId: "m", stream }, end))

const messageOf = (draft: EventDraft): JsonObject =>
  (draft.data as JsonObject)["message"] as JsonObject

describe("an attempt that is settled", () => {
  it("LS30: is a message of what its stream comes to, where the model answered", () => {
    const stream = [text("a"), text("b"), block(1, call), usage(1), usage(7), finish("tool-calls")]
    expect(settled("answered", ...stream)).toEqual({
      type: "assistant/message",
      data: {
        ...place,
        message: {
          id: "m",
          role: "assistant",
          source: { kind: "model", provider: "p", model: "m" },
          content: [{ type: "text", text: "ab" }, call],
        },
        stream,
        usage: { inputTokens: 7, outputTokens: 1 },
      },
      surfaceOp: "append",
    })
    expect(settled("answered").data).not.toHaveProperty("usage")
    expect(messageOf(settled("answered"))["content"]).toEqual([])
  })

  it("LS30: keeps what its adapter wants back, where that is about all of its blocks", () => {
    const state = (blocks: number): JsonObject => ({
      response: "r",
      blocks: Array.from({ length: blocks }, () => null),
    })
    const sourceOf = (replayState: JsonObject): unknown =>
      messageOf(settled("answered", text("a"), finish("stop", { replayState })))["source"]
    const source = { kind: "model", provider: "p", model: "m" }
    expect(sourceOf({ response: "r" })).toEqual({ ...source, replayState: { response: "r" } })
    expect(sourceOf(state(1))).toEqual({ ...source, replayState: state(1) })
    expect(sourceOf(state(2))).toEqual(source)
  })

  it("LS30: is refused where an answer cannot be read back", () => {
    const stream = [chunk({ type: "block-start", index: 4, blockType: "image" })]
    const record = { ...place, route: plain, messageId: "m", stream }
    const refusal = { code: "stream-block-open", index: 4, blockType: "image" }
    expect(leftOf(settleAttempt(record, "answered"))).toEqual(refusal)
    expect(rightOf(settleAttempt(record, "failed")).type).toBe("assistant/attempt")
    // nobody waits for what was cancelled to be whole
    expect(rightOf(settleAttempt(record, "cancelled")).type).toBe("assistant/attempt")
  })

  it("LS31: is no message where it failed, whatever was said before", () => {
    const stream = [text("a"), usage(1), finish("error")]
    expect(settled("failed", ...stream)).toEqual({
      type: "assistant/attempt",
      data: { ...place, stream },
    })
  })

  it("LS32: is a message of what could be seen, where it was cancelled", () => {
    const thought = { type: "reasoning", text: "so" }
    const stream = [text("a"), block(1, call), block(2, thought), text(" \n", 3), usage(2)]
    const { data, ...rest } = settled("cancelled", ...stream)
    expect(rest).toEqual({ type: "assistant/message", surfaceOp: "append" })
    expect(data).toMatchObject({ ...place, stream, interrupted: true, usage: { inputTokens: 2 } })
    expect(messageOf({ ...rest, data })["content"]).toEqual([{ type: "text", text: "a" }, thought])
  })

  it.each([
    ["nothing", []],
    ["blanks", [text(" \n\t")]],
    ["a call", [block(0, call)]],
    ["what is neither text nor thought", [block(0, { type: "image", text: "a" })]],
  ])("LS32: is a mere attempt, where nothing could be seen: %s", (_, stream) => {
    expect(settled("cancelled", ...stream)).toEqual({
      type: "assistant/attempt",
      data: { ...place, stream },
    })
  })
})
