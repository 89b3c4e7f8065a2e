import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { FormatVersion } from "#core/format/format"
import type { BlameRow } from "#core/request/blame-row"
import { cacheCheck } from "#core/request/blame-row"
import {
  addition,
  developerData,
  image,
  removal,
  sessionHeader,
  tool,
} from "../../../properties/arbitraries/dialect.ts"
import type { ToolUpdateOption } from "#core/request/tool-update"
import { blamedIn } from "../../../properties/logged-requests.ts"
import { rightRow } from "../../../properties/carriers.ts"
import type { Draft } from "../surface/events.ts"
import {
  assistant,
  every,
  numbered,
  replacing,
  system,
  toolResult,
  user,
  userWith,
} from "../surface/events.ts"

const turn: Draft = { type: "turn/start", data: { turn: 1 } }
const step = (number: number): Draft => ({ type: "step/start", data: { turn: 1, step: number } })
const end = (number: number): Draft => ({ type: "step/end", data: { turn: 1, step: number } })

interface HeaderWords {
  readonly model?: string
  readonly tools?: readonly JsonObject[]
  readonly system?: string
  readonly reason?: string
  readonly startsSeries?: true
}

const header = (version: FormatVersion, words: HeaderWords): Draft => {
  const { model = "m", tools = [], system: prompt = "p", reason = "change", startsSeries } = words
  const isOld = version < 3
  return {
    type: "request/header",
    data: {
      header: {
        config: { provider: "p", model },
        ...(isOld && { system: prompt }),
        ...((tools.length > 0 || isOld) && { tools }),
      },
      reason,
      ...(startsSeries && { startsSeries }),
    },
  }
}

const developer = (headerSeq: number | undefined, ...blocks: readonly JsonObject[]): Draft => ({
  type: "developer/message",
  data: developerData({ turn: 1, step: 2 }, "d", blocks, headerSeq),
  surfaceOp: "append",
})

/** Requests of a log of two steps: what the first one saw, and what happened before the second. */
const secondOf = (
  version: FormatVersion,
  first: readonly Draft[],
  second: readonly Draft[],
  option: ToolUpdateOption | null = null,
): BlameRow => {
  const rows = numbered([
    ...[turn, step(1), ...first, assistant(version)],
    ...[end(1), step(2), ...second, assistant(version)],
  ])
  // what is asked here is asked of logs that are right
  for (const row of rows) rightRow(version, row)
  const lines = [sessionHeader(version, null), ...rows].map((row) => `${JSON.stringify(row)}\n`)
  const blamed = blamedIn({ version, bytes: Buffer.from(lines.join("")), cuts: null }, option)
  expect(blamed).toHaveLength(2)
  expect(blamed[0]).toMatchObject({ shared: { messages: 0, bytes: 0, tokens: 0 }, break: null })
  const row = blamed[1]
  if (row === undefined) throw new RangeError("no second request")
  return row
}

// turn, step: what comes first stands at seq 2
const firstSeq = 2

describe("the beginning that a request shares with the one before", () => {
  it.each(every)("BL3: format %d: is all of it, where only something came to it", (version) => {
    const begin = [user("12345678"), header(version, { tools: [tool("ls")] })]
    const row = secondOf(version, begin, [user("more")])
    expect(row).toMatchObject({ messageCount: 3, break: null, resentTokens: 0 })
    expect(row.shared.messages).toBe(1)
    // the JSON text of the very message: keys in order, no blanks
    const text =
      '{"content":[{"text":"12345678","type":"text"}],"id":"u","role":"user","source":{"kind":"user"}}'
    expect(row.shared.bytes).toBe(text.length)
    // the text 2 + 4, the message 4; the tools; up to format 2 the prompt, 1 + 4
    const tools = Math.ceil(JSON.stringify([tool("ls")]).length / 4) + 4
    expect(row.shared.tokens).toBe(10 + tools + (version < 3 ? 5 : 0))
  })

  it.each(every)("BL4: format %d: is nothing for another model", (version) => {
    const tools = [tool("ls")]
    const begin = [user("12345678"), header(version, { tools })]
    const row = secondOf(version, begin, [header(version, { model: "n", tools })])
    expect(row.shared).toEqual({ messages: 0, bytes: 0, tokens: 0 })
    expect(row.break).toEqual({
      part: "header",
      messageIndex: null,
      cause: "model-switch",
      seq: 7,
    })
    // tools, prompt and the message are sent once more; the answer is new to the provider
    const [price, prompt] = [Math.ceil(JSON.stringify(tools).length / 4) + 4, version < 3 ? 5 : 0]
    expect(row.resentTokens).toBe(10 + price + prompt)
    // of the header only what stays: not a prompt that changed, and the prompt behind other tools
    const resent = (words: HeaderWords): number =>
      secondOf(version, begin, [header(version, words)]).resentTokens
    expect(resent({ model: "n", tools, system: "q" })).toBe(10 + price)
    expect(resent({ tools: [] })).toBe(10 + prompt)
  })

  it("BL4: other settings of the same model break nothing", () => {
    const again = header(4, {})
    const data = again.data as { readonly header: JsonObject }
    const warmer = { config: { provider: "p", model: "m", temperature: 1 } }
    const row = secondOf(
      4,
      [user(), header(4, {})],
      [{ ...again, data: { ...data, header: warmer } }],
    )
    expect(row.break).toBeNull()
  })

  const [ls, grep] = [tool("ls"), tool("grep")]
  const newLs = { ...ls, description: "is new" }

  it("BL5: a tool that was there and is defined anew breaks it at the tools", () => {
    const begin = [user(), header(4, { tools: [ls] })]
    const row = secondOf(4, begin, [header(4, { tools: [newLs] })])
    expect(row.break).toEqual({
      part: "tools",
      messageIndex: null,
      cause: "tool-definition",
      seq: 7,
    })
  })

  it("BL5: tools that were told in history keep it, unless the provider cannot be told", () => {
    const begin = [user(), header(4, { tools: [ls] })]
    const told = [header(4, { tools: [ls, grep] }), developer(7, addition("grep"))]
    expect(secondOf(4, begin, told).break).toBeNull()
    expect(secondOf(4, begin, told, "in-history").break).toBeNull()
    expect(secondOf(4, begin, told, "addition-only").break).toBeNull()
    const changed = { part: "tools", messageIndex: null, cause: "tools-changed", seq: 7 }
    expect(secondOf(4, begin, told, "none").break).toEqual(changed)
    // an older log has headers alone
    expect(secondOf(4, begin, [header(4, { tools: [ls, grep] })]).break).toEqual(changed)
  })

  it("BL5: a tool that is gone keeps it where that can be told", () => {
    const begin = [user(), header(4, { tools: [ls, grep] })]
    const told = [header(4, { tools: [ls] }), developer(undefined, removal("grep"))]
    expect(secondOf(4, begin, told, "in-history").break).toBeNull()
    expect(secondOf(4, begin, told, "addition-only").break?.cause).toBe("tools-changed")
  })

  it.each([0, 1, 2] as const)("BL6: format %d: another prompt breaks it behind the tools", (v) => {
    const begin = [user(), header(v, { tools: [ls], system: "a" })]
    const row = secondOf(v, begin, [header(v, { tools: [ls], system: "b" })])
    expect(row.break).toEqual({
      part: "system",
      messageIndex: null,
      cause: "system-rewrite",
      seq: 7,
    })
    expect(row.shared).toEqual({
      messages: 0,
      bytes: 0,
      tokens: Math.ceil(JSON.stringify([ls]).length / 4) + 4,
    })
  })

  it.each([3, 4] as const)("BL6: format %d: so does a prompt that was rewritten", (version) => {
    const begin = [system(version, "a"), user(), header(version, {})]
    const rewritten = replacing(version, system(version, "b"), [firstSeq, firstSeq], [firstSeq])
    expect(secondOf(version, begin, [rewritten]).break).toEqual({
      part: "system",
      messageIndex: 0,
      cause: "system-rewrite",
      seq: 8,
    })
    // one that was appended keeps all before it
    expect(secondOf(version, begin, [system(version, "b")]).break).toBeNull()
  })

  it.each(every)("BL7: format %d: a compaction breaks it where it begins", (version) => {
    const checkpoint = {
      id: "k",
      role: "user",
      content: [{ type: "text", text: "in short" }],
      source:
        version === 4
          ? { kind: "compact-checkpoint", compactionId: "c" }
          : { kind: "plugin", plugin: "compact" },
    }
    const begin = [user("kept"), user("long"), user("last"), header(version, {})]
    const summary: Draft = { ...user(), data: checkpoint }
    const row = secondOf(version, begin, [replacing(version, summary, [3, 3], [3])])
    expect(row.break).toEqual({ part: "message", messageIndex: 1, cause: "compaction", seq: 9 })
    expect(row.shared.messages).toBe(1)
    // "last" was sent before, and is sent again behind the summary
    expect(row.resentTokens).toBe(9)
    // several nodes that one takes the place of are a compaction, whoever says so
    const several = secondOf(version, begin, [replacing(version, user("all"), [2, 4], [2, 3, 4])])
    expect(several.break).toMatchObject({ messageIndex: 0, cause: "compaction" })
    // one message in the place of another is none
    const other = secondOf(version, begin, [replacing(version, user("new"), [3, 3], [3])])
    expect(other.break).toEqual({
      part: "message",
      messageIndex: 1,
      cause: "message-rewrite",
      seq: 9,
    })
  })

  it.each(every)("BL7: format %d: a result that was rewritten breaks it there", (version) => {
    const begin = [user(), toolResult(version, "c", "long"), header(version, {})]
    const shorter = replacing(version, toolResult(version, "c", "s"), [3, 3], [3])
    expect(secondOf(version, begin, [shorter]).break).toEqual({
      part: "message",
      messageIndex: 1,
      cause: "tool-result-rewrite",
      seq: 8,
    })
    // the same content once more is the same message
    const same = replacing(version, toolResult(version, "c", "long"), [3, 3], [3])
    expect(secondOf(version, begin, [same]).break).toBeNull()
  })

  it.each([3, 4] as const)("BL7: format %d: so does an image that was put aside", (version) => {
    const begin = [user(), userWith([image(0)]), header(version, {})]
    const offload = { type: "image/offload", data: { targets: [{ seq: 3, imageIndexes: [0] }] } }
    expect(secondOf(version, begin, [offload]).break).toEqual({
      part: "message",
      messageIndex: 1,
      cause: "image-offload",
      seq: 8,
    })
  })

  it("BL8: what a series start tells anew is its own doing, or that of what let it begin", () => {
    const begin = [system(4, "a"), user(), system(4, "b"), header(4, {})]
    const emptied = replacing(4, system(4, ""), [4, 4], [4])
    const rewritten = replacing(4, system(4, "b"), [2, 2], [2])
    const declared = secondOf(4, begin, [emptied, rewritten, header(4, { reason: "series" })])
    expect(declared.break).toEqual({
      part: "system",
      messageIndex: 0,
      cause: "new-series",
      seq: 11,
    })
    const compacted = secondOf(4, begin, [
      replacing(4, user("short"), [3, 3], [3]),
      emptied,
      rewritten,
      header(4, { reason: "series" }),
    ])
    expect(compacted.break).toEqual({
      part: "system",
      messageIndex: 0,
      cause: "message-rewrite",
      seq: 9,
    })
    // tools that were told in history are told at the front of the new series
    const told = [user(), header(4, { tools: [ls] }), header(4, { tools: [ls, grep] })]
    const withGrep = [...told, developer(4, addition("grep"))]
    const series = header(4, { tools: [ls, grep], reason: "series" })
    expect(secondOf(4, withGrep, [series]).break).toEqual({
      part: "tools",
      messageIndex: null,
      cause: "new-series",
      seq: 9,
    })
    // one that says nothing new breaks nothing
    expect(secondOf(4, [user(), header(4, {})], [header(4, { reason: "series" })]).break).toBeNull()
  })
})

describe("reported cache reads", () => {
  const row = (sharedTokens: number, tokens: number, cacheReadTokens: number) => ({
    point: { turn: 1, step: 1, attempt: 1, throughSeq: 1 },
    messageCount: 2,
    tokens,
    shared: { messages: 1, bytes: 1, tokens: sharedTokens },
    break: null,
    resentTokens: 0,
    usage: {
      inputTokens: 10_000 - cacheReadTokens,
      outputTokens: 5,
      cacheReadTokens,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    },
  })

  it("BL9: disagree beyond a quarter of the prompt", () => {
    // half of the prompt is shared: 5000 of the 10000 tokens that were counted
    const check = (cacheReadTokens: number) => cacheCheck(row(500, 1000, cacheReadTokens))
    expect(check(5000)).toEqual({ reportedTokens: 5000, expectedTokens: 5000, disagrees: false })
    expect(check(2500)?.disagrees).toBe(false)
    expect(check(2499)?.disagrees).toBe(true)
    expect(check(7500)?.disagrees).toBe(false)
    expect(check(7501)?.disagrees).toBe(true)
  })

  it("BL9: disagree by more than 1024 tokens, however short the prompt", () => {
    const short = {
      ...row(500, 1000, 0),
      usage: { ...row(500, 1000, 0).usage, inputTokens: 2048 },
    }
    expect(cacheCheck(short)).toEqual({
      reportedTokens: 0,
      expectedTokens: 1024,
      disagrees: false,
    })
    expect(cacheCheck({ ...short, usage: { ...short.usage, inputTokens: 2050 } })?.disagrees).toBe(
      true,
    )
  })

  it("BL9: are not compared where none were reported", () => {
    expect(cacheCheck({ ...row(1, 2, 0), usage: null })).toBeNull()
  })
})
