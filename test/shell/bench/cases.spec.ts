import { afterAll, describe, expect, it } from "vitest"
import { discover } from "#shell/archive/discover"
import { Agreement, sumOf } from "#shell/bench/agreement"
import { BenchPools, casesOf } from "#shell/bench/cases"
import { publicPackages } from "#shell/bench/public-packages"
import { measuredCases } from "#shell/bench/ratios"
import { interleaved } from "#shell/bench/rounds"
import floorTask from "#workers/floor-task"
import publicTask from "#workers/public-task"
import type { LogSource, PassFigures } from "#workers/task-protocol"
import { temporaryFolder } from "../folder.ts"
import { assistant, mode, sessionLog, turnStart, user } from "../session-logs.ts"

const folder = temporaryFolder()

const replaced = user(4, "both", {
  surfaceOp: { op: "replace", start: 1, end: 3 },
  sourceEventSeqs: [[1, 3]],
})
const packed =
  '{"type":"text-chunks","seq0":5,"time0":5,"data":{"turn":1,"step":1,"index":0,"dt":[0,0],"texts":["a","b","c"]}}'

// header and seven rows of eight events, and 3 bytes of a torn line; live are seqs 4 and 8
const first = folder.file(
  "a/session.jsonl",
  `${sessionLog(
    "first",
    turnStart(0, 1),
    user(1, "one"),
    assistant(2, 1, 1, "two"),
    user(3, "three"),
    replaced,
    packed,
    user(8, "12345"),
  )}{"t`,
)
// header and two rows; live is seq 1
const second = folder.file("b/session.jsonl", sessionLog("second", mode(0), user(1, "é")))

const { logs } = discover([folder.path])
const source = (path: string): LogSource => ({ path, descriptor: null, namedVersion: 0 })
const byteCount = logs.reduce((sum, log) => sum + log.byteCount, 0)

// "both", "12345", "é": 1, 2 and 1 tokens of text, each with 4 for its block and 4 for its message
const found: PassFigures = {
  byteCount,
  lineCount: 11,
  eventCount: 11,
  nodeCount: 3,
  messageTokens: 28,
}

const nothing: PassFigures = {
  byteCount: null,
  lineCount: null,
  eventCount: null,
  nodeCount: null,
  messageTokens: null,
}

describe("the floor", () => {
  const sources = [source(first), source(second)]

  it("BE2: reads all bytes, finds lines that end, and parses them", () => {
    expect(floorTask({ pass: "read", sources })).toStrictEqual({ ...nothing, byteCount })
    for (const pass of ["newlines", "parse"] as const)
      expect(floorTask({ pass, sources })).toStrictEqual({ ...nothing, byteCount, lineCount: 11 })
  })

  it("BE2: parses each line, and no other text", () => {
    const bad = source(folder.file("other/bad.jsonl", '{"type":"session"}\n{"a":1\n'))
    expect(floorTask({ pass: "newlines", sources: [bad] }).lineCount).toBe(2)
    expect(() => floorTask({ pass: "parse", sources: [bad] })).toThrow(SyntaxError)
  })

  it("BE2: fails for a file that is not there", () => {
    const sources = [source(folder.at("missing"))]
    expect(() => floorTask({ pass: "read", sources })).toThrow("not-found")
  })
})

const packages = await publicPackages()

describe.skipIf(packages === null)("the public packages", () => {
  const surfaceModule = packages?.surface.url ?? ""
  const sources = [source(first), source(second)]
  // as the meter of the agent counts a text, and nothing else of a message
  const pricing =
    "export const estimateMessage = (m) => m.content.reduce((sum, b) => sum + Math.ceil(b.text.length / 4) + 4, 4)"
  const priceModule = `data:text/javascript,${encodeURIComponent(pricing)}`

  it("BE3: fold whole logs, packed rows and pairs of seqs included", async () => {
    const reply = await publicTask({ sources, surfaceModule, priceModule: null })
    expect(reply).toStrictEqual({ ...found, messageTokens: null })
  })

  it("BE3: price all messages; what live nodes cost together is told", async () => {
    expect(await publicTask({ sources, surfaceModule, priceModule })).toStrictEqual(found)
  })
})

describe("all cases", () => {
  const pools = new BenchPools(2, packages !== null)
  afterAll(() => pools.close())
  const { signal } = new AbortController()
  const bench = { packages, pools, signal }

  it("BE1 BE4: go over the same logs and find the same, on one thread and on two", async () => {
    const cases = casesOf({ logs, ...bench })
    const agreement = new Agreement()
    agreement.take("by hand", found)
    await interleaved(cases, { rounds: 1, sampleMs: 0, onResult: agreement.take })
    expect(agreement.figures()).toStrictEqual(found)
    expect(cases.map(({ name }) => name)).toStrictEqual([
      "read",
      "newline-scan",
      "json-parse",
      ...(packages === null ? [] : ["public-packages", "public-packages, 2 workers"]),
      "fold",
      "fold-digest",
      "fold, 2 workers",
      "fold-digest, 2 workers",
    ])
  })

  it("BE3: one log is one task of the public packages", () => {
    const [log] = logs
    const cases = casesOf({ logs: log === undefined ? [] : [log], ...bench })
    expect(cases.map(({ name }) => name)).not.toContain("public-packages, 2 workers")
  })

  it("BE4: a log that is refused is no measurement", async () => {
    const bad = discover([folder.file("other/session.jsonl", sessionLog("bad", mode(1)))])
    const fold = casesOf({ logs: bad.logs, ...bench }).find(({ way }) => way === "fold")
    await expect(fold?.run()).rejects.toThrow("refused")
  })
})

describe("what cases find", () => {
  it("BE4: must be the same for all that look", () => {
    const agreement = new Agreement()
    agreement.take("a", { ...nothing, lineCount: 3 })
    agreement.take("b", { ...nothing, lineCount: 3, nodeCount: 7 })
    expect(() => agreement.take("c", { ...nothing, nodeCount: 8 })).toThrow(
      "nodeCount: 7 by b, 8 by c",
    )
    expect(agreement.figures()).toStrictEqual({ ...nothing, lineCount: 3, nodeCount: 7 })
  })

  it("BE4: is summed over logs, and unknown where it is of one of them", () => {
    const one = { ...found, messageTokens: null }
    expect(sumOf([one, found, found])).toStrictEqual({
      byteCount: byteCount * 3,
      lineCount: 33,
      eventCount: 33,
      nodeCount: 9,
      messageTokens: null,
    })
  })
})

describe("ratios", () => {
  const cases = [
    ["json-parse", 1, 100],
    ["public-packages", 1, 250],
    ["public-packages", 2, 150],
    ["fold", 1, 40],
    ["fold", 2, 25],
  ] as const
  const timesOf = (wanted: readonly (typeof cases)[number][]) =>
    measuredCases(
      wanted.map(([way, workers]) => ({ way, workers, name: "", run: () => nothing })),
      wanted.map(([, , medianMs]) => ({ name: "", minMs: 1, medianMs, maxMs: 900 })),
      50_000_000,
    ).map((each) => [each.megabytesPerSecond, each.timesJsonParse, each.timesPublicPackages])

  it("BE6: are those of medians, to JSON.parse on one thread and to the public packages", () => {
    expect(timesOf(cases)).toStrictEqual([
      [500, 1, 2.5],
      [200, 0.4, 1],
      [333.3, 0.667, 1],
      [1250, 2.5, 6.25],
      [2000, 4, 6],
    ])
  })

  it("BE6: are to the public packages on one thread where they cannot use more", () => {
    const single = cases.filter(([way, workers]) => way !== "public-packages" || workers === 1)
    expect(timesOf(single).at(-1)).toStrictEqual([2000, 4, 10])
  })

  it("BE3: are to no public packages where these were not measured", () => {
    const without = cases.filter(([way]) => way !== "public-packages")
    expect(timesOf(without).map(([, , times]) => times)).toStrictEqual([null, null, null])
  })
})
