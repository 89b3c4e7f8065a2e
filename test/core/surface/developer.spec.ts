import { describe, expect, it } from "vitest"
import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import { addition, removal, tool } from "../../../properties/arbitraries/dialect.ts"
import { developer, nodesAfter, note, refusalOf, replacing, requestHeader, user } from "./events.ts"

const header = (...tools: readonly JsonObject[]) => requestHeader(4, tools)
const adding = (names: readonly string[], headerSeq?: JsonValue) =>
  developer(names.map(addition), headerSeq)

describe("developer messages", () => {
  it("S24: one that adds tools names a header; any other names none", () => {
    const refused = (content: JsonArray, headerSeq?: JsonValue): unknown =>
      refusalOf(4, [header(tool("ls")), developer(content, headerSeq)])
    const shape = { code: "header-seq-shape", seq: 1 }
    expect(refused([addition("ls")])).toEqual(shape)
    for (const headerSeq of [null, "0", -1, 0.5, [0], -0])
      expect(refused([addition("ls")], headerSeq)).toEqual(shape)
    for (const content of [[], [removal("ls")], [{ type: "text", text: "x" }]]) {
      expect(refused(content, 0)).toEqual(shape)
      expect(refused(content, null)).toEqual(shape)
      expect(nodesAfter(4, [header(tool("ls")), developer(content)])).toEqual([1])
    }
  })

  it("S25: what it names is an earlier request header", () => {
    const refused = (headerSeq: number): unknown =>
      refusalOf(4, [user(), header(tool("ls")), note, adding(["ls"], headerSeq)])
    const code = "header-seq-not-header"
    for (const headerSeq of [0, 2, 3, 4, 9])
      expect(refused(headerSeq)).toEqual({ code, seq: 3, headerSeq })
    expect(nodesAfter(4, [user(), header(tool("ls")), note, adding(["ls"], 1)])).toEqual([0, 3])
  })

  it("S26: each added tool is defined there, once and to the last part", () => {
    const refused = (...tools: readonly JsonObject[]): unknown =>
      refusalOf(4, [header(...tools), adding(["ls"], 0)])
    const missing = { code: "tool-definition-missing", seq: 1, headerSeq: 0, toolName: "ls" }
    const { description: _, ...undescribed } = tool("ls")
    const { parameters: _parameters, ...unparameterised } = tool("ls")
    expect(refused()).toEqual(missing)
    expect(refused(tool("grep"))).toEqual(missing)
    expect(refused(tool("ls"), tool("ls"))).toEqual(missing)
    expect(refused(undescribed)).toEqual(missing)
    expect(refused(unparameterised)).toEqual(missing)
    expect(refused({ ...tool("ls"), description: null })).toEqual(missing)
    expect(refused({ ...tool("ls"), parameters: [] })).toEqual(missing)
    expect(nodesAfter(4, [header(tool("ls"), tool("grep")), adding(["ls", "grep"], 0)])).toEqual([
      1,
    ])
    const deferred = { ...tool("ls"), deferLoading: true }
    expect(nodesAfter(4, [header(deferred), adding(["ls"], 0)])).toEqual([1])
    expect(refusalOf(4, [header(tool("ls")), adding(["ls", "grep"], 0)])).toEqual({
      ...missing,
      toolName: "grep",
    })
  })

  it("S26: a header whose tools are not as they should be is refused before", () => {
    expect(refusalOf(4, [header({ ...tool("ls"), deferLoading: false })])).toMatchObject({
      code: "payload-shape",
      seq: 0,
    })
  })

  it("S27: the binding is to the header named, newer ones or not, and replacements have it too", () => {
    const events = [header(tool("ls")), header(tool("grep")), adding(["ls"], 0)]
    expect(nodesAfter(4, events)).toEqual([2])
    const again = replacing(4, developer([removal("x"), addition("grep")], 1), [2, 2], [2])
    expect(nodesAfter(4, [...events, again])).toEqual([3])
    const wrong = replacing(4, adding(["ls"], 1), [2, 2], [2])
    expect(refusalOf(4, [...events, wrong])).toMatchObject({ code: "tool-definition-missing" })
  })

  it("S27: an addition that defines its tool itself, or has no name, is no addition", () => {
    const inline = { ...addition("ls"), tool: {} }
    for (const block of [inline, addition("")])
      expect(refusalOf(4, [header(tool("ls")), developer([block], 0)])).toMatchObject({ seq: 1 })
  })
})
