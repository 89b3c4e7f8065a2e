import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { crashClosers, notStartedText } from "#core/format/closers"
import { checkLog } from "../../fixtures/checked-in-full.ts"
import { sha256 } from "../../fixtures/checked-log.ts"
import { logOf } from "../../fixtures/log-in-memory.ts"
import { stepEnd, stepStart, turnStart } from "../../shell/session-logs.ts"
import { asking, called, openIn } from "./open-turn.ts"
import { formatOf, versions } from "./verdict.ts"

// the real text of calls that were never started is known by its digest alone
const texts = { notStarted: "never started", outcomeUnknown: "nobody knows" }

/** Takes the made-up text for the real one. */
const hash = (text: string): string =>
  text === texts.notStarted ? notStartedText.sha256 : sha256(text)

const header: JsonObject = {
  type: "system/message",
  seq: 2,
  time: 2,
  data: {
    turn: 1,
    step: 1,
    message: { id: "y", role: "system", content: [], source: { kind: "plugin", plugin: "p" } },
  },
  surfaceOp: "append",
}

/** A step that ends in two calls, of which one was started. */
const openStep = (version: number): readonly JsonObject[] => {
  const start = [turnStart(0, 1), stepStart(1, 1, 1)]
  if (version === 3) start.push(header)
  if (version === 4)
    start.push({
      ...header,
      data: {
        ...(header["data"] as JsonObject),
        message: { id: "y", role: "system", content: [], source: { kind: "system-prompt" } },
      },
    })
  const seq = start.length
  return [...start, asking(seq, "c", "d"), called(seq + 1, "d")]
}

const closed = (
  version: number,
  rows: readonly JsonObject[],
  given: Parameters<typeof crashClosers>[2] = texts,
): readonly JsonObject[] | null => {
  const open = openIn(version, rows)
  return open === null ? [] : crashClosers(formatOf(version), open, given)
}

describe("what closes a turn after a crash", () => {
  it("RC22: of formats 0 to 3: results with one block, the end of the step, that of the turn", () => {
    for (const version of [0, 1, 2]) {
      const common = { time: 3, surfaceOp: "append" }
      expect(closed(version, openStep(version))).toStrictEqual([
        {
          type: "tool/result",
          seq: 4,
          ...common,
          data: {
            turn: 1,
            step: 1,
            message: {
              id: "interrupted-tool-result-c-4",
              role: "user",
              source: { kind: "tool", callId: "c" },
              content: [
                {
                  type: "tool-result",
                  toolCallId: "c",
                  content: [{ type: "text", text: "never started" }],
                  isError: true,
                },
              ],
            },
            error: { name: "ToolNotStartedError", code: "TOOL_NOT_STARTED" },
          },
        },
        {
          type: "tool/result",
          seq: 5,
          ...common,
          sourceEventSeqs: [3],
          data: {
            turn: 1,
            step: 1,
            message: {
              id: "interrupted-tool-result-d-5",
              role: "user",
              source: { kind: "tool", callId: "d" },
              content: [
                {
                  type: "tool-result",
                  toolCallId: "d",
                  content: [{ type: "text", text: "nobody knows" }],
                  isError: true,
                },
              ],
            },
            error: { name: "ToolOutcomeUnknownError", code: "TOOL_OUTCOME_UNKNOWN" },
          },
        },
        { type: "step/end", seq: 6, time: 3, data: { turn: 1, step: 1 } },
        { type: "turn/end", seq: 7, time: 3, data: { turn: 1, reason: { kind: "interrupted" } } },
      ])
    }
  })

  it("RC22: of format 4: results that are messages of their own role", () => {
    const [first] = closed(4, openStep(4)) ?? []
    expect(first?.["data"]).toStrictEqual({
      turn: 1,
      step: 1,
      message: {
        id: "interrupted-tool-result-c-5",
        role: "tool",
        source: { kind: "tool", callId: "c" },
        toolCallId: "c",
        content: [{ type: "text", text: "never started" }],
        isError: true,
      },
      error: { name: "ToolNotStartedError", code: "TOOL_NOT_STARTED" },
    })
  })

  it.each(versions)("RC23: format %d: the closed log breaks no rule of its format", (version) => {
    const rows = openStep(version)
    for (const cut of [1, 2, rows.length - 1, rows.length]) {
      const open = rows.slice(0, cut)
      const log = logOf(version, ...open, ...(closed(version, open) ?? []))
      const { found, refusal } = checkLog(log, { sha256: hash })
      expect([found, refusal], `${cut} rows`).toStrictEqual([[], null])
    }
    // between two steps the turn alone is open
    const between = [turnStart(0, 1), stepStart(1, 1, 1), stepEnd(2, 1, 1)]
    expect(closed(version, between)).toStrictEqual([
      { type: "turn/end", seq: 3, time: 2, data: { turn: 1, reason: { kind: "interrupted" } } },
    ])
  })

  it.each(versions)("RC23: format %d: any other text is none that readers know", (version) => {
    const rows = openStep(version)
    const log = logOf(version, ...rows, ...(closed(version, rows) ?? []))
    expect(checkLog(log).refusal?.finding.code).toBe("tool-result-unstarted")
  })

  it.each(versions)("RC24: format %d: without the text there are no closers at all", (version) => {
    const without = { ...texts, notStarted: null }
    const rows = openStep(version)
    expect(closed(version, rows, without)).toBeNull()
    // asked for only where a call was never started
    const start = rows.slice(0, -2)
    const seq = start.length
    expect(
      closed(version, [...start, asking(seq, "d"), called(seq + 1, "d")], without),
    ).toHaveLength(3)
  })

  it("RC24: the digest of the text is that of the facts", () => {
    expect(notStartedText).toStrictEqual({
      byteCount: 104,
      sha256: "613f8e88c4324029a758e388a77c9082e93d36d39ad23d5f76c5529fe7b0b42f",
    })
    expect(createHash("sha256").update(texts.notStarted).digest("hex")).not.toBe(
      notStartedText.sha256,
    )
  })
})
