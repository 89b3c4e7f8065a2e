import { isRight } from "fp-ts/lib/Either.js"
import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { stepFold } from "#core/fold/fold"
import type { LogHeader } from "#core/log/header"
import { headerOf } from "#core/log/header"
import { rowOf } from "#core/log/row"
import { usageFold } from "#core/tokens/usage-fold"
import type { UsageState } from "#core/tokens/usage-fold"
import { headerIn } from "../../fixtures/log-in-memory.ts"

interface Options {
  readonly version?: number
  readonly seed?: JsonObject
}

const headerOfLog = ({ version = 4, seed = {} }: Options): LogHeader => {
  const header = headerOf(headerIn(version, seed))
  if (!isRight(header)) throw new Error("no header")
  return header.right
}

type Draft = ReturnType<typeof usageFold.begin>

/** Steps a draft as a reading does: with the payloads that the fold says it reads. */
const stepAll = (
  draft: Draft,
  header: LogHeader,
  rows: readonly JsonObject[],
  first = 0,
): Draft => {
  for (const [i, each] of rows.entries()) {
    const row = rowOf(header.format, { ...each, seq: first + i, time: 1 })
    if (!isRight(row)) throw new Error(JSON.stringify(row.left))
    stepFold(usageFold, draft, row.right.facts, row.right.data)
  }
  return draft
}

const stateOf = (rows: readonly JsonObject[], options: Options = {}): UsageState => {
  const header = headerOfLog(options)
  return usageFold.seal(stepAll(usageFold.begin(header), header, rows))
}

const totals = (input: number, output: number, more: JsonObject = {}): object => ({
  inputTokens: input,
  outputTokens: output,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  ...more,
})

const usage = (inputTokens: number, outputTokens: number): JsonObject => ({
  inputTokens,
  outputTokens,
})

const usageChunk = (of: JsonValue): JsonObject => ({
  type: "chunk",
  time: 1,
  chunk: { type: "usage", usage: of },
})

const attempt = (turn: number, step: number, of: JsonValue): JsonObject => ({
  type: "assistant/attempt",
  data: { turn, step, stream: [usageChunk(of)] },
})
const message = (
  turn: number,
  step: number,
  of: JsonValue,
  stream: JsonValue[] = [],
): JsonObject => ({
  type: "assistant/message",
  data: { turn, step, stream, message: {}, ...(of === null ? {} : { usage: of }) },
  surfaceOp: "append",
})
const retryStarted = (turn: number, step: number): JsonObject => ({
  type: "llm/retry-started",
  data: { retryId: "r", turn, step, retry: 1 },
})
const chunk = (turn: number, step: number, of: JsonValue): JsonObject => ({
  type: "assistant/chunk",
  data: { turn, step, chunk: { type: "usage", usage: of } },
})
const marker: JsonObject = { type: "session/end-seed", data: { inherited: true } }

describe("usage of a log", () => {
  it("K13: a log without reports has used nothing", () => {
    expect(stateOf([]).totals).toStrictEqual(totals(0, 0))
    expect(stateOf([message(1, 1, null)]).totals).toStrictEqual(totals(0, 0))
  })

  it("K13: a later report of the same step takes the place of the one before", () => {
    const rows = [attempt(1, 1, usage(100, 5)), message(1, 1, usage(100, 20))]
    expect(stateOf(rows).totals).toStrictEqual(totals(100, 20))
  })

  it("K14: once a retry was started, the next report is added", () => {
    const rows = [attempt(1, 1, usage(100, 5)), retryStarted(1, 1), message(1, 1, usage(100, 20))]
    expect(stateOf(rows).totals).toStrictEqual(totals(200, 25))
  })

  it("K14: a retry of another step changes nothing", () => {
    for (const retry of [retryStarted(1, 2), retryStarted(2, 1)]) {
      const rows = [attempt(1, 1, usage(100, 5)), retry, message(1, 1, usage(100, 20))]
      expect(stateOf(rows).totals).toStrictEqual(totals(100, 20))
    }
  })

  it("K13: reports of different steps are added", () => {
    const rows = [
      message(1, 1, usage(100, 20)),
      message(1, 2, usage(130, 5)),
      message(2, 1, usage(7, 1)),
    ]
    expect(stateOf(rows).totals).toStrictEqual(totals(237, 26))
  })

  it("K13: the same report again leaves the very state as it was", () => {
    const header = headerOfLog({})
    const draft = stepAll(usageFold.begin(header), header, [attempt(1, 1, usage(100, 20))])
    const before = usageFold.seal(draft)
    stepAll(draft, header, [message(1, 1, usage(100, 20)), retryStarted(1, 2)], 1)
    expect(usageFold.seal(draft)).toBe(before)
  })

  it("K15: every bucket is summed by itself; reasoning is a part of the output", () => {
    const full = {
      inputTokens: 100,
      outputTokens: 20,
      cacheReadTokens: 60,
      cacheWriteTokens: 8,
      reasoningTokens: 5,
      totalTokens: 188,
    }
    expect(stateOf([message(1, 1, full), message(1, 2, full)]).totals).toStrictEqual({
      inputTokens: 200,
      outputTokens: 40,
      cacheReadTokens: 120,
      cacheWriteTokens: 16,
      reasoningTokens: 10,
    })
  })

  it("K15: a bucket that is missing or no count is 0", () => {
    const odd = { inputTokens: "9", outputTokens: 3, cacheReadTokens: -1, cacheWriteTokens: 0.5 }
    expect(stateOf([message(1, 1, odd)]).totals).toStrictEqual(totals(0, 3))
    expect(stateOf([message(1, 1, {})]).totals).toStrictEqual(totals(0, 0))
  })
})

describe("where usage is reported", () => {
  it("K16: the usage of a message comes before that of its stream", () => {
    const stream = [usageChunk(usage(1, 1))]
    expect(stateOf([message(1, 1, usage(100, 20), stream)]).totals).toStrictEqual(totals(100, 20))
  })

  it("K16: of a stream the last report counts", () => {
    const stream = [
      usageChunk(usage(1, 1)),
      usageChunk(usage(100, 20)),
      { type: "chunk", chunk: {} },
    ]
    expect(stateOf([message(1, 1, null, stream)]).totals).toStrictEqual(totals(100, 20))
  })

  it.each([0, 1])("K16: format %d: a chunk reports, and its message once more", (version) => {
    const final = message(1, 1, usage(100, 20))
    expect(stateOf([chunk(1, 1, usage(100, 5))], { version }).totals).toStrictEqual(totals(100, 5))
    expect(stateOf([chunk(1, 1, usage(100, 5)), final], { version }).totals).toStrictEqual(
      totals(100, 20),
    )
  })

  it("K16: what the summary of a compaction used is not counted", () => {
    const summary = {
      type: "compaction/summary",
      data: { compactionId: "k", usage: usage(500, 50) },
    }
    expect(stateOf([message(1, 1, usage(100, 20)), summary]).totals).toMatchObject({
      inputTokens: 100,
    })
  })
})

describe("usage of a fork", () => {
  it.each([0, 1])("K17: format %d: events before the length in the header are not counted", (v) => {
    const options = { version: v, seed: { seedLength: 2 } }
    const rows = [chunk(1, 1, usage(100, 20)), chunk(1, 2, usage(50, 5)), chunk(2, 1, usage(7, 1))]
    expect(stateOf(rows, options).totals).toStrictEqual(totals(7, 1))
  })

  it("K17: events before the last inherited marker are not counted", () => {
    const options = { seed: { isSeeded: true } }
    const rows = [message(1, 1, usage(100, 20)), marker, message(2, 1, usage(7, 1))]
    expect(stateOf(rows, options).totals).toStrictEqual(totals(7, 1))
    expect(stateOf([...rows, marker, message(3, 1, usage(3, 2))], options).totals).toStrictEqual(
      totals(3, 2),
    )
  })

  it("K17: a report after the cut takes the place of none before it", () => {
    const options = { seed: { isSeeded: true } }
    const rows = [message(1, 1, usage(100, 20)), marker, message(1, 1, usage(7, 1))]
    expect(stateOf(rows, options).totals).toStrictEqual(totals(7, 1))
  })

  it("K17: a restore marker is no cut", () => {
    const restored = { type: "session/end-seed", data: {} }
    const rows = [message(1, 1, usage(100, 20)), restored, message(2, 1, usage(7, 1))]
    expect(stateOf(rows).totals).toStrictEqual(totals(107, 21))
  })

  it("K18: a state goes on where it was sealed", () => {
    const rows = [attempt(1, 1, usage(100, 5)), retryStarted(1, 1), message(1, 1, usage(100, 20))]
    const header = headerOfLog({})
    const first = stepAll(usageFold.resume(stateOf(rows.slice(0, 1))), header, rows.slice(1), 1)
    expect(usageFold.seal(first)).toStrictEqual(stateOf(rows))
  })
})
