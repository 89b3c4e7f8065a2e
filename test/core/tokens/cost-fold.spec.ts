import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { stepFold } from "#core/fold/fold"
import type { FormatVersion } from "#core/format/format"
import type { CostFigures } from "#core/tokens/cost-figures"
import { costFold } from "#core/tokens/cost-fold"
import { pricesOf } from "#core/tokens/price-file"
import { headerIn, rightRow } from "../../../properties/carriers.ts"
import { sessionHeader } from "../../../properties/arbitraries/dialect.ts"
import { every, rightOf } from "../surface/events.ts"

const day = 86_400_000
const noon = 43_200_000
const row = { from: "1970-01-01", source: "made up", sourceDate: "2026-01-01" }
const table = rightOf(
  pricesOf({
    schema: "refold.prices/1",
    prices: [
      { ...row, model: "m", input: 2, output: 8, cacheRead: "0.5", cacheWrite: 3 },
      { ...row, model: "m", input: 1, output: 4, hours: { from: "16:30", to: "00:30" } },
      { ...row, model: "n", input: 1, output: 1, until: "1970-01-03" },
    ],
  }),
)

type Row = readonly [type: string, data: JsonObject, time?: number]

const cost = (rows: readonly Row[], version: FormatVersion = 4, cut = 0): CostFigures => {
  const fold = costFold(table)
  const header = headerIn(sessionHeader(version, cut > 0 ? cut : null))
  const draft = fold.begin(header)
  for (const [seq, [type, data, time = noon]] of rows.entries()) {
    const more = type === "assistant/message" ? { surfaceOp: "append" } : {}
    const { facts, data: payload } = rightRow(version, { type, seq, time, data, ...more })
    stepFold(fold, draft, facts, payload)
  }
  return fold.seal(draft).figures
}

const header = (model: string): Row => [
  "request/header",
  { header: { config: { provider: "p", model } }, reason: "change" },
]
const usage = { inputTokens: 100, outputTokens: 10 }
const stream = (of: JsonObject): JsonObject => ({
  stream: [{ type: "chunk", time: 1, chunk: { type: "usage", usage: of } }],
})
const attempt = (step: number, of: JsonObject, time = noon): Row => [
  "assistant/attempt",
  { turn: 1, step, ...stream(of) },
  time,
]
const retry: Row = ["llm/retry-started", { turn: 1, step: 1, retryId: "r", retry: 1 }]

describe("costs", () => {
  it("TZ21: are whole pico-USD by bucket", () => {
    const all = { ...usage, cacheReadTokens: 7, cacheWriteTokens: 5, reasoningTokens: 9 }
    expect(cost([header("m"), attempt(1, all)])).toEqual({
      picoUsd: "298500000",
      input: "200000000",
      output: "80000000",
      cacheRead: "3500000",
      cacheWrite: "15000000",
      reports: 1,
      unpriced: [],
    })
    const many = { inputTokens: Number.MAX_SAFE_INTEGER, outputTokens: 0 }
    // 9007199254740991 tokens at 2 USD per million, which no double holds
    expect(cost([header("m"), attempt(1, many)]).picoUsd).toBe("18014398509481982000000")
  })

  it("TZ22: a later report of an attempt takes the place of the one before; a retry adds", () => {
    const more = { inputTokens: 100, outputTokens: 20 }
    const replaced = cost([header("m"), attempt(1, usage), attempt(1, more)])
    expect(replaced).toMatchObject({ picoUsd: "360000000", reports: 1 })
    const added = cost([header("m"), attempt(1, usage), retry, attempt(1, more)])
    expect(added).toMatchObject({ picoUsd: "640000000", reports: 2 })
    expect(cost([header("m"), attempt(1, usage), attempt(1, usage)]).reports).toBe(1)
    expect(cost([header("m"), attempt(1, usage), attempt(2, usage)]).reports).toBe(2)
    // a cause is struck out as a cost is
    const struck = cost([header("x"), attempt(1, usage), header("m"), attempt(1, more)])
    expect(struck).toMatchObject({ picoUsd: "360000000", reports: 1, unpriced: [] })
  })

  it("TZ22: what was inherited costs nothing", () => {
    const seed: Row = ["session/end-seed", { inherited: true }]
    const own = [header("m"), attempt(1, usage), seed, attempt(2, usage)]
    expect(cost(own, 4, 3)).toMatchObject({ picoUsd: "280000000", reports: 1 })
    const chunk: Row = ["assistant/chunk", { turn: 1, step: 1, chunk: { type: "usage", usage } }]
    // the model that was asked before the cut is asked behind it
    expect(cost([header("m"), chunk, chunk, chunk], 0, 2)).toMatchObject({ reports: 1 })
    expect(cost([header("m"), chunk, chunk], 0, 3)).toMatchObject({ reports: 0, picoUsd: "0" })
  })

  it("TZ23: are by the latest header and the time of the report, nothing else", () => {
    const half = 140_000_000
    const at = (hours: number): string =>
      cost([header("m"), attempt(1, usage, Math.round(hours * 3_600_000))]).picoUsd
    expect([at(16.4), at(16.5), at(24.4), at(24.5)]).toEqual(
      [2 * half, half, half, 2 * half].map(String),
    )
    const context: Row = ["request/context", { provider: "p", model: "n" }]
    expect(cost([header("m"), context, attempt(1, usage)]).picoUsd).toBe("280000000")
    const changed = cost([header("m"), attempt(1, usage), header("n"), attempt(2, usage)])
    expect(changed.picoUsd).toBe("390000000")
  })

  it("TZ24: what has no price is counted by its cause, in their order", () => {
    const cached = { ...usage, cacheReadTokens: 1 }
    expect(
      cost([
        attempt(1, usage),
        ...[header("x"), attempt(2, usage), attempt(3, usage)],
        ...[header("n"), attempt(4, usage, 2 * day), attempt(5, cached), attempt(6, usage)],
      ]),
    ).toEqual({
      picoUsd: "110000000",
      input: "100000000",
      output: "10000000",
      cacheRead: "0",
      cacheWrite: "0",
      reports: 1,
      unpriced: [
        {
          code: "price-bucket-unknown",
          provider: "p",
          model: "n",
          bucket: "cacheRead",
          reports: 1,
        },
        { code: "price-model-unknown", provider: null, model: null, bucket: null, reports: 1 },
        { code: "price-model-unknown", provider: "p", model: "x", bucket: null, reports: 2 },
        { code: "price-time-unknown", provider: "p", model: "n", bucket: null, reports: 1 },
      ],
    })
  })

  it("TZ24: a report of no tokens needs no price", () => {
    const nothing = { inputTokens: 0, outputTokens: 0 }
    expect(cost([header("x"), attempt(1, nothing)])).toMatchObject({ reports: 0, unpriced: [] })
  })

  it.each(every)("TZ21: are of format %d as well", (version) => {
    const model: Row = [
      "request/header",
      {
        header: { config: { provider: "p", model: "m" }, ...(version < 3 && { tools: [] }) },
        reason: "initial",
      },
    ]
    const message = {
      turn: 1,
      step: 1,
      usage,
      ...(version > 1 && { stream: [] }),
      message: {
        id: "a",
        role: "assistant",
        content: [],
        source: { kind: "model", provider: "p", model: "n" },
      },
    }
    expect(cost([model, ["assistant/message", message]], version).picoUsd).toBe("280000000")
  })
})
