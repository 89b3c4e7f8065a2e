import { describe, expect, it } from "vitest"
import { compactableRange } from "#core/compaction/compactable-range"
import type { CompactionOwner, Summary } from "#core/compaction/compaction-plan"
import {
  compactionCommit,
  compactionFailure,
  compactionStart,
} from "#core/compaction/compaction-plan"
import type { PruneSettings } from "#core/compaction/prune-plan"
import {
  defaultPruning,
  prunableResults,
  prunedContent,
  pruneEvents,
  pruneMarker,
  pruneRefusal,
} from "#core/compaction/prune-plan"
import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import { formatOf } from "../../../properties/carriers.ts"
import { leftOf, rightOf } from "../surface/events.ts"
import { nodesOf, resultNode, text } from "./nodes.ts"

const owner: CompactionOwner = { compactionId: "k", sourceCommandId: null, turn: 2 }
const summary: Summary = {
  content: [text("done")],
  provider: "p",
  model: "m",
  usage: null,
}

const commit = (
  version: 0 | 3 | 4,
  more: Partial<Summary> = {},
  who = owner,
): ReturnType<typeof compactionCommit> => {
  const range = rightOf(compactableRange(nodesOf("S7 U400 A60c1 R200 A30 U20"), 0))
  if (range === null) throw new Error("no range")
  const given = {
    owner: who,
    startSeq: 8,
    range,
    summary: { ...summary, ...more },
    messageId: "checkpoint",
  }
  return compactionCommit(formatOf(version), given, { nextSeq: 11, timeMs: 5 })
}

describe("the events of a compaction", () => {
  it("TK37: it begins with its owner and shadows nothing", () => {
    expect(compactionStart(owner, { nextSeq: 8, timeMs: 5 })).toEqual([
      { type: "compaction/start", seq: 8, time: 5, data: { compactionId: "k", turn: 2 } },
    ])
  })

  it("TK37: the price comes just before the replacement, which cites all that it rests on", () => {
    const events = rightOf(commit(4))
    expect(events.map(({ type, seq, time }) => [type, seq, time])).toEqual([
      ["compaction/summary", 11, 5],
      ["user/message", 12, 5],
      ["compaction/end", 13, 5],
    ])
    expect(events[0]?.data).toEqual({
      compactionId: "k",
      summary: [text("done")],
      shadowedRange: { start: 1, end: 4 },
      shadowedSeqs: [1, 2, 3, 4],
      shadowedTokenCount: 694,
      provider: "p",
      model: "m",
    })
    expect(events[1]).toMatchObject({
      sourceEventSeqs: [8, 11, 1, 2, 3, 4],
      surfaceOp: { op: "replace", startSeq: 1, endSeq: 4 },
      data: {
        id: "checkpoint",
        role: "user",
        source: { kind: "compact-checkpoint", compactionId: "k" },
      },
    })
    expect(events[2]?.data).toEqual({ compactionId: "k", turn: 2 })
  })

  it("TK37: the summary stands between tags that later summaries look for", () => {
    const [, checkpoint] = rightOf(commit(4))
    const data = (checkpoint?.data ?? {}) as JsonObject
    const content = data["content"] as readonly JsonObject[]
    expect(content).toHaveLength(3)
    expect(content[0]?.["text"]).toMatch(/\n\n<compacted-summary>$/)
    expect(content[1]).toEqual(text("done"))
    expect(content[2]).toEqual(text("</compacted-summary>"))
  })

  it("TK37: earlier formats have other endpoints, and one kind of source for plugins", () => {
    expect(rightOf(commit(3))[1]).toMatchObject({
      surfaceOp: { op: "replace", startSeq: 1, endSeq: 4 },
      data: { source: { kind: "plugin", plugin: "compact" } },
    })
    expect(rightOf(commit(0))[1]).toMatchObject({ surfaceOp: { op: "replace", start: 1, end: 4 } })
  })

  it("TK37: one that was commanded says by which command, everywhere", () => {
    const commanded = { ...owner, sourceCommandId: "/compact", turn: null }
    const [first, second, third] = rightOf(commit(4, { usage: { inputTokens: 1 } }, commanded))
    expect(first?.data).toMatchObject({ sourceCommandId: "/compact", usage: { inputTokens: 1 } })
    expect(second?.data).toMatchObject({ source: { sourceCommandId: "/compact" } })
    expect(third?.data).toEqual({ compactionId: "k", sourceCommandId: "/compact", turn: null })
  })

  it("TK37: one that came to nothing ends with its error alone", () => {
    const error = "busy"
    expect(compactionFailure(owner, error, { nextSeq: 9, timeMs: 5 })).toEqual([
      { type: "compaction/end", seq: 9, time: 5, data: { compactionId: "k", turn: 2, error } },
    ])
  })

  it("TK36: a summary without text, or with anything else, is refused", () => {
    expect(leftOf(commit(4, { content: [] }))).toEqual({ code: "summary-empty" })
    expect(leftOf(commit(4, { content: [text(" \n")] }))).toEqual({ code: "summary-empty" })
    expect(leftOf(commit(4, { content: [text("a"), { type: "image" }] }))).toEqual({
      code: "summary-block",
      position: 1,
      blockType: "image",
    })
    expect(leftOf(commit(4, { content: [null] }))).toEqual({
      code: "summary-block",
      position: 0,
      blockType: null,
    })
  })

  it("TK36: a summary that is no smaller than what it stands for is refused", () => {
    const of = (units: number): JsonArray => [text("x".repeat(units))]
    const refusal = leftOf(commit(4, { content: of(4_000) })) as { checkpointTokens: number }
    expect(refusal).toMatchObject({ code: "summary-not-smaller", shadowedTokens: 690 })
    // as many tokens more or less as would make it equal, then one less
    const equal = 4_000 - 4 * (refusal.checkpointTokens - 690)
    expect(leftOf(commit(4, { content: of(equal) }))).toMatchObject({ checkpointTokens: 690 })
    expect(rightOf(commit(4, { content: of(equal - 4) }))).toHaveLength(3)
  })
})

describe("pruning tool results", () => {
  // 50 may stay: 3 before and 4 after a marker of 39
  const few: PruneSettings = { thresholdChars: 50, headChars: 3, tailChars: 4 }
  const image = { type: "image", attachment: {} }
  const digits = "0123456789".repeat(6)

  it("TK33: the marker is as long as the one of the agent, between blank lines", () => {
    expect([...pruneMarker]).toHaveLength(39)
    expect(pruneMarker).toMatch(/^\n\n\S.*\S\n\n$/)
  })

  it("TK33: what is short enough stays", () => {
    expect(prunedContent([text("x".repeat(50))], few)).toBeNull()
    expect(prunedContent([text("😀".repeat(50))], few)).toBeNull()
    expect(prunedContent([], few)).toBeNull()
    expect(prunedContent([{ type: "other", text: digits }], few)).toBeNull()
  })

  it("TK33: the middle of the text is left out, by code points", () => {
    expect(prunedContent([text(digits)], few)).toEqual([text(`012${pruneMarker}6789`)])
    expect(prunedContent([text("😀".repeat(51))], few)).toEqual([
      text(`😀😀😀${pruneMarker}😀😀😀😀`),
    ])
  })

  it("TK33: blocks are one text: the marker stands where the cut begins, emptied blocks go", () => {
    const content = [text("0123"), image, text(digits), text(""), text("ab"), text("cd")]
    expect(prunedContent(content, few)).toEqual([
      text(`012${pruneMarker}`),
      image,
      // was empty before
      text(""),
      text("ab"),
      text("cd"),
    ])
    expect(prunedContent([text("012"), text(digits), text("abc")], few)).toEqual([
      text("012"),
      text(`${pruneMarker}9`),
      text("abc"),
    ])
  })

  it("TK33: nothing before or behind the marker may be asked for", () => {
    const none = { thresholdChars: 39, headChars: 0, tailChars: 0 }
    expect(prunedContent([text(digits), image], none)).toEqual([text(pruneMarker), image])
  })

  it("TK33: other fields of a block are kept", () => {
    const [block] = prunedContent([{ ...text(digits), more: 1 }], few) ?? []
    expect(block).toMatchObject({ more: 1 })
  })

  it.each([
    [{ headChars: -1 }, { code: "prune-count", field: "headChars", value: -1 }],
    [{ tailChars: 0.5 }, { code: "prune-count", field: "tailChars", value: 0.5 }],
    [{ thresholdChars: NaN }, { code: "prune-count", field: "thresholdChars", value: NaN }],
    [{ headChars: 8 }, { code: "prune-budget", keptChars: 51, thresholdChars: 50 }],
  ] as const)("TK33: the settings %j are refused", (more, refusal) => {
    expect(pruneRefusal({ ...few, ...more })).toEqual(refusal)
    expect(leftOf(prunableResults(formatOf(4), [], { ...few, ...more }))).toEqual(refusal)
    expect(pruneRefusal({ ...few, headChars: 7 })).toBeNull()
    expect(pruneRefusal(defaultPruning)).toBeNull()
  })

  it("TK32: each result has its price, and at once the rest of it as it was", () => {
    const long = resultNode([text(digits)], 23)
    const nodes = [...nodesOf("U1 A1c1"), resultNode([text("short")], 10, 2), long]
    const results = rightOf(prunableResults(formatOf(4), nodes, few))
    expect(results.map(({ node }) => node.seq)).toEqual([3])
    const pruned = { ...(long.data as JsonObject) }
    const message = {
      ...(pruned["message"] as JsonObject),
      content: [text(`012${pruneMarker}6789`)],
    }
    expect(pruneEvents(formatOf(4), results, { nextSeq: 9, timeMs: 5 })).toEqual([
      {
        type: "compaction/prune",
        seq: 9,
        time: 5,
        data: { shadowedRange: { start: 3, end: 3 }, shadowedSeqs: [3], shadowedTokenCount: 23 },
      },
      {
        type: "tool/result",
        seq: 10,
        time: 5,
        data: { ...pruned, message } as JsonValue,
        sourceEventSeqs: [3],
        surfaceOp: { op: "replace", startSeq: 3, endSeq: 3 },
      },
    ])
  })
})
