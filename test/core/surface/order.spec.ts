import { describe, expect, it } from "vitest"
import type { Refusal } from "#core/data/refusal"
import { addition, tool } from "../../../properties/arbitraries/dialect.ts"
import type { Draft } from "./events.ts"
import {
  developer,
  every,
  over,
  refusalOf,
  replacing,
  requestHeader,
  system,
  toolResult,
  user,
} from "./events.ts"

const codeOf = (refusal: Refusal | null): string | null => refusal?.code ?? null

describe("where an event breaks several rules", () => {
  it.each(every)("S39: format %d: the first of them in a fixed order is shown", (version) => {
    const events = [user(), user(), toolResult(version)]
    const code = (event: Draft): string | null => codeOf(refusalOf(version, [...events, event]))
    // each event breaks the rule it is named by and all that come after
    const reversed = replacing(version, toolResult(version, "e"), [2, 0], [0, 0])
    expect(code({ ...reversed, seq: 9 })).toBe("seq-not-contiguous")
    expect(code({ ...reversed, sourceEventSeqs: [] })).toBe("sources-empty")
    expect(code({ ...reversed, sourceEventSeqs: [0, 0, 7] })).toBe("source-not-earlier")
    expect(code(reversed)).toBe("sources-repeated")
    expect(code({ ...reversed, surfaceOp: over(version, 9, 7), sourceEventSeqs: [0] })).toBe(
      "endpoint-not-earlier",
    )
    expect(code({ ...reversed, sourceEventSeqs: [0] })).toBe("range-reversed")
    const ranged = replacing(version, toolResult(version, "e"), [0, 2], [0])
    expect(code(ranged)).toBe("source-missing")
    expect(code({ ...ranged, sourceEventSeqs: [0, 1, 2] })).toBe("tool-result-range")
  })

  it("S39: a wrong head is told after its sources, before a wrong tool result", () => {
    const events = [system(4), user()]
    const result = replacing(4, toolResult(4), [0, 1], [0])
    expect(codeOf(refusalOf(4, [...events, result]))).toBe("source-missing")
    const citing = { ...result, sourceEventSeqs: [0, 1] }
    expect(codeOf(refusalOf(4, [...events, citing]))).toBe("head-protected")
  })

  it("S39: a developer message is bound before its place is looked at", () => {
    const events = [requestHeader(4, [tool("ls")]), user()]
    const unbound = replacing(4, developer([addition("grep")], 0), [7, 7], [1])
    expect(codeOf(refusalOf(4, [...events, unbound]))).toBe("tool-definition-missing")
    expect(codeOf(refusalOf(4, [...events, { ...unbound, sourceEventSeqs: [] }]))).toBe(
      "sources-empty",
    )
  })

  it.each(every)("S40: format %d: a payload is looked at last", (version) => {
    const spoilt: Draft = { ...user(), data: { content: null } }
    expect(codeOf(refusalOf(version, [user(), spoilt]))).toBe("payload-shape")
    expect(codeOf(refusalOf(version, [user(), { ...spoilt, seq: 7 }]))).toBe("seq-not-contiguous")
    expect(codeOf(refusalOf(version, [user(), replacing(version, spoilt, [0, 0], [])]))).toBe(
      "sources-empty",
    )
  })
})
