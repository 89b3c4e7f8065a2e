import { describe, expect, it } from "vitest"
import type { JsonObject, JsonValue } from "#core/data/json"
import { minuteOfDay, utcMinuteOfDay, utcTimeMs } from "#core/data/utc-time"
import { costOf } from "#core/tokens/cost"
import { microUsdOf, pricesOf, pricesSchema } from "#core/tokens/price-file"
import type { PriceTable } from "#core/tokens/price-table"
import { builtInPrices, priceAt } from "#core/tokens/price-table"
import { noUsage } from "#core/tokens/usage"
import { leftOf, rightOf } from "../surface/events.ts"

const row = (more: JsonObject = {}): JsonObject => ({
  model: "m",
  from: "2026-01-01",
  input: 0.27,
  output: "1.10",
  source: "https://prices.example/m",
  sourceDate: "2026-02-03",
  ...more,
})

const file = (...prices: JsonValue[]): JsonObject => ({ schema: pricesSchema, prices })
const tableOf = (...prices: JsonValue[]): PriceTable => rightOf(pricesOf(file(...prices)))
const refusalsOf = (...prices: JsonValue[]): readonly object[] => leftOf(pricesOf(file(...prices)))

const route = { provider: "p", model: "m" }
const at = (text: string): number => utcTimeMs(text) ?? Number.NaN

describe("times", () => {
  it.each([
    "1970-01-01",
    "2000-02-29",
    "2024-12-31",
    "2026-03-01",
    "2100-03-01",
    "1969-12-31",
    "0001-01-01",
    "9999-12-31",
  ])("TK39: the UTC date %s is the one of every calendar", (text) => {
    expect(utcTimeMs(text)).toBe(Date.parse(`${text}T00:00:00Z`))
  })

  it("TK39: a minute of a day may be given", () => {
    expect(utcTimeMs("2026-02-28T16:30Z")).toBe(Date.parse("2026-02-28T16:30:00Z"))
  })

  it.each([
    "2026-02-29",
    "2100-02-29",
    "2026-13-01",
    "2026-00-10",
    "2026-04-31",
    "2026-01-00",
    "2026-1-1",
    "2026-01-01T24:00Z",
    "2026-01-01T10:60Z",
    "2026-01-01T10:00",
    " 2026-01-01",
    "",
  ])("TK39: %j is no time", (text) => {
    expect(utcTimeMs(text)).toBeNull()
  })

  it("TK39: minutes of the day are counted from midnight UTC, before 1970 too", () => {
    expect(minuteOfDay("16:30")).toBe(990)
    expect(["24:00", "1:00", "10:60", "x"].map(minuteOfDay)).toEqual([null, null, null, null])
    expect(utcMinuteOfDay(at("2026-02-28T16:30Z"))).toBe(990)
    expect(utcMinuteOfDay(-60_000)).toBe(1_439)
  })
})

describe("a file of prices", () => {
  it("TK28: amounts are read off their digits: micro-USD a million tokens", () => {
    const amounts = [0.28, "0.28", 0.000001, 12, "1.100000", 0, "999999999.999999", 1.1]
    expect(amounts.map(microUsdOf)).toEqual([
      280_000, 280_000, 1, 12_000_000, 1_100_000, 0, 999_999_999_999_999, 1_100_000,
    ])
    expect(microUsdOf("0.000001")).toBe(1)
    const wrong = ["0.0000001", "-1", "+1", "1e3", 1e21, "1.", ".5", "", " 1", "1,5", -0.5, NaN]
    expect(wrong.map(microUsdOf)).toEqual(wrong.map(() => null))
  })

  it("TK28: a row has all that was written, and null for what was not", () => {
    const hours = { from: "16:30", to: "00:30" }
    const full = row({ provider: "p", until: "2026-06-01", hours, cacheRead: 0.07, cacheWrite: 0 })
    expect(tableOf(full, row())).toEqual([
      {
        provider: "p",
        model: "m",
        fromMs: Date.parse("2026-01-01T00:00:00Z"),
        untilMs: Date.parse("2026-06-01T00:00:00Z"),
        hours: { fromMinute: 990, toMinute: 30 },
        input: 270_000,
        output: 1_100_000,
        cacheRead: 70_000,
        cacheWrite: 0,
        source: "https://prices.example/m",
        sourceDate: "2026-02-03",
      },
      expect.objectContaining({
        provider: null,
        untilMs: null,
        hours: null,
        cacheRead: null,
        cacheWrite: null,
      }),
    ])
  })

  it.each([
    [null, []],
    [{ schema: "refold.prices/2", prices: [] }, ["schema"]],
    [{ schema: pricesSchema }, ["prices"]],
    [file(row({ cacheread: 1 })), ["prices", 0, "cacheread"]],
    [file(row(), row({ input: null })), ["prices", 1, "input"]],
    [file(row({ source: "" })), ["prices", 0, "source"]],
    [file(row({ hours: { from: "16:30" } })), ["prices", 0, "hours", "to"]],
  ] as const)("TK28: %j has not the shape of one", (value, path) => {
    expect(leftOf(pricesOf(value))).toEqual([
      { code: "prices-shape", fault: { path, expected: expect.any(String) } },
    ])
  })

  it("TK28: all that is wrong with rows is told at once", () => {
    const hours = { from: "24:00", to: "7" }
    expect(
      refusalsOf(
        row({ from: "2026-02-30", input: "1e3", cacheRead: -1, sourceDate: "yesterday" }),
        row({ model: "n", until: "2026-01-01", hours }),
        row({ model: "o", hours: { from: "10:00", to: "10:00" }, until: "soon" }),
      ),
    ).toEqual([
      { code: "price-time", row: 0, field: "from" },
      { code: "price-amount", row: 0, field: "input" },
      { code: "price-amount", row: 0, field: "cacheRead" },
      { code: "price-time", row: 0, field: "sourceDate" },
      { code: "price-time", row: 1, field: "hours.from" },
      { code: "price-time", row: 1, field: "hours.to" },
      { code: "price-period-empty", row: 1 },
      { code: "price-time", row: 2, field: "until" },
      { code: "price-hours-empty", row: 2 },
    ])
  })

  it("TK28: two rows of which neither says more are refused", () => {
    const overlap = [{ code: "prices-overlap", row: 1, other: 0 }]
    expect(refusalsOf(row(), row({ from: "2026-05-01" }))).toEqual(overlap)
    expect(refusalsOf(row({ until: "2026-05-02" }), row({ from: "2026-05-01" }))).toEqual(overlap)
    const night = { hours: { from: "22:00", to: "06:00" } }
    expect(refusalsOf(row(night), row({ hours: { from: "05:59", to: "07:00" } }))).toEqual(overlap)
    expect(refusalsOf(row(night), row({ hours: { from: "21:00", to: "22:01" } }))).toEqual(overlap)
  })

  it("TK28: rows one after another, of other models, providers and hours stand side by side", () => {
    const night = { hours: { from: "22:00", to: "06:00" } }
    const rows = [
      row({ until: "2026-05-01" }),
      row({ from: "2026-05-01" }),
      row({ provider: "p" }),
      row({ model: "n" }),
      row(night),
      row({ hours: { from: "06:00", to: "22:00" } }),
    ]
    expect(tableOf(...rows)).toHaveLength(6)
  })
})

describe("the price of a call", () => {
  const night = { hours: { from: "16:30", to: "00:30" } }
  const table = tableOf(
    row({ input: 4, until: "2026-06-01" }),
    row({ input: 2, until: "2026-06-01", ...night }),
    row({ input: 3, from: "2026-06-01T08:00Z" }),
    row({ input: 9, provider: "q", model: "m" }),
  )
  const inputAt = (text: string, provider = "p"): number =>
    rightOf(priceAt(table, { provider, model: "m" }, at(text))).input / 1e6

  it("TK25: is that of the row that holds then; its end is not a part of it", () => {
    expect(inputAt("2026-01-01T00:30Z")).toBe(4)
    expect(inputAt("2026-05-31T16:29Z")).toBe(4)
    expect(inputAt("2026-06-01T08:00Z")).toBe(3)
    expect(inputAt("2031-01-01")).toBe(3)
  })

  it("TK25: is that of its hours, past midnight too", () => {
    expect(inputAt("2026-05-31T16:30Z")).toBe(2)
    expect(inputAt("2026-05-31T23:59Z")).toBe(2)
    expect(inputAt("2026-02-01T00:29Z")).toBe(2)
    expect(inputAt("2026-02-01T00:30Z")).toBe(4)
    expect(inputAt("2026-06-01T16:30Z")).toBe(3)
  })

  it("TK25: is that of its own provider before that of any", () => {
    expect(inputAt("2026-02-01T00:00Z", "q")).toBe(9)
  })

  it("TK27: an unknown model, and a time without a row, have no price", () => {
    expect(leftOf(priceAt(table, { provider: "p", model: "m-2" }, 0))).toEqual({
      code: "price-model-unknown",
      provider: "p",
      model: "m-2",
    })
    const timeMs = at("2026-06-01T07:59Z")
    expect(leftOf(priceAt(table, route, timeMs))).toEqual({
      code: "price-time-unknown",
      ...route,
      timeMs,
    })
    expect(leftOf(priceAt(table, route, at("2026-06-01"))).code).toBe("price-time-unknown")
    const own = tableOf(row({ provider: "q" }))
    expect(leftOf(priceAt(own, route, timeMs)).code).toBe("price-model-unknown")
  })
})

describe("cost", () => {
  const priced = tableOf(row({ cacheRead: 0.028, cacheWrite: 0.3 }))
  const timeMs = at("2026-02-01")

  it("TK26: is whole pico-USD: each bucket at its own price, reasoning within the output", () => {
    const usage = {
      inputTokens: 1_000,
      outputTokens: 7,
      cacheReadTokens: 3,
      cacheWriteTokens: 11,
      reasoningTokens: 5,
    }
    // 1000·270000 + 7·1100000 + 3·28000 + 11·300000
    expect(rightOf(costOf(priced, route, usage, timeMs)).picoUsd).toBe(281_084_000n)
    expect(rightOf(costOf(priced, route, usage, timeMs)).row).toBe(priced[0])
  })

  it("TK26: a thousand cents are ten dollars, however they are added up", () => {
    const cent = { ...noUsage, inputTokens: 100_000 }
    const table = tableOf(row({ input: "0.1" }))
    let sum = 0n
    for (let i = 0; i < 1_000; i++) sum += rightOf(costOf(table, route, cent, timeMs)).picoUsd
    expect(sum).toBe(10n * 10n ** 12n)
  })

  it("TK26: stays exact where numbers would not", () => {
    const usage = { ...noUsage, outputTokens: Number.MAX_SAFE_INTEGER }
    expect(rightOf(costOf(priced, route, usage, timeMs)).picoUsd).toBe(
      9_007_199_254_740_991n * 1_100_000n,
    )
  })

  it("TK27: cached tokens without a price of their own have no cost", () => {
    const table = tableOf(row())
    expect(rightOf(costOf(table, route, { ...noUsage, inputTokens: 1 }, timeMs)).picoUsd).toBe(
      270_000n,
    )
    for (const bucket of ["cacheRead", "cacheWrite"] as const) {
      const usage = { ...noUsage, [`${bucket}Tokens`]: 1 }
      expect(leftOf(costOf(table, route, usage, timeMs))).toEqual({
        code: "price-bucket-unknown",
        ...route,
        bucket,
      })
    }
  })

  it("TK27: what cannot be priced is told", () => {
    expect(leftOf(costOf([], route, noUsage, timeMs)).code).toBe("price-model-unknown")
  })
})

describe("built-in prices", () => {
  it("TK29: no row lacks its source and the date of it", () => {
    for (const each of builtInPrices) {
      expect(each.source).toMatch(/^https:\/\//)
      expect(utcTimeMs(each.sourceDate)).not.toBeNull()
    }
  })
})
