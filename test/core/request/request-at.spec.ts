import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { RequestAt } from "#core/request/request-at"
import { firstDifference, requestDiff } from "#core/request/request-diff"
import { HeaderWalk, systemInEffect } from "#core/request/logged-request"
import { addition, developerData, removal } from "../../../properties/arbitraries/dialect.ts"
import { schema } from "./agent.ts"

const config = { provider: "p", model: "m" }
const [a, b] = [schema("a"), schema("b")]

const message = (role: string, ...texts: readonly string[]): JsonObject => ({
  id: role,
  role,
  content: texts.map((text) => ({ type: "text", text })),
})

describe("the prompt in effect", () => {
  it("RQ6: is the text of the latest system message, or of the header", () => {
    expect(systemInEffect(null, [])).toBeNull()
    expect(systemInEffect({ system: "" }, [message("user", "x")])).toBeNull()
    expect(systemInEffect({ system: "be brief" }, [message("user", "x")])).toBe("be brief")
    const messages = [message("system", "a"), message("user", "x"), message("system", "b", "c")]
    expect(systemInEffect({}, messages)).toBe("bc")
  })

  it("RQ6: one without text overrides none, and other blocks are no text", () => {
    const first = message("system", "a")
    expect(systemInEffect({}, [first, message("system", "")])).toBe("a")
    const noText = { ...message("system"), content: [{ type: "reasoning", text: "b" }] }
    expect(systemInEffect({}, [first, noText])).toBe("a")
    expect(systemInEffect({}, [noText])).toBeNull()
  })
})

describe("what headers and updates say of requests", () => {
  it("RQ8: each is read once, and once more what an addition names of an older header", () => {
    const payloads: readonly JsonObject[] = [
      { header: { config, tools: [a] }, reason: "initial" },
      { header: { config, tools: [a, b] }, reason: "change" },
      developerData({ turn: 1, step: 1 }, "d1", [addition("b")], 1),
      { header: { config, tools: [a] }, reason: "change" },
      developerData({ turn: 1, step: 1 }, "d2", [removal("b")]),
      { header: { config, tools: [a, b] }, reason: "change" },
      developerData({ turn: 1, step: 1 }, "d3", [addition("b")], 1),
    ]
    const read: number[] = []
    const walk = new HeaderWalk(
      payloads.map((data, seq) => ({
        seq,
        isHeader: "header" in data,
        byteOffset: seq,
        byteLength: 1,
      })),
      ({ seq }) => {
        read.push(seq)
        return payloads[seq] ?? null
      },
    )
    const updates = payloads.map((_, seq) => walk.through(seq, seq - 1).toolHistory.updates.length)
    expect(updates).toEqual([0, 0, 1, 0, 2, 0, 3])
    expect(walk.through(Infinity, 6)).toMatchObject({
      headerSeq: 5,
      reason: "unchanged",
      toolHistory: {
        tools: [a],
        updates: [{ additions: [b] }, { additions: [] }, { additions: [b] }],
      },
    })
    expect(read).toEqual([0, 1, 2, 3, 4, 5, 6, 1])
  })
})

const request = (header: JsonObject, messages: readonly JsonObject[]): RequestAt => ({
  point: null,
  throughSeq: 1,
  header,
  headerSeq: 0,
  reason: "unchanged",
  startsSeries: false,
  toolHistory: { tools: [], updates: [] },
  system: null,
  tools: (header["tools"] ?? []) as readonly JsonObject[],
  messages,
  tokens: { system: 0, tools: 0, messages: 0, total: 0 },
})

describe("where two requests part", () => {
  const parts = (x: RequestAt, y: RequestAt): readonly unknown[] => {
    const { part, messageIndex, difference } = requestDiff(x, y)
    return [part, messageIndex, difference?.pointer ?? null]
  }
  const hello = message("user", "hello")

  it("RQ7: is the first part that differs, and the place in it", () => {
    const base = request({ config, system: "s", tools: [a] }, [hello])
    expect(parts(base, base)).toEqual([null, null, null])
    const warm = { config: { ...config, temperature: 1 }, system: "t", tools: [b] }
    expect(parts(base, request(warm, []))).toEqual(["header", null, "/config/temperature"])
    const tools = request({ config, system: "t", tools: [a, b] }, [])
    expect(parts(base, tools)).toEqual(["tools", null, "/1"])
    expect(requestDiff(base, tools).addedTools).toEqual(["b"])
    expect(requestDiff(tools, base).removedTools).toEqual(["b"])
    const changed = request({ config, system: "s", tools: [schema("a", "new")] }, [hello])
    expect(parts(base, changed)).toEqual(["tools", null, "/0/description"])
    expect(requestDiff(base, changed).changedTools).toEqual(["a"])
    expect(parts(base, request({ config, system: "t", tools: [a] }, []))).toEqual([
      "system",
      null,
      "",
    ])
    const other = request({ config, system: "s", tools: [a] }, [message("user", "hallo")])
    expect(parts(base, other)).toEqual(["message", 0, "/content/0/text"])
    const longer = request({ config, system: "s", tools: [a] }, [hello, message("system", "x")])
    expect(parts(base, longer)).toEqual(["system", 1, ""])
    expect(requestDiff(base, longer)).toMatchObject({
      sharedMessages: 1,
      // {"content":[{"text":"hello","type":"text"}],"id":"user","role":"user"}
      sharedBytes: 70,
      removedMessages: 0,
      addedMessages: 1,
    })
  })

  it("RQ7: tells all fields of the config that differ", () => {
    const before = request({ config: { ...config, maxTokens: 5 } }, [])
    const after = request({ config: { provider: "p", model: "n", temperature: 0 } }, [])
    expect(requestDiff(before, after).config).toEqual([
      { pointer: "/maxTokens", before: 5, after: undefined },
      { pointer: "/model", before: "m", after: "n" },
      { pointer: "/temperature", before: undefined, after: 0 },
    ])
  })

  it.each<[JsonValue, JsonValue, string | null]>([
    [1, 1, null],
    [1, "1", ""],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, null],
    [{ b: 1, a: 1 }, { b: 2, a: 2 }, "/a"],
    [{ "x/y~": [1, { z: null }] }, { "x/y~": [1, { z: false }] }, "/x~1y~0/1/z"],
    [[1], [1, 2], "/1"],
    [[1], { 0: 1 }, ""],
    [{ a: {} }, {}, "/a"],
  ])("RQ7: %j and %j differ first at %j", (x, y, pointer) => {
    expect(firstDifference(x, y)?.pointer ?? null).toBe(pointer)
    expect(firstDifference(y, x)?.pointer ?? null).toBe(pointer)
  })
})
