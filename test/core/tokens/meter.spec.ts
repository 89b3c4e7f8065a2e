import { isLeft } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import type { Measurement } from "#core/tokens/measure"
import { measure } from "#core/tokens/measure"
import type { RoutePricing } from "#core/tokens/media"
import type { MeterState } from "#core/tokens/meter"
import { noMeter, stepMeter } from "#core/tokens/meter"
import { image } from "../../../properties/arbitraries/dialect.ts"
import type { Draft } from "../surface/events.ts"
import { leftOf, note, rightOf, system, toolResult, user, userWith } from "../surface/events.ts"
import { answer, frozen, headerOf, lastOf, newPrompt, priced, summed } from "./token-events.ts"

const metersOf = (drafts: readonly Draft[]): readonly MeterState[] => {
  const meters = [noMeter(headerOf())]
  for (const event of priced(drafts)) {
    const next = stepMeter(lastOf(meters), frozen(event))
    if (isLeft(next)) throw new RangeError(JSON.stringify(next.left))
    meters.push(next.right)
  }
  return meters
}

const measured = (drafts: readonly Draft[], pricing?: RoutePricing): Measurement =>
  rightOf(measure(lastOf(metersOf(drafts)), null, pricing))

const refusalAfter = (drafts: readonly Draft[]): unknown =>
  leftOf(stepMeter(lastOf(metersOf(drafts.slice(0, -1))), lastOf(priced(drafts))))

const stepStart = (step = 1): Draft => ({ type: "step/start", data: { turn: 1, step } })
const stepEnd = (step = 1): Draft => ({ type: "step/end", data: { turn: 1, step } })

// [{"name":"ls","description":"lists a folder of files","parameters":{"type":"object"}}] is 85 units:
// 22 + 4 tokens
const tools = [
  { name: "ls", description: "lists a folder of files", parameters: { type: "object" } },
]
const toolsPrice = 26

const header = (model = "m", given: readonly JsonObject[] = tools): JsonObject => ({
  config: { provider: "p", model },
  ...(given.length > 0 ? { tools: given } : {}),
})

const headerEvent = (value: JsonObject): Draft => ({
  type: "request/header",
  data: { header: value, reason: "initial" },
})

const textStream = (...texts: string[]): JsonArray => [
  { type: "text-chunks", time0: 1, index: 0, dt: texts.slice(1).map(() => 1), texts },
]

/** An answer whose stream says something else than what the log keeps of it. */
const streamed = (words: string, usage: JsonObject | null, stream: JsonArray): Draft => {
  const { data, ...rest } = answer(words, usage)
  return { ...rest, data: { ...(data as JsonObject), stream } }
}

const usageOf = (total: number): JsonObject => ({ inputTokens: total - 2, outputTokens: 2 })

// 7 + 11 tokens, the tools, and an answer of 1+4+4
const asked = [system(4, "Be brief."), user("hello world!"), headerEvent(header()), stepStart()]
const estimate = toolsPrice + 18 + 9

describe("measuring", () => {
  it("TK15: an empty session is nothing", () => {
    expect(measured([note])).toEqual({
      logRevision: 1,
      baseline: { kind: "none", tokens: 0 },
      surfaceDeltaTokens: 0,
      totalTokens: 0,
      surfaceTokens: 0,
      nodes: [],
    })
  })

  it("TK15: before any answer it is an estimate of tools and surface", () => {
    expect(measured(asked)).toEqual({
      logRevision: 4,
      baseline: { kind: "estimated", tokens: toolsPrice + 18 },
      surfaceDeltaTokens: 0,
      totalTokens: toolsPrice + 18,
      surfaceTokens: 18,
      nodes: [
        { seq: 0, tokens: 7, heuristicTokens: 7 },
        { seq: 1, tokens: 11, heuristicTokens: 11 },
      ],
    })
  })

  it("TK16: a reported call is what the total starts from", () => {
    const drafts = [...asked, streamed("ok", usageOf(60), textStream("o", "k"))]
    const usage = {
      inputTokens: 58,
      outputTokens: 2,
      cacheReadTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
    }
    expect(measured(drafts)).toMatchObject({
      baseline: { kind: "usage", tokens: 60, usage },
      surfaceDeltaTokens: 0,
      totalTokens: 60,
    })
    // a tool result of 30 units: 8+4+4
    const more = [...drafts, toolResult(4, "c", "x".repeat(30))]
    expect(measured(more)).toMatchObject({ surfaceDeltaTokens: 16, totalTokens: 76 })
  })

  it("TK16: every bucket of the call counts, and reasoning but once", () => {
    const usage = {
      inputTokens: 10,
      cacheReadTokens: 40,
      cacheWriteTokens: 5,
      outputTokens: 7,
      reasoningTokens: 6,
      totalTokens: 999,
    }
    expect(measured([...asked, streamed("ok", usage, textStream("ok"))]).baseline.tokens).toBe(62)
  })

  it("TK17: a report below the estimate is not believed", () => {
    expect(measured([...asked, streamed("ok", usageOf(50), textStream("ok"))])).toMatchObject({
      baseline: { kind: "estimated", tokens: estimate },
      totalTokens: estimate,
    })
    const exact = streamed("ok", usageOf(estimate), textStream("ok"))
    expect(measured([...asked, exact]).baseline.kind).toBe("usage")
  })

  it("TK18: an answer that was rewritten before it was logged is a difference", () => {
    // 22 units cost 6+4+4 instead of 9
    const drafts = [...asked, streamed("x".repeat(22), usageOf(60), textStream("ok"))]
    expect(measured(drafts)).toMatchObject({ surfaceDeltaTokens: 5, totalTokens: 65 })
  })

  it("TK18: what was compacted since is taken off, never below nothing", () => {
    const drafts = [
      ...asked,
      streamed("ok", usageOf(60), textStream("ok")),
      summed([1, 4], "", [1, 4]),
    ]
    expect(measured(drafts)).toMatchObject({ surfaceDeltaTokens: 4 - 20, totalTokens: 44 })
    const large = [
      user("x".repeat(4_000)),
      headerEvent(header("m", [])),
      stepStart(),
      streamed("ok", null, []),
      summed([0, 3], "", [0, 3]),
    ]
    expect(measured(large).totalTokens).toBe(4)
  })

  it("TK18: without a header an answer anchors an estimate of what the log keeps", () => {
    const drafts = [user("hello world!"), stepStart(), streamed("ok", usageOf(500), textStream(""))]
    expect(measured(drafts)).toMatchObject({
      baseline: { kind: "estimated", tokens: 20 },
      totalTokens: 20,
    })
  })

  it("TK19: other tools or another model give the anchor up, a new prompt does not", () => {
    const drafts = [...asked, streamed("ok", usageOf(60), textStream("ok"))]
    expect(measured([...drafts, headerEvent(header())]).totalTokens).toBe(60)
    expect(measured([...drafts, newPrompt(0, "")]).totalTokens).toBe(53)
    expect(measured([...drafts, headerEvent(header("other"))])).toMatchObject({
      baseline: { kind: "estimated", tokens: toolsPrice + 27 },
      surfaceDeltaTokens: 0,
    })
    expect(measured([...drafts, headerEvent(header("m", []))]).totalTokens).toBe(27)
  })

  it("TK19: the header of the request to come may be given", () => {
    const meter = lastOf(metersOf([...asked, streamed("ok", usageOf(60), textStream("ok"))]))
    expect(rightOf(measure(meter, { ...header(), adapterDefaults: {} })).totalTokens).toBe(60)
    expect(rightOf(measure(meter, header("other"))).totalTokens).toBe(toolsPrice + 27)
  })

  it("TK18: older meters stay as they were", () => {
    const drafts = [...asked, streamed("ok", usageOf(60), textStream("ok")), user("hi")]
    const meters = metersOf(drafts)
    const totals = meters.map((meter) => rightOf(measure(meter)).totalTokens)
    expect(totals).toEqual([0, 7, 18, 44, 44, 60, 69])
  })
})

describe("steps of a meter", () => {
  it("TK20: steps do not overlap, end as they began, and hold their answers", () => {
    const openStep = { turn: 1, step: 1 }
    expect(refusalAfter([stepStart(), stepStart(2)])).toEqual({
      code: "meter-step-open",
      seq: 1,
      openStep,
    })
    expect(refusalAfter([stepStart(), stepEnd(2)])).toEqual({
      code: "meter-step-unmatched",
      seq: 1,
      openStep,
    })
    expect(refusalAfter([stepEnd()])).toEqual({
      code: "meter-step-unmatched",
      seq: 0,
      openStep: null,
    })
    expect(refusalAfter([answer("ok", null)])).toMatchObject({ code: "meter-step-unmatched" })
    expect(metersOf([stepStart(), answer("ok", null), stepEnd(), stepStart(2)])).toHaveLength(5)
  })

  it("TK20: a range that is not on the surface is refused", () => {
    expect(refusalAfter([user(), user(), summed([1, 0], "", [0, 1])])).toMatchObject({
      code: "range-reversed",
    })
  })
})

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

describe("prices of a route", () => {
  const images = [image(0), image(1)] as const
  // {"type":"image","attachment":{"attachmentId":"image-0","mediaType":"image/png","bytes":10,
  // "width":4,"height":3}} is 112 units: 28 + 4 tokens
  const imagePrice = 32

  const perImage = (visualTokens: number, text: string): RoutePricing => ({
    imagePrices: (all) => all.map(() => ({ visualTokens, text })),
    fileText: null,
  })

  it("TK22: images cost what the route says, with their text; heuristic figures stay", () => {
    expect(JSON.stringify(images[0]).length).toBe(112)
    const drafts = [userWith([images[0], { type: "text", text: "hello world!" }]), user("hi")]
    const plain = measured(drafts)
    expect(plain.nodes[0]).toEqual({ seq: 0, tokens: imagePrice + 11, heuristicTokens: 43 })
    // 1000 + c(5) + 4
    const { nodes, surfaceTokens } = measured(drafts, perImage(1_000, "a cat"))
    expect(nodes).toEqual([
      { seq: 0, tokens: 1_006 + 11, heuristicTokens: 43 },
      { seq: 1, tokens: 9, heuristicTokens: 9 },
    ])
    expect(surfaceTokens).toBe(1_026)
  })

  it("TK22: they are priced at once, in surface order", () => {
    const seen: string[][] = []
    const pricing: RoutePricing = {
      imagePrices: (all) => {
        seen.push(all.map((each) => String((each["attachment"] as JsonObject)["attachmentId"])))
        return all.map((_, i) => ({ visualTokens: (i + 1) * 100, text: "" }))
      },
      fileText: null,
    }
    const drafts = [
      userWith([images[0]]),
      userWith([images[1]]),
      { ...userWith([image(7)]), ...summed([0, 0], "", [0]), data: userWith([image(7)]).data },
    ]
    // each image costs its price + 4, each message 4
    expect(measured(drafts, pricing).nodes.map((node) => node.tokens)).toEqual([108, 208])
    expect(seen).toEqual([["image-7", "image-1"]])
    expect(measured([user("hi")], pricing).surfaceTokens).toBe(9)
    expect(seen).toHaveLength(1)
  })

  it("TK22: as many prices as images, or none at all", () => {
    const meter = lastOf(metersOf([userWith([...images])]))
    const pricing = { imagePrices: () => [{ visualTokens: 1, text: "" }], fileText: null }
    expect(leftOf(measure(meter, null, pricing))).toEqual({
      code: "image-prices",
      imageCount: 2,
      priceCount: 1,
    })
  })

  it("TK22: the anchor is priced by the same route", () => {
    const drafts = [
      userWith([images[0]]),
      headerEvent(header("m", [])),
      stepStart(),
      streamed("ok", usageOf(5_000), textStream("ok")),
      user("hi"),
    ]
    expect(measured(drafts, perImage(1_000, ""))).toMatchObject({
      baseline: { kind: "usage", tokens: 5_000 },
      surfaceDeltaTokens: 9,
      totalTokens: 5_009,
    })
    // 1004 + 4 + 9 is more than was reported
    const low = [...drafts.slice(0, 3), streamed("ok", usageOf(900), textStream("ok"))]
    expect(measured(low, perImage(1_000, "")).baseline).toEqual({
      kind: "estimated",
      tokens: 1_017,
    })
  })

  it("TK23: files cost the text that stands for them", () => {
    // {"type":"file","name":"a"} is 26 units: 7 + 4
    const file = { type: "file", name: "a" }
    const pricing: RoutePricing = {
      imagePrices: null,
      fileText: (block) => `${String(block["name"])}${"x".repeat(39)}`,
    }
    const drafts = [userWith([file, images[0]])]
    expect(measured(drafts).surfaceTokens).toBe(11 + imagePrice + 4)
    expect(measured(drafts, pricing).surfaceTokens).toBe(14 + imagePrice + 4)
  })

  it("TK24: an offloaded image shows to the route, and to no earlier anchor", () => {
    const pricing: RoutePricing = {
      imagePrices: (all) =>
        all.map((each) => ({ visualTokens: each["offloaded"] === true ? 0 : 1_000, text: "" })),
      fileText: null,
    }
    const drafts = [
      userWith([...images]),
      headerEvent(header("m", [])),
      stepStart(),
      streamed("ok", usageOf(5_000), textStream("ok")),
      { type: "image/offload", data: { targets: [{ seq: 0, imageIndexes: [1] }] } },
    ]
    expect(measured(drafts, pricing)).toMatchObject({
      surfaceDeltaTokens: -1_000,
      totalTokens: 4_000,
    })
    expect(measured(drafts)).toMatchObject({ surfaceDeltaTokens: 0, totalTokens: 5_000 })
  })
})
