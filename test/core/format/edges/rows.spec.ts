import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import { readLog } from "../../../fixtures/log-in-memory.ts"
import { textOf } from "../../../fixtures/migration.ts"
import {
  accepted,
  append,
  assistant,
  event,
  placed,
  stepStart,
  text,
  through,
  turnStart,
  user,
} from "./logs.ts"

describe("what rows keep", () => {
  const strange = "\ud83d \udc00 \u2028"

  it("MI6: lone surrogates, own keys of any name and large numbers come through", () => {
    const args = JSON.parse(
      `{"__proto__":{"constructor":1},"n":9007199254740993,"s":${JSON.stringify(strange)}}`,
    ) as JsonObject
    const call = { rootCallId: "c", parentCallId: "c", subCallId: "d", name: "n", arguments: args }
    const rows = placed([
      turnStart(),
      stepStart(),
      append("user/message", user("u", { content: [text(strange)] })),
      event("tool/code-dispatch-start", call),
    ])
    const lines = textOf(through(0, rows)).split("\n")
    expect(lines[4]).toContain('"text":"\\ud83d \\udc00 \u2028"')
    expect(lines[5]).toContain(
      '"arguments":{"__proto__":{"constructor":1},"n":9007199254740992,"s":"\\ud83d',
    )
  })

  it("MI6: keys of a row are in the order of writers, citations in ranges", () => {
    const rows: JsonObject[] = [
      ...placed([
        turnStart(),
        stepStart(),
        append("user/message", user("u1")),
        append("user/message", user("u2")),
        append("user/message", user("u3")),
      ]),
      {
        surfaceOp: { end: 4, start: 2, op: "replace" },
        sourceEventSeqs: [2, 3, 4],
        data: user("u4"),
        time: 5,
        seq: 5,
        type: "user/message",
        ignorable: true,
      },
    ]
    const last = (to: FormatVersion): string | undefined =>
      textOf(through(0, rows, {}, to))
        .trimEnd()
        .split("\n")
        .at(-1)
    const data = JSON.stringify(user("u4"))
    expect(last(1)).toBe(
      `{"type":"user/message","seq":5,"time":5,"data":${data},"sourceEventSeqs":[2,3,4],` +
        '"surfaceOp":{"op":"replace","start":2,"end":4},"ignorable":true}',
    )
    expect(last(2)).toContain('"sourceEventSeqs":[[2,4]],"surfaceOp":{"op":"replace","start":2')
    expect(last(4)).toContain(
      '"seq":6,"time":5,' +
        `"data":${data},` +
        '"sourceEventSeqs":[[3,5]],"surfaceOp":{"op":"replace","startSeq":3,"endSeq":5}',
    )
  })

  it("MI6: citations that do not grow are kept one by one, in their order", () => {
    const three = ["u1", "u2", "u3"].map((id) => append("user/message", user(id)))
    const { rows } = accepted(2, [
      turnStart(),
      stepStart(),
      ...three,
      event("user/message", user("u4"), {
        surfaceOp: { op: "replace", start: 2, end: 4 },
        sourceEventSeqs: [4, 2, 3],
      }),
    ])
    expect(rows.at(-1)?.["sourceEventSeqs"]).toStrictEqual([5, 3, 4])
  })

  it("MI7: seqs are counted anew where they name events of the log, and nowhere else", () => {
    const reference = {
      sessionId: "x",
      label: "l",
      capturedThroughSeq: 5,
      compacted: false,
      originalMessages: 3,
      retainedMessages: 3,
      omittedMessages: 0,
      omittedBytes: 0,
      truncated: false,
      inputIndex: 0,
    }
    const source = {
      kind: "session-reference",
      form: "recall",
      version: 1,
      references: [reference],
    }
    const agent = { runId: "r", seq: 5, label: "l", childId: "c" }
    const inbox = { target: "next-step", start: 3, removedCount: 3, inserted: [] }
    const { rows } = accepted(2, [
      turnStart(),
      stepStart(),
      append("user/message", user("u1")),
      append("user/message", user("u2", { source })),
      event("tool-workflow/agent-start", agent),
      event("agent/inbox/spliced", inbox),
      event("command/run", { commandId: "c", name: "n", source: { kind: "user" } }),
      event("command/done", { commandId: "c", kind: "success", sourceEventSeq: 4 }),
      event("session/title", { title: "t", messageSeqs: [2, 3], source: { kind: "fallback" } }),
    ])
    expect(rows.map(({ data }) => data).slice(4)).toStrictEqual([
      user("u2", { source }),
      agent,
      inbox,
      expect.anything(),
      { commandId: "c", kind: "success", sourceEventSeq: 5 },
      { title: "t", messageSeqs: [3, 4], source: { kind: "fallback" } },
    ])
  })

  it("MI6: a run of many deltas goes through as one row, and becomes one record", () => {
    const count = 300_000
    const texts = Array.from({ length: count }, () => "")
    const dt = Array.from({ length: count - 1 }, () => 0)
    const run = {
      type: "text-chunks",
      seq0: 2,
      time0: 1,
      data: { turn: 1, step: 1, index: 0, dt, texts },
    }
    const answer = append("assistant/message", assistant("a"), [[2, count + 1]])
    const rows = [...placed([turnStart(), stepStart()]), run, ...placed([answer], count + 2)]
    const migrated = through(0, rows)
    expect(migrated.causes).toStrictEqual([])
    const data = migrated.rows.at(-1)?.["data"] as { readonly stream: readonly JsonObject[] }
    expect(data.stream).toHaveLength(1)
    expect(migrated.map.runs).toStrictEqual([
      { oldSeq: 0, newSeq: 0 },
      { oldSeq: 2, newSeq: null },
      { oldSeq: count + 2, newSeq: 3 },
    ])
    expect(readLog(textOf(migrated)).status).toBe("ok")
  })
})

describe("what edges do not look at", () => {
  it("MI41: a replacement of what is gone is no cause; the reader of the new log refuses it", () => {
    const replaced = (id: string, seq: number): JsonObject =>
      event("user/message", user(id), {
        surfaceOp: { op: "replace", start: seq, end: seq },
        sourceEventSeqs: [seq],
      })
    const rows = placed([
      turnStart(),
      stepStart(),
      append("user/message", user("u1")),
      replaced("u2", 2),
      replaced("u3", 2),
    ])
    const migrated = through(0, rows)
    expect(migrated.causes).toStrictEqual([])
    expect(readLog(textOf(migrated)).refusal?.refusal).toStrictEqual({
      code: "endpoint-not-on-surface",
      seq: 5,
      endpoint: 3,
    })
  })
})
