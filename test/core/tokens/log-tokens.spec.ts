import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { logOf, readLog } from "../../fixtures/log-in-memory.ts"

/** A log of these rows, numbered in their order. */
const numbered = (version: number, rows: readonly JsonObject[]): string =>
  logOf(version, ...rows.map((row, seq) => ({ ...row, seq, time: 1 })))

const tokensOf = (version: number, ...rows: readonly JsonObject[]): unknown => {
  const read = readLog(numbered(version, rows))
  expect(read).toMatchObject({ status: "ok" })
  return read.tokens
}

const append = { surfaceOp: "append" }

const user = (...content: JsonObject[]): JsonObject => ({
  type: "user/message",
  data: { id: "u", role: "user", content, source: { kind: "user" } },
  ...append,
})
const text = (value: string): JsonObject => ({ type: "text", text: value })

const system = (value: string, more: JsonObject = append): JsonObject => ({
  type: "system/message",
  data: {
    turn: 1,
    step: 1,
    message: {
      id: "s",
      role: "system",
      source: { kind: "system-prompt" },
      content: value === "" ? [] : [text(value)],
    },
  },
  ...more,
})

const header = (fields: JsonObject): JsonObject => ({
  type: "request/header",
  data: { header: { config: { provider: "p", model: "m" }, ...fields }, reason: "initial" },
})

// `[{"name":"ls","parameters":{}}]` has 31 units: 8 + 4
const tools = [{ name: "ls", parameters: {} }]

describe("the price of a surface", () => {
  it.each([0, 1, 2])("K9: format %d: the system text is that of the latest header", (version) => {
    expect(tokensOf(version, user(text("list")))).toStrictEqual({
      system: 0,
      tools: 0,
      messages: 9,
      total: 9,
    })
    const first = header({ system: "Be brief.", tools })
    expect(tokensOf(version, first, user(text("list")))).toStrictEqual({
      system: 7,
      tools: 12,
      messages: 9,
      total: 28,
    })
    expect(tokensOf(version, first, user(text("list")), header({ system: "x" }))).toStrictEqual({
      system: 5,
      tools: 0,
      messages: 9,
      total: 14,
    })
    expect(tokensOf(version, first, header({}))).toMatchObject({ system: 0, total: 0 })
  })

  it("K10: format 4: the system text is the last system node that is not empty", () => {
    const rows = [system("Be brief."), user(text("list")), header({ tools })]
    expect(tokensOf(4, ...rows)).toStrictEqual({ system: 7, tools: 12, messages: 9, total: 28 })
    expect(tokensOf(4, ...rows, system(""))).toMatchObject({ system: 7, messages: 9 })
    expect(tokensOf(4, system(""), user(text("list")))).toStrictEqual({
      system: 0,
      tools: 0,
      messages: 9,
      total: 9,
    })
  })

  it("K10: format 4: an earlier system node is a message like any other", () => {
    // "Be very brief." has 14 units: 4 + 4
    expect(tokensOf(4, system("Be brief."), user(), system("Be very brief."))).toStrictEqual({
      system: 8,
      tools: 0,
      messages: 11,
      total: 19,
    })
  })

  it("K10: format 4: once the last one is emptied, the one before is in effect", () => {
    const emptied = system("", {
      surfaceOp: { op: "replace", startSeq: 2, endSeq: 2 },
      sourceEventSeqs: [2],
    })
    expect(
      tokensOf(4, system("Be brief."), user(), system("Be very brief."), emptied),
    ).toStrictEqual({ system: 7, tools: 0, messages: 4, total: 11 })
  })

  it("K11: a node that was replaced costs nothing any more", () => {
    const short = {
      ...user(text("x")),
      surfaceOp: { op: "replace", start: 0, end: 1 },
      sourceEventSeqs: [0, 1],
    }
    expect(tokensOf(0, user(text("hello world!")), user(text("list")), short)).toStrictEqual({
      system: 0,
      tools: 0,
      messages: 9,
      total: 9,
    })
  })

  it("K11: events off the surface cost nothing", () => {
    const mode = { type: "plan/mode", data: { active: true } }
    expect(tokensOf(0, user(text("list")), mode)).toMatchObject({ messages: 9, total: 9 })
  })

  it("K12: the price is that of the logged message, whatever a projection made of it", () => {
    const image = {
      type: "image",
      attachment: {
        attachmentId: "a",
        mediaType: "image/png",
        bytes: 1,
        width: 1,
        height: 1,
      },
    }
    const offload = {
      type: "image/offload",
      data: { targets: [{ seq: 0, imageIndexes: [0] }] },
    }
    // 105 units of JSON: 27 + 4, role 4
    expect(JSON.stringify(image).length).toBe(105)
    const whole = { system: 0, tools: 0, messages: 35, total: 35 }
    expect(tokensOf(4, user(image))).toStrictEqual(whole)
    expect(tokensOf(4, user(image), offload)).toStrictEqual(whole)
    const read = readLog(numbered(4, [user(image), offload]))
    expect(read.messages[0]?.["content"]).toStrictEqual([{ ...image, offloaded: true }])
  })
})
