import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import type { ReplayOptions, SessionRecord, StepRecord } from "#shell/index"
import { replay } from "#shell/index"
import { loadPrices } from "#shell/price-table"
import type { Totals } from "#shell/report/totals"
import { temporaryFolder } from "../shell/folder.ts"
import { sessionLog, user } from "../shell/session-logs.ts"
import { refold, samples } from "./run.ts"
import { faultsOf } from "./schemas.ts"

const folder = temporaryFolder()

const row = { from: "1970-01-01", source: "made up", sourceDate: "2026-01-01" }
const pricesFile = (name: string, ...prices: readonly object[]): string =>
  folder.file(name, JSON.stringify({ schema: "refold.prices/1", prices }))

// what the samples ask, at 0.27 USD a million and so on
const prices = pricesFile("prices.json", {
  ...row,
  model: "harbor-coder-2",
  input: "0.27",
  output: 1.1,
  cacheRead: 0.07,
})
const sample = `${samples}/--srv-code-atlas--/atlas-retry-budget`

interface Replay {
  readonly sessions: readonly SessionRecord[]
  readonly totals: Totals
}

const records = async (
  paths: string | readonly string[],
  options: ReplayOptions,
): Promise<readonly (SessionRecord | StepRecord)[]> => {
  const found: (SessionRecord | StepRecord)[] = []
  for await (const record of replay(paths, options)) found.push(record)
  return found
}

describe("replay --tokenizer and --prices", () => {
  it("TZ1 TZ21 TZ27: add figures to sessions, and their exact sums to the totals", async () => {
    const flags = ["--tokenizer", "heuristic", "--prices", prices]
    const { status, stdout } = await refold(["replay", "--json", ...flags, samples])
    const { sessions, totals } = JSON.parse(stdout) as Replay
    // a sample is refused
    expect(status).toBe(1)
    expect(faultsOf("replay", { schema: "refold.replay/1", sessions, totals })).toStrictEqual([])
    for (const { tokens, tokenized } of sessions)
      expect(tokenized).toStrictEqual({ tokenizer: "heuristic", exact: false, ...tokens })
    expect(totals.tokenized).toStrictEqual({
      tokenizer: "heuristic",
      exact: false,
      ...totals.tokens,
    })
    const costs = sessions.flatMap(({ cost }) => cost ?? [])
    expect(costs).toHaveLength(sessions.length)
    for (const bucket of ["picoUsd", "input", "output", "cacheRead", "cacheWrite"] as const)
      expect(totals.cost?.[bucket]).toBe(
        String(costs.reduce((sum, cost) => sum + BigInt(cost[bucket]), 0n)),
      )
    const { inputTokens, outputTokens, cacheReadTokens } = totals.usage
    expect(totals.cost).toMatchObject({
      input: String(BigInt(inputTokens) * 270_000n),
      output: String(BigInt(outputTokens) * 1_100_000n),
      cacheRead: String(BigInt(cacheReadTokens) * 70_000n),
      cacheWrite: "0",
      unpriced: [],
    })
    expect(BigInt(totals.cost?.picoUsd ?? 0)).toBeGreaterThan(0n)
  })

  it("TZ8 TZ24: as text, of standard input, with what has no price: status 1", async () => {
    const text = sessionLog("s", user(0, "hello world"), user(1, "hello"))
    const other = pricesFile("other.json", { ...row, model: "other", input: 1, output: 1 })
    const flags = ["replay", "--tokenizer", "o200k", "--prices", other]
    const { status, stdout } = await refold([...flags, "-", sample], { input: text })
    expect(status).toBe(1)
    expect(stdout).toMatch(/^path .* o200k +USD +status$/m)
    expect(stdout).toMatch(/^- .* 3 +0\.00 +ok$/m)
    expect(stdout).toMatch(/ ≥ 0\.00 +ok$/m)
    expect(stdout).toContain(" tokens by o200k, exact for the texts: ")
    expect(stdout).toContain("cost of 0 reports: 0.00 USD: ")
    expect(stdout).toMatch(/^price-model-unknown: harbor-coder-2 of .*: \d+ reports$/m)
  })

  it("TZ7 TZ25: what is wrong with them is told, all of it, and nothing is read", async () => {
    const wrong = pricesFile(
      "wrong.json",
      { ...row, model: "a", input: -1, output: 1, from: "yesterday" },
      { ...row, model: "b", input: 1, output: "1e3", until: "1970-01-01" },
    )
    const [name, file] = await Promise.all([
      refold(["replay", "--tokenizer", "gpt", samples]),
      refold(["replay", "--prices", wrong, samples]),
    ])
    expect([name.status, name.stdout, file.status, file.stdout]).toStrictEqual([3, "", 3, ""])
    expect(name.stderr).toContain("heuristic, o200k, deepseek-v3")
    for (const text of [
      "row 0: from is no UTC date",
      "row 0: input is no amount",
      "row 1: output is no amount",
      "row 1: it ends before it begins",
    ])
      expect(file.stderr).toContain(text)
  })
})

describe("files of prices", () => {
  it("TZ25: are named where they are none, or not to be had", () => {
    expect(() => loadPrices(folder.file("no.json", "{"))).toThrow("no.json: not JSON")
    expect(() => loadPrices(folder.file("x.json", '{"schema":"x"}'))).toThrow(
      /x\.json: .*\[prices-shape\]/,
    )
    expect(() => loadPrices(folder.at("missing.json"))).toThrow("cannot be read (ENOENT)")
  })

  it("TZ25: of many faults the first twenty are told, and how many more there are", () => {
    const rows = Array.from({ length: 30_000 }, () => ({ ...row, model: "a", input: 1, output: 1 }))
    const many = folder.file(
      "many.json",
      JSON.stringify({ schema: "refold.prices/1", prices: rows }),
    )
    const failure = ((): string => {
      try {
        loadPrices(many)
        return ""
      } catch (cause) {
        return String(cause)
      }
    })()
    expect(failure.split("\n")).toHaveLength(21)
    expect(failure).toContain("row 20: it says what row 0 says as well")
    expect(failure).toMatch(/many\.json: and 29979 more$/)
  })

  it("TZ25: two rows that say the same are told with both numbers", () => {
    const same = { ...row, model: "a", input: 1, output: 1 }
    const hours = { hours: { from: "10:00", to: "10:00" } }
    const path = pricesFile("two.json", same, same, { ...same, model: "b", ...hours })
    expect(() => loadPrices(path)).toThrow("row 1: it says what row 0 says as well")
    expect(() => loadPrices(path)).toThrow("row 2: its hours begin when they end")
  })
})

describe("replay with a tokeniser as a library", () => {
  it("TZ8 TZ9 TZ11: containers too; refused logs to where they are; requests as ever", async () => {
    const text = sessionLog("s", user(0, "hello world"), user(1, "hello"))
    const paths = [
      folder.file("packed/session.jsonl.gz", gzipSync(text)),
      folder.file("refused/session.jsonl", `${sessionLog("s", user(0, "hello"))}{\n`),
      folder.file("none/session.jsonl", "hello\n"),
    ]
    const options = { tokenizer: "o200k", prices, workers: 1 }
    const [none, packed, refused] = (await records(paths, options)) as readonly SessionRecord[]
    expect(packed).toMatchObject({
      status: "ok",
      tokenized: { tokenizer: "o200k", exact: true, system: 0, tools: 0, messages: 3, total: 3 },
    })
    expect(refused).toMatchObject({ status: "refused", tokenized: { total: 1 } })
    expect(none).toMatchObject({ status: "unreadable" })
    expect(none).not.toHaveProperty("tokenized")
    expect(none).not.toHaveProperty("cost")
    const steps = (found: Awaited<ReturnType<typeof records>>): readonly object[] =>
      found.filter(({ schema }) => schema === "refold.step/1")
    const counted = steps(await records(sample, { ...options, steps: true }))
    expect(counted.length).toBeGreaterThan(5)
    expect(counted).toStrictEqual(steps(await records(sample, { steps: true, workers: 1 })))
  })

  it.each(["o200k", "deepseek-v3"])("TZ1: %s labels its counts", async (tokenizer) => {
    for (const record of await records(samples, { tokenizer, workers: 1 })) {
      expect(faultsOf("session", record)).toStrictEqual([])
      expect(record).toMatchObject({ tokenized: { tokenizer } })
    }
  })
})
