import { describe, expect, it } from "vitest"
import { gzipSync } from "node:zlib"
import { readFileSync } from "node:fs"
import type { JsonObject } from "#core/data/json"
import type { BlameRecord, BlameReportRecord } from "#shell/report/blame-record"
import type { DiffRecord } from "#shell/report/diff-record"
import type { RequestRecord } from "#shell/report/request-record"
import { headerIn, logUnder } from "../fixtures/log-in-memory.ts"
import { temporaryFolder } from "../shell/folder.ts"
import { assistant, stepEnd, stepStart, turnStart, user } from "../shell/session-logs.ts"
import { recordsIn, refold, samples } from "./run.ts"
import { faultsOf, mutants } from "./schemas.ts"

const folder = temporaryFolder()

const retried = `${samples}/--srv-code-atlas--/atlas-flaky-provider/session.v1.jsonl`
const refused = `${samples}/--srv-code-atlas--/atlas-missing-source/session.jsonl`
const newest = `${samples}/--home-mira-tide~0020pool~0020~0028~03B2~0029--/tidepool-forecast/session.v4.jsonl`

const linesOf = async (log: string): Promise<readonly RequestRecord[]> =>
  recordsIn<RequestRecord>((await refold(["requests", log, "--ndjson"])).stdout)

const addressOf = ({ turn, step, attempt }: RequestRecord): string => `${turn}.${step}.${attempt}`

const prompt = (seq: number, text: string, more: JsonObject = { surfaceOp: "append" }) => ({
  type: "system/message",
  seq,
  time: seq,
  data: {
    turn: 1,
    step: 1,
    message: {
      id: `s${seq}`,
      role: "system",
      source: { kind: "system-prompt" },
      content: [{ type: "text", text }],
    },
  },
  ...more,
})

const header = (seq: number, config: JsonObject, more: JsonObject): JsonObject => ({
  type: "request/header",
  seq,
  time: seq,
  data: { header: { config: { provider: "p", model: "m", ...config } }, ...more },
})

const answer = (seq: number, step: number): JsonObject => {
  const event = assistant(seq, 1, step, "yes")
  return { ...event, data: { ...(event["data"] as JsonObject), stream: [] } }
}

// two steps; the second one begins with another prompt
const rewritten = folder.file(
  "rewritten/session.v4.jsonl",
  logUnder(
    headerIn(4, { id: "rewritten" }),
    turnStart(0, 1),
    stepStart(1, 1, 1),
    prompt(2, "Be brief."),
    user(3, "Why?"),
    header(4, {}, { reason: "initial" }),
    answer(5, 1),
    stepEnd(6, 1, 1),
    stepStart(7, 1, 2),
    prompt(8, "Be long.", {
      sourceEventSeqs: [2],
      surfaceOp: { op: "replace", startSeq: 2, endSeq: 2 },
    }),
    header(9, { temperature: 1 }, { reason: "change", startsSeries: true }),
    answer(10, 2),
  ),
)

describe("refold request", () => {
  it("C60: prints the request at an address, and RQ5: what the log says of it", async () => {
    const { stdout, status } = await refold(["request", rewritten, "--at", "1.2", "--json"])
    expect(status).toBe(0)
    const record = JSON.parse(stdout) as RequestRecord
    expect(record).toMatchObject({
      schema: "refold.request/1",
      session: "rewritten",
      formatVersion: 4,
      turn: 1,
      step: 2,
      attempt: 1,
      throughSeq: 9,
      reason: "change",
      startsSeries: true,
      header: { config: { provider: "p", model: "m", temperature: 1 } },
      system: "Be long.",
      toolHistory: { tools: [], updates: [] },
      tools: [],
    })
    expect(record.messages.map(({ id }) => id)).toEqual(["s8", "u3", "a5"])
    // 8 or 4 or 3 code units and what a block and a role cost
    expect(record.tokens).toEqual({ system: 6, tools: 0, messages: 18, total: 24 })
    expect(faultsOf("request", record)).toEqual([])
    for (const [what, mutant] of mutants(record))
      expect(faultsOf("request", mutant), what).not.toEqual([])
  })

  it("C60: is the last one without an address, and text for people", async () => {
    const last = await refold(["request", rewritten])
    expect(last.status).toBe(0)
    expect(last.stdout).toContain("request      1.2.1\n")
    expect(last.stdout).toContain("header       change, starts a series\n")
    expect(last.stdout).toContain("── 1 system\nBe long.\n")
    const json = await refold(["request", rewritten, "--json"])
    expect(JSON.parse(json.stdout)).toMatchObject({ step: 2, throughSeq: 9 })
  })

  it("C60: lists every request, each as it is by its address", async () => {
    const found = await linesOf(retried)
    expect(found.length).toBeGreaterThan(5)
    expect(new Set(found.map(({ attempt }) => attempt)).size).toBeGreaterThan(1)
    for (const record of found.slice(0, 3)) {
      expect(faultsOf("request", record)).toEqual([])
      const one = await refold(["request", retried, "--json", "--at", addressOf(record)])
      expect(JSON.parse(one.stdout)).toEqual(record)
    }
    const whole = JSON.parse((await refold(["requests", retried, "--json"])).stdout) as unknown
    expect(whole).toEqual(found)
    expect(faultsOf("requests", whole)).toEqual([])
    const { stdout } = await refold(["requests", retried])
    expect(stdout.trimEnd().split("\n")).toHaveLength(found.length + 1)
  })

  it("RQ5: up to a seq it is what a request behind it would hold", async () => {
    const at = async (seq: string): Promise<RequestRecord> =>
      JSON.parse((await refold(["request", rewritten, "--json", "--at", seq])).stdout)
    expect(await at("3")).toMatchObject({ turn: 1, step: 1, throughSeq: 3, reason: "unchanged" })
    expect(await at("4")).toMatchObject({ throughSeq: 4, reason: "initial" })
    const behind = await at("6")
    expect(behind).toMatchObject({ turn: null, throughSeq: 6, reason: "unchanged" })
    expect(behind.messages.map(({ id }) => id)).toEqual(["s2", "u3", "a5"])
    expect(faultsOf("request", behind)).toEqual([])
  })

  it("C63: takes containers, standard input and the upgrade, and refuses what is not there", async () => {
    const packed = folder.file("packed/session.v4.jsonl.gz", gzipSync(readFileSync(rewritten)))
    const plain = (await refold(["requests", rewritten, "--ndjson"])).stdout
    expect((await refold(["requests", packed, "--ndjson"])).stdout).toBe(plain)
    const piped = await refold(["requests", "-", "--ndjson"], { input: readFileSync(rewritten) })
    expect(piped.stdout).toBe(plain)
    const upgraded = await refold(["request", retried, "--as", "4", "--at", "1.1", "--json"])
    const record = JSON.parse(upgraded.stdout) as RequestRecord
    expect(record.formatVersion).toBe(4)
    // the prompt of a header has become a message
    expect(record.messages[0]?.["role"]).toBe("system")
    expect(record.system).toBe((await linesOf(retried))[0]?.system)
    const beyond = await refold(["request", rewritten, "--at", "9.9"])
    expect(beyond.status).toBe(3)
    expect(beyond.stderr).toContain("9.9 is past the end: the last event is 10")
    expect(beyond.stderr).toContain("the last request 1.2.1")
    expect((await refold(["request", rewritten, "--at", "11"])).status).toBe(3)
    expect((await refold(["request", rewritten, "--at", "1.x"])).status).toBe(3)
    expect((await refold(["requests", folder.at("missing")])).status).toBe(2)
  })

  it("C63: of a refused log, tells the requests before the refusal", async () => {
    const { stdout, stderr, status } = await refold(["requests", refused, "--ndjson"])
    expect(status).toBe(1)
    expect(stderr).toContain("[source-missing]")
    const found = recordsIn<RequestRecord>(stdout)
    expect(found.length).toBeGreaterThan(0)
    const first = await refold(["request", refused, "--json", "--at", "1.1"])
    expect(JSON.parse(first.stdout)).toEqual(found[0])
  })

  it("RQ2: puts tools as a provider takes them", async () => {
    const [record] = await linesOf(newest)
    const none = await refold(["request", newest, "--at", "1.1", "--tool-update", "none", "--json"])
    const put = JSON.parse(none.stdout) as RequestRecord
    expect(put.toolUpdate).toBe("none")
    expect(put.messages.some(({ role }) => role === "developer")).toBe(false)
    expect(put.tools.length).toBe(record?.tools.length)
    const wrong = await refold(["request", newest, "--tool-update", "sometimes"])
    expect(wrong.status).toBe(3)
  })
})

describe("refold diff", () => {
  const diff = async (...args: readonly string[]) => await refold(["diff", ...args])

  it("C61: tells where two requests part, with status 1", async () => {
    const { stdout, status } = await diff(rewritten, "1.1", "1.2", "--json")
    expect(status).toBe(1)
    const record = JSON.parse(stdout) as DiffRecord
    expect(record).toEqual({
      schema: "refold.diff/1",
      session: "rewritten",
      a: { turn: 1, step: 1, attempt: 1, throughSeq: 4 },
      b: { turn: 1, step: 2, attempt: 1, throughSeq: 9 },
      isSame: false,
      part: "header",
      messageIndex: null,
      difference: { pointer: "/config/temperature", after: 1 },
      sharedMessages: 0,
      sharedBytes: 0,
      config: [{ pointer: "/temperature", after: 1 }],
      tools: { added: [], removed: [], changed: [] },
      removedMessages: 2,
      addedMessages: 3,
    })
    expect(faultsOf("diff", record)).toEqual([])
    for (const [what, mutant] of mutants(record))
      expect(faultsOf("diff", mutant), what).not.toEqual([])
    const text = await diff(rewritten, "1.1", "1.2")
    expect(text.stdout).toContain("1.1.1 and 1.2.1\ndiffer in      header\n")
  })

  it("RQ7: finds the first message, and the place in it", async () => {
    const { stdout } = await diff(rewritten, "7", "8", "--json")
    expect(JSON.parse(stdout)).toMatchObject({
      part: "system",
      messageIndex: 0,
      difference: { pointer: "/content/0/text", before: "Be brief.", after: "Be long." },
    })
  })

  it("C61: says that requests are the same, with status 0", async () => {
    const { stdout, status } = await diff(rewritten, "1.1", "4")
    expect(status).toBe(0)
    expect(stdout).toMatch(/^1\.1\.1 and 1\.1\.1 are the same: 2 messages, \d+ bytes\n$/)
    expect((await diff(rewritten, "1.1")).status).toBe(3)
    expect((await diff(rewritten, "1.1", "7.1")).status).toBe(3)
  })
})

describe("refold blame", () => {
  it("C62: compares each request with the one before, and sums up the causes", async () => {
    const { stdout, status } = await refold(["blame", rewritten, "--json"])
    expect(status).toBe(0)
    const record = JSON.parse(stdout) as BlameReportRecord
    expect(faultsOf("blame-report", record)).toEqual([])
    for (const [what, mutant] of mutants(record))
      expect(faultsOf("blame-report", mutant), what).not.toEqual([])
    expect(record.requests.map(({ cause, causeSeq, part }) => [part, cause, causeSeq])).toEqual([
      [null, null, null],
      ["system", "system-rewrite", 8],
    ])
    // "Why?" was sent before, and is sent again behind the new prompt
    expect(record.totals).toEqual({
      requestCount: 2,
      brokenCount: 1,
      resentTokens: 9,
      causes: [{ cause: "system-rewrite", requests: 1, resentTokens: 9 }],
      comparedCount: 0,
      disagreeingCount: 0,
    })
    const rows = recordsIn<BlameRecord>((await refold(["blame", rewritten, "--ndjson"])).stdout)
    expect(rows).toEqual(record.requests)
    for (const row of rows) {
      expect(faultsOf("blame", row)).toEqual([])
      for (const [what, mutant] of mutants(row))
        expect(faultsOf("blame", mutant), what).not.toEqual([])
    }
    const text = await refold(["blame", rewritten])
    expect(text.stdout).toContain("2 requests, 1 not begun like the one before")
    expect(text.stdout).toContain("system-rewrite: 1 request, 9 tokens sent again\n")
  })

  it("C62: of a refused log up to the refusal, with status 1", async () => {
    const { stdout, status } = await refold(["blame", refused, "--json"])
    expect(status).toBe(1)
    const record = JSON.parse(stdout) as BlameReportRecord
    expect(record).toMatchObject({ status: "refused", refusalCode: "source-missing" })
    expect(record.requests.length).toBeGreaterThan(0)
    expect((await refold(["blame", folder.at("missing")])).status).toBe(2)
  })
})
