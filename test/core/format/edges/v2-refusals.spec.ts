import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import {
  append,
  assistant,
  causesOf,
  dataOf,
  event,
  result,
  stepStart,
  turnStart,
  user,
} from "./logs.ts"

const answer = (more: JsonObject = {}): JsonObject => assistant("a", { stream: [], ...more })

const begun = [turnStart(), stepStart()]

/** A payload behind the first step, as the step to format 3 makes it. */
const next = (one: JsonObject): JsonValue | undefined => dataOf(2, [...begun, one]).at(-1)

const causesBehind = (...events: readonly JsonObject[]): readonly object[] =>
  causesOf(2, [...begun, ...events])

describe("what format 2 may hold and format 3 may not", () => {
  it("MI31: types that nobody knows are refused, those of format 3 too", () => {
    for (const type of ["x/y", "tool/ptc-dispatch", "system/message"])
      for (const rest of [{}, { ignorable: true } as const])
        expect(causesBehind(event(type, {}, rest))).toStrictEqual([
          { code: "event-type-unknown", class: "unsupported", seq: 2, type },
        ])
  })

  it("MI31: sources of kinds that are not listed are refused, in every slot", () => {
    const mine = user("u", { source: { kind: "mine" } })
    const refusal = { code: "source-kind", class: "unsupported", kind: "mine" }
    expect(
      causesBehind(
        append("user/message", mine),
        event("agent/inbox/spliced", { target: "next-turn", start: 0, inserted: [mine] }),
      ),
    ).toStrictEqual([
      { ...refusal, seq: 2 },
      { ...refusal, seq: 3 },
    ])
    const relay = { kind: "agent-message", form: "relay", senderSessionId: "x" }
    expect(next(append("user/message", user("u", { source: relay })))).toMatchObject({
      source: relay,
    })
  })

  const block: JsonObject = { type: "mine" }
  const wrapped: JsonObject = {
    ...result("r"),
    message: {
      ...(result("r")["message"] as JsonObject),
      content: [{ type: "tool-result", toolCallId: "c1", content: [block], isError: false }],
    },
  }
  it.each<[string, JsonObject]>([
    ["a message", append("user/message", user("u", { content: [block] }))],
    ["a tool result", append("tool/result", wrapped)],
    [
      "a queued message",
      event("agent/inbox/spliced", {
        target: "next-turn",
        start: 0,
        inserted: [user("u", { content: [block] })],
      }),
    ],
    [
      "a call of code",
      event("tool/code-dispatch", {
        rootCallId: "c",
        parentCallId: "c",
        subCallId: "d",
        name: "n",
        arguments: "",
        isError: false,
        content: [block],
      }),
    ],
    [
      "a message of a team",
      event("team/message/queued", { version: 1, teamId: "t", message: { content: [block] } }),
    ],
    [
      "the end of a block in a stream",
      append(
        "assistant/message",
        answer({
          stream: [{ type: "chunk", time: 1, chunk: { type: "block-end", index: 0, block } }],
        }),
      ),
    ],
    [
      "the start of a block in a stream",
      event("assistant/attempt", {
        turn: 1,
        step: 1,
        stream: [
          { type: "chunk", time: 1, chunk: { type: "block-start", index: 0, blockType: "mine" } },
        ],
      }),
    ],
  ])("MI31: content that nobody knows is refused in %s", (_, one) => {
    expect(causesBehind(one)).toStrictEqual([
      { code: "content-tag", class: "unsupported", seq: 2, tag: "mine" },
    ])
  })

  it("MI31: a file is content that is known", () => {
    const file = { type: "file", attachment: { attachmentId: "f", name: "n", bytes: 1 } }
    const data = user("u", { content: [file] })
    expect(next(append("user/message", data))).toStrictEqual(data)
  })

  it("MI31: of a stream only blocks are looked at", () => {
    const bare = { type: "finish", reason: { kind: "error", error: { more: 1 } } }
    const data = answer({ stream: [bare, { type: "chunk", time: 1, chunk: bare }] })
    expect(next(append("assistant/message", data))).toStrictEqual(data)
  })

  it("MI31: a surface event without a marker and an answer with citations are malformed", () => {
    expect(
      causesBehind(event("user/message", user("u")), append("assistant/message", answer(), [0])),
    ).toStrictEqual([
      { code: "surface-op-missing", class: "malformed", seq: 2 },
      { code: "sources-forbidden", class: "malformed", seq: 3 },
    ])
  })

  it("MI31: an error beside a result that is none is malformed, and so is a repair without its id", () => {
    const error = { name: "ToolNotStartedError", code: "TOOL_NOT_STARTED" }
    const failed = (id: string, isError: boolean): JsonObject => {
      const block1 = { type: "tool-result", toolCallId: "c1", content: [], isError }
      const data = result(id, "c1", { error })
      return { ...data, message: { ...(data["message"] as JsonObject), content: [block1] } }
    }
    const other = { ...failed("r", true), error: { name: "E", code: "E" } }
    expect(
      causesBehind(
        append("tool/result", failed("interrupted-tool-result-c1-0", false)),
        append("tool/result", failed("interrupted-tool-result-c1-01", true)),
        append("tool/result", failed("interrupted-tool-result-c2-1", true)),
        append("tool/result", failed("interrupted-tool-result-c1-7", true)),
        append("tool/result", other),
      ),
    ).toStrictEqual([
      { code: "error-without-flag", class: "malformed", seq: 2 },
      { code: "repair-id", class: "malformed", seq: 3, id: "interrupted-tool-result-c1-01" },
      { code: "repair-id", class: "malformed", seq: 4, id: "interrupted-tool-result-c2-1" },
    ])
  })

  it("MI31: a cut without a marker and a marker without a cut are malformed", () => {
    expect(causesOf(2, [], { header: { isSeeded: true } })).toStrictEqual([
      { code: "inherited-marker-missing", class: "malformed", seq: null },
    ])
    expect(causesOf(2, [event("session/end-seed", { inherited: true })])).toStrictEqual([
      { code: "inherited-marker-unexpected", class: "malformed", seq: 0 },
    ])
  })
})
