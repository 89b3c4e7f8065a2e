import type { JsonObject } from "#core/data/json"
import type { PriceTable } from "#core/tokens/price-table"

const hour = 3_600_000

/** Prices of two of the three models that logs are made with; the second one at half its hours. */
export const somePrices: PriceTable = [
  {
    provider: null,
    model: "m0",
    fromMs: 0,
    untilMs: null,
    hours: null,
    input: 270_000,
    output: 1_100_001,
    cacheRead: 70_003,
    cacheWrite: null,
    source: "made up",
    sourceDate: "2026-01-01",
  },
  {
    provider: "p",
    model: "m1",
    fromMs: 12 * hour,
    untilMs: 24 * hour,
    hours: null,
    input: 9_007_199_254,
    output: 3,
    cacheRead: 5,
    cacheWrite: 7,
    source: "made up",
    sourceDate: "2026-01-01",
  },
]

interface Report {
  readonly model: string
  readonly timeMs: number
  readonly place: string
  /** Input, output, cache reads, cache writes. */
  readonly buckets: readonly number[]
}

const keys = ["inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens"]
const allKeys = [...keys, "reasoningTokens"]

const at = (value: unknown, key: string): unknown => (value as JsonObject | undefined)?.[key]

const reportIn = (data: unknown): unknown => {
  if (at(data, "usage") !== undefined) return at(data, "usage")
  const stream = (at(data, "stream") ?? []) as readonly unknown[]
  const chunks = [...stream.map((record) => at(record, "chunk")), at(data, "chunk")]
  return at(
    chunks.findLast((chunk) => at(chunk, "type") === "usage"),
    "usage",
  )
}

/** The cost of a log as anybody would add it up: list the reports, strike out, sum. */
export const naiveCost = (header: JsonObject, rows: readonly JsonObject[]): object => {
  let reports: Report[] = []
  let model = ""
  // the report that another of its attempt would strike out
  let open = null as { readonly place: string; readonly text: string } | null
  let cut = Number(header["seedLength"] ?? 0)
  for (const { type, seq, time, data } of rows) {
    const place = `${String(at(data, "turn"))}.${String(at(data, "step"))}`
    if (type === "request/header") model = String(at(at(at(data, "header"), "config"), "model"))
    else if (type === "llm/retry-started") open = open?.place === place ? null : open
    else if (type === "session/end-seed" && at(data, "inherited") === true) {
      reports = []
      open = null
      cut = Number(seq)
    } else {
      const usage = reportIn(data)
      if (usage === undefined || Number(seq) < cut) continue
      const text = allKeys.map((key) => Number(at(usage, key) ?? 0)).join()
      if (open?.place === place && open.text === text) continue
      if (open?.place === place) reports.pop()
      const buckets = keys.map((key) => Number(at(usage, key) ?? 0))
      reports.push({ model, timeMs: Number(time), place, buckets })
      open = { place, text }
    }
  }
  const sums = [0n, 0n, 0n, 0n]
  const unpriced = new Map<string, number>()
  let priced = 0
  const lack = (code: string, of: Report, bucket: string | null): void => {
    const provider = of.model === "" ? null : "p"
    const cause = JSON.stringify([code, provider, of.model === "" ? null : of.model, bucket])
    unpriced.set(cause, (unpriced.get(cause) ?? 0) + 1)
  }
  for (const report of reports) {
    const [, , , writes = 0] = report.buckets
    if (report.buckets.every((tokens) => tokens === 0)) continue
    const row = somePrices.find((each) => each.model === report.model)
    if (row === undefined) lack("price-model-unknown", report, null)
    else if (report.timeMs < row.fromMs || report.timeMs >= (row.untilMs ?? Infinity))
      lack("price-time-unknown", report, null)
    else if (row.cacheWrite === null && writes > 0)
      lack("price-bucket-unknown", report, "cacheWrite")
    else {
      priced++
      const prices = [row.input, row.output, row.cacheRead ?? 0, row.cacheWrite ?? 0]
      for (const [i, tokens] of report.buckets.entries())
        sums[i] = (sums[i] ?? 0n) + BigInt(tokens) * BigInt(prices[i] ?? 0)
    }
  }
  const [input, output, cacheRead, cacheWrite] = sums.map(String)
  return {
    picoUsd: String(sums.reduce((a, b) => a + b)),
    input,
    output,
    cacheRead,
    cacheWrite,
    reports: priced,
    unpriced: [...unpriced].map(([cause, count]) => {
      const [code, provider, name, bucket] = JSON.parse(cause) as readonly (string | null)[]
      return { code, provider, model: name, bucket, reports: count }
    }),
  }
}
