import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { surfaceKind } from "#core/format/surface-kind"
import type { SurfaceKind } from "#core/format/surface-kind"
import { headerSystemTokens, messageTokens, toolsTokens } from "#core/tokens/estimate"

const { system, developer, user, assistant, toolResult } = surfaceKind

const text = (value: string): JsonObject => ({ type: "text", text: value })
const price = (kind: SurfaceKind, ...content: JsonValue[]): number =>
  messageTokens(kind, { id: "m", role: "any", source: { kind: "any" }, content })

/** The length of a text must be what the arithmetic beside it says. */
const sized = <A extends JsonValue>(value: A, length: number): A => {
  expect(JSON.stringify(value).length).toBe(length)
  return value
}

const image = (): JsonObject =>
  sized({ type: "image", attachment: { attachmentId: "0123456789abcdef" } }, 65)

describe("user, assistant and developer messages", () => {
  it.each([
    // units of UTF-16: 12, 5, 6, 0, 1, 4, 5
    ["hello world!", 11],
    ["你好世界吗", 10],
    ["😀😀😀", 10],
    ["", 8],
    ["x", 9],
    ["list", 9],
    ["lists", 10],
    ["\ud800", 9],
  ])("K1: the text %j costs %d with its block and its role", (value, tokens) => {
    expect(price(user, text(value))).toBe(tokens)
    expect(price(assistant, text(value))).toBe(tokens)
    expect(price(developer, text(value))).toBe(tokens)
    expect(price(toolResult, text(value))).toBe(tokens)
  })

  it("K1: reasoning costs what text costs", () => {
    expect(price(assistant, { type: "reasoning", text: "hello world!" })).toBe(11)
  })

  it("K1: every piece is rounded up by itself", () => {
    // 1+4, 1+4, role 4
    expect(price(user, text("x"), text("y"))).toBe(14)
  })

  it("K1: an empty message costs its role where a message comes of it", () => {
    expect(price(user)).toBe(4)
    expect(price(toolResult)).toBe(4)
    expect(price(assistant)).toBe(0)
    expect(price(developer)).toBe(0)
    expect(price(system)).toBe(0)
  })

  it("K2: a tool call costs its name and its arguments, not its id", () => {
    const call = {
      type: "tool-call",
      id: "a-rather-long-id",
      name: "ls",
      arguments: '{"a":"bcdef"',
    }
    expect(call.arguments.length).toBe(12)
    // text 1+4, call 1+3+4, role 4
    expect(price(assistant, text("ok"), call)).toBe(17)
    expect(price(assistant, { ...call, name: "", arguments: "" })).toBe(8)
    expect(price(assistant, { ...call, name: "lists", arguments: "{}" })).toBe(11)
  })

  it("K2: a tool result of 30 units costs 16", () => {
    expect(price(toolResult, text("x".repeat(30)))).toBe(16)
  })
})

describe("other blocks", () => {
  it("K3: an image costs its JSON text, without the mark of an offloaded one", () => {
    // 4 + 17, role 4
    expect(price(user, image())).toBe(25)
    expect(price(user, { ...image(), offloaded: true })).toBe(25)
    expect(price(user, { offloaded: true, ...image() })).toBe(25)
    expect(price(user, { ...image(), note: 1 })).toBe(27)
  })

  it("K3: the mark is free on images alone, and at the block itself alone", () => {
    expect(price(user, sized({ type: "chart", offloaded: true }, 33))).toBe(17)
    const inside = { type: "image", attachment: { offloaded: true } }
    expect(price(user, sized(inside, 48))).toBe(20)
  })

  it.each<[JsonObject, number, number]>([
    [{ type: "chart" }, 16, 12],
    [{ type: "file", attachment: { attachmentId: "a", name: "b", bytes: 0 } }, 70, 26],
    [{ type: "tool-addition", toolName: "ls" }, 40, 18],
    // keys as stored, no spaces; a line feed is two units of JSON, a lone surrogate six
    [{ b: 1, type: "x", a: "\n" }, 27, 15],
    [{ type: "x", a: "\ud800" }, 25, 15],
  ])(
    "K4: the block %j has %d units of JSON and costs %d with its role",
    (block, length, tokens) => {
      expect(price(user, sized(block, length))).toBe(tokens)
    },
  )

  it("K4: what should be a text and is none has no length", () => {
    expect(price(user, { type: "text", text: 1 })).toBe(8)
    expect(price(user, { type: "tool-call", name: null })).toBe(8)
    expect(price(user, "bare")).toBe(10)
  })
})

describe("tool results as blocks", () => {
  const result = (...content: JsonValue[]): JsonObject => ({
    type: "tool-result",
    toolCallId: "a-rather-long-id",
    isError: true,
    content,
  })

  it("K5: the block costs 4 around its content, not its id and its flag", () => {
    // 8+4, block 4, role 4
    expect(price(toolResult, result(text("x".repeat(30))))).toBe(20)
    // 2+4, block 4, role 4
    expect(price(toolResult, result(text("a.txt")))).toBe(14)
    expect(price(toolResult, result())).toBe(8)
    expect(price(toolResult, result(text("x"), image()))).toBe(34)
  })

  it("K5: a result in a result costs 4 more", () => {
    expect(price(toolResult, result(result(text("x"))))).toBe(17)
  })

  it("K5: a content that is no list costs nothing", () => {
    expect(price(toolResult, { type: "tool-result", content: "x" })).toBe(8)
  })
})

describe("system messages", () => {
  it.each([
    ["Be brief.", 7],
    ["x", 5],
    ["", 4],
  ])("K6: the text %j costs %d: no block, one role", (value, tokens) => {
    expect(price(system, text(value))).toBe(tokens)
  })

  it("K6: lengths are summed before they are rounded", () => {
    expect(price(system, text("abc"), text("de"))).toBe(6)
    expect(price(system, text("x"), text("y"), text("z"), text(""))).toBe(5)
  })

  it("K6: any other block counts with its JSON text", () => {
    const reasoning = sized({ type: "reasoning", text: "x" }, 31)
    expect(price(system, reasoning)).toBe(12)
    expect(price(system, text("ab"), reasoning)).toBe(13)
    // here an offloaded mark is text like any other: 65 + 17
    expect(price(system, sized({ ...image(), offloaded: true }, 82))).toBe(25)
  })
})

describe("what stands beside the messages", () => {
  it("K7: tool schemas cost their JSON text", () => {
    const tool = {
      name: "ls",
      description: "Lists files in a directory",
      parameters: { type: "object" },
    }
    expect(toolsTokens(sized([tool], 89))).toBe(27)
    expect(toolsTokens(sized(["ls"], 6))).toBe(6)
  })

  it("K7: no tools cost nothing", () => {
    expect(toolsTokens([])).toBe(0)
    expect(toolsTokens(undefined)).toBe(0)
    expect(toolsTokens("{{tools}}")).toBe(0)
  })

  it("K8: the system text of a request header costs its length and 4", () => {
    expect(headerSystemTokens("Be brief.")).toBe(7)
    expect(headerSystemTokens("x")).toBe(5)
  })

  it("K8: an empty system text is none", () => {
    expect(headerSystemTokens("")).toBe(0)
    expect(headerSystemTokens(undefined)).toBe(0)
    expect(headerSystemTokens(null)).toBe(0)
  })
})
