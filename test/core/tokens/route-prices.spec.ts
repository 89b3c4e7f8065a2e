import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { measure } from "#core/tokens/measure"
import type { RoutePricing } from "#core/tokens/media"
import { image } from "../../../properties/arbitraries/dialect.ts"
import { leftOf, user, userWith } from "../surface/events.ts"
import {
  header,
  headerEvent,
  measured,
  metersOf,
  stepStart,
  streamed,
  textStream,
  usageOf,
} from "./meter-log.ts"
import { lastOf, summed } from "./token-events.ts"

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
        seen.push(
          all.map((each) => JSON.stringify((each["attachment"] as JsonObject)["attachmentId"])),
        )
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
    expect(seen).toEqual([['"image-7"', '"image-1"']])
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
      fileText: (block) => JSON.stringify(block["name"]) + "x".repeat(37),
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
