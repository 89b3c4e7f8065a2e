import { describe, expect, it } from "vitest"
import type { JsonArray, JsonObject } from "#core/data/json"
import type { SurfaceKind } from "#core/format/surface-kind"
import { surfaceKind } from "#core/format/surface-kind"
import type { TextCount } from "#core/tokens/tokenizer"
import { messageCount, textCount } from "#core/tokens/tokenizer"

const { user, assistant, toolResult, system } = surfaceKind

/** The texts that a message is counted by, and whether they are all there is. */
const textsOf = (kind: SurfaceKind, ...content: JsonArray): readonly [string[], boolean] => {
  const texts: string[] = []
  const count = (text: string): number => texts.push(text)
  return [texts, messageCount(count, kind, { content }).isExact]
}

const text = (words: string): JsonObject => ({ type: "text", text: words })

describe("texts of a message", () => {
  it("TZ2: are text and reasoning, the name and the arguments of a call, each by itself", () => {
    const call = { type: "tool-call", id: "c", name: "ls", arguments: '{"a":1}' }
    expect(
      textsOf(assistant, { type: "reasoning", text: "so" }, text("a b"), text(""), call),
    ).toEqual([["so", "a b", "", "ls", '{"a":1}'], true])
  })

  it("TZ2: are those inside a tool result, and those of a flat one", () => {
    const nested = { type: "tool-result", callId: "c", content: [text("a"), text("b")] }
    expect(textsOf(toolResult, nested)).toEqual([["a", "b"], true])
    expect(textsOf(toolResult, text("a"))).toEqual([["a"], true])
    expect(textsOf(toolResult, { type: "tool-result", callId: "c" })).toEqual([[], true])
  })

  it("TZ2: a system message is one text; an empty one is none", () => {
    expect(textsOf(system, text("You "), text("are."))).toEqual([["You are."], true])
    expect(textsOf(system)).toEqual([[], true])
    expect(textsOf(assistant)).toEqual([[], true])
    expect(textsOf(system, text("a"), { type: "x" })).toEqual([['a{"type":"x"}'], false])
  })

  it("TZ2 TZ3: any other block is its JSON without its mark, and no count of it is exact", () => {
    const image = { type: "image", attachment: { attachmentId: "i" } }
    const json = '{"type":"image","attachment":{"attachmentId":"i"}}'
    expect(textsOf(user, { ...image, offloaded: true }, text("b"))).toEqual([[json, "b"], false])
    const nested = { type: "tool-result", callId: "c", content: [image] }
    expect(textsOf(toolResult, nested)).toEqual([[json], false])
    expect(textsOf(user, "loose")).toEqual([['"loose"'], false])
  })
})

const lengths = { wanted: 4, longest: 10 }

const slicesOf = (whole: string): readonly [string[], TextCount] => {
  const slices: string[] = []
  const counted = textCount(
    (slice) => {
      slices.push(slice)
      return slice.length
    },
    whole,
    lengths,
  )
  return [slices, counted]
}

describe("long texts", () => {
  it("TZ6: are cut behind a letter and before a space, a quote, a comma or a full stop", () => {
    expect(slicesOf("abcdefghij")[0]).toEqual(["abcdefghij"])
    expect(slicesOf("abcdef ghijklmno")).toEqual([
      ["abcdef", " ghijklmno"],
      { tokens: 16, isExact: true },
    ])
    for (const stop of ["\n", '"', ",", ".", "，", "。"])
      expect(slicesOf(`12345六${stop}12345`)[0]).toEqual(["12345六", `${stop}12345`])
    // behind a digit, a mark or a dash anything may go on
    expect(slicesOf("12345 6789012")[1].isExact).toBe(false)
  })

  it("TZ6: are cut where they become too long, between characters, and are not exact then", () => {
    expect(slicesOf("1".repeat(25))).toEqual([
      ["1".repeat(10), "1".repeat(10), "1".repeat(5)],
      { tokens: 25, isExact: false },
    ])
    expect(slicesOf(`${"1".repeat(9)}😀11`)[0]).toEqual(["1".repeat(9), "😀11"])
    // a letter of two units stays whole
    expect(slicesOf("12345𝐀 1234")[0]).toEqual(["12345𝐀", " 1234"])
  })

  it("TZ6: are whole up to 128 Ki code units", () => {
    let slices = 0
    const count = (): number => ++slices
    textCount(count, "ab ".repeat(43_690))
    expect(slices).toBe(1)
    textCount(count, "ab ".repeat(43_692))
    expect(slices).toBeGreaterThan(2)
  })
})
