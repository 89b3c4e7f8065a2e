import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import type { SessionRecord, StepRecord } from "#shell/report/session-record"
import type { FindingRecord, VerdictRecord } from "#shell/report/check-record"
import type { FoldRecord } from "#shell/report/fold-record"
import { foldRecord } from "#shell/report/fold-record"
import type { MigrationRecord } from "#shell/report/migration-record"
import type { RecoveryRecord } from "#shell/report/recovery-record"
import { discover } from "#shell/archive/discover"
import foldTask from "#workers/fold-task"
import { temporaryFolder } from "../shell/folder.ts"
import { mode, sessionLog } from "../shell/session-logs.ts"
import { describeShared, sharedDirectory } from "../shared.ts"
import type { SchemaName } from "./schemas.ts"
import { faultsOf, schemas } from "./schemas.ts"
import { recordsIn, refold, samples } from "./run.ts"

const folder = temporaryFolder()

const archives = sharedDirectory === null ? [] : [`${sharedDirectory}/archives/dsh-v0`]

const bad = [
  folder.file("bad/refused/session.jsonl", sessionLog("refused", mode(1))),
  folder.file("bad/row/session.jsonl", sessionLog("row", mode(0), "{")),
  folder.file("bad/torn/session.jsonl", `${sessionLog("torn", mode(0))}{`),
  folder.file("bad/empty/session.jsonl", ""),
  folder.file("bad/packed/session.jsonl.zstd", "x"),
  folder.at("bad/missing"),
]

const findingsOf = (document: unknown): readonly FindingRecord[] =>
  (
    document as { readonly logs: readonly { readonly findings: readonly FindingRecord[] }[] }
  ).logs.flatMap(({ findings }) => findings)

const verdictsOf = (document: unknown): readonly object[] =>
  (document as { readonly logs: readonly { readonly findings: unknown }[] }).logs.map(
    ({ findings: _, ...verdict }) => verdict,
  )

const isStep = (record: SessionRecord | StepRecord): record is StepRecord =>
  record.schema === "refold.step/1"

const nameOf = (record: SessionRecord | StepRecord): SchemaName =>
  isStep(record) ? "step" : "session"

const sample = `${samples}/--home-mira-tide~0020pool~0020~0028~03B2~0029--/tidepool-forecast/session.v4.jsonl`

const document = async (...args: readonly string[]): Promise<unknown> =>
  JSON.parse((await refold(args)).stdout)

const [replay, nothing, fold] = await Promise.all([
  document("replay", "--json", "--steps", samples, ...bad),
  document("replay", "--json", folder.folder("nothing")),
  document("fold", "--json", sample),
])

const gap = folder.file("bad/gap/session.jsonl", sessionLog("gap", mode(0), mode(5), "{", mode(6)))
const torn = folder.at("bad/torn/session.jsonl")
const out = folder.folder("out")

const [check, migrate, recovery] = await Promise.all([
  document("check", "--json", "--as", "4", samples, ...archives, ...bad, gap),
  document("migrate", "--json", "--out", out, samples, ...archives, ...bad, gap),
  document("recover", "--json", "--out", out, gap),
])

describe("the published schemas", () => {
  it("C1: there is one for each output, with a title and a description of every field", () => {
    expect(schemas.map(({ title }) => title)).toStrictEqual(
      [
        "bench",
        "check",
        "finding",
        "fold",
        "messages",
        "migrate",
        "migration",
        "recovery",
        "replay",
        "session",
        "step",
        "verdict",
      ].map((name) => `refold.${name}/1`),
    )
    for (const { properties = {}, title } of schemas)
      for (const [name, property] of Object.entries(properties))
        if (name !== "schema" && !("$ref" in property))
          expect(property, `${title} ${name}`).toHaveProperty("description")
  })

  it("C1: records of sessions and steps are as the schemas say", async () => {
    const { stdout } = await refold([
      "replay",
      "--ndjson",
      "--steps",
      "--digest",
      samples,
      ...archives,
      ...bad,
    ])
    const records = recordsIn<SessionRecord | StepRecord>(stdout)
    expect(new Set(records.map(nameOf))).toStrictEqual(new Set(["session", "step"]))
    expect(records.length).toBeGreaterThan(15 + bad.length)
    for (const record of records)
      expect(faultsOf(nameOf(record), record), record.path).toStrictEqual([])
  })

  it("C1: a replay as one document is as its schema says, with and without steps", () => {
    expect(faultsOf("replay", replay)).toStrictEqual([])
    expect(replay).toHaveProperty("steps")
    expect(faultsOf("replay", nothing)).toStrictEqual([])
    expect(nothing).not.toHaveProperty("steps")
  })

  it("C1: the fold and the messages of a log are as their schemas say", async () => {
    expect(faultsOf("fold", fold)).toStrictEqual([])
    const [missing, messages, transcript] = await Promise.all([
      refold(["fold", "--json", folder.at("bad/missing")]),
      refold(["messages", "--json", sample]),
      refold(["transcript", "--json", sample]),
    ])
    expect(faultsOf("fold", JSON.parse(missing.stdout))).toStrictEqual([])
    expect(faultsOf("messages", JSON.parse(messages.stdout))).toStrictEqual([])
    expect(faultsOf("messages", JSON.parse(transcript.stdout))).toStrictEqual([])
  })

  it("C1: the fold of every log at hand is as its schema says", () => {
    const { logs } = discover([samples, ...archives, ...bad])
    for (const log of logs) {
      if (log.fault !== null) continue
      const reply = foldTask({
        source: { path: log.file, descriptor: null, namedVersion: log.name?.version ?? null },
        tolerance: "default",
        at: null,
        withDigest: false,
        withTranscript: false,
      })
      if (reply.is !== "folded") throw new Error("the whole log was asked for")
      expect(faultsOf("fold", foldRecord(reply)), log.file).toStrictEqual([])
    }
  })
})

describe("the schemas of checks, migrations and recoveries", () => {
  it("C1: a check is as its schema says, with every status of a log and of an upgrade", () => {
    expect(faultsOf("check", check)).toStrictEqual([])
    const { logs } = check as {
      readonly logs: readonly (VerdictRecord & { readonly findings: readonly FindingRecord[] })[]
    }
    expect(new Set(logs.map(({ status }) => status))).toStrictEqual(
      new Set(["ok", "torn", "refused", "unreadable"]),
    )
    expect(new Set(logs.map(({ upgrade }) => upgrade?.status))).toStrictEqual(
      new Set(["accepted", "refused", "current", "unreadable", undefined]),
    )
    for (const { findings, ...verdict } of logs) {
      expect(faultsOf("verdict", verdict), verdict.path).toStrictEqual([])
      for (const finding of findings)
        expect(faultsOf("finding", finding), `${finding.path} ${finding.code}`).toStrictEqual([])
    }
  })

  it("C1: --recoverable and a log in a container keep to the schemas", async () => {
    const gzip = folder.file("packed.jsonl.gz", gzipSync(sessionLog("s", mode(0))))
    const broken = folder.file(
      "broken.jsonl.gz",
      gzipSync(sessionLog("s", mode(0))).subarray(0, 30),
    )
    const [first, second] = await Promise.all([
      document("check", "--json", "--recoverable", ...bad, gap, gzip),
      document("recover", "--json", "--out", out, broken),
    ])
    expect(faultsOf("check", first)).toStrictEqual([])
    expect(faultsOf("recovery", second)).toStrictEqual([])
  })

  it("C1: migrations are as their schema says, with every status of one", async () => {
    expect(faultsOf("migrate", migrate)).toStrictEqual([])
    const again = await document("migrate", "--json", "--out", out, samples)
    const unwritten = await document("migrate", "--json", "--out", `${torn}/x`, torn)
    const newer = await document("migrate", "--json", "--dry-run", "--to", "2", samples)
    const statuses = new Set<string>()
    for (const each of [migrate, again, unwritten, newer]) {
      expect(faultsOf("migrate", each)).toStrictEqual([])
      const { migrations } = each as { readonly migrations: readonly MigrationRecord[] }
      for (const record of migrations) {
        statuses.add(record.status)
        expect(faultsOf("migration", record), record.path).toStrictEqual([])
      }
    }
    expect([...statuses].toSorted()).toStrictEqual([
      "current",
      "exists",
      "migrated",
      "newer",
      "refused",
      "unreadable",
      "unwritten",
    ])
  })

  it("C1: recoveries are as their schema says, with every status of one", async () => {
    const turn = { type: "turn/start", seq: 0, time: 0, data: { turn: 1 } }
    const open = folder.file("open.jsonl", sessionLog("open", turn, mode(1)))
    const records = [
      recovery,
      await document("recover", "--json", "--out", out, gap),
      await document("recover", "--json", "--out", out, sample),
      await document("recover", "--json", "--out", out, folder.at("bad/missing")),
      await document("recover", "--json", "--out", `${gap}/x`, gap),
      await document("recover", "--json", "--out", out, "--open-turn", "cut", open),
    ]
    for (const record of records) expect(faultsOf("recovery", record)).toStrictEqual([])
    expect(records.map((record) => (record as RecoveryRecord).status)).toStrictEqual([
      "recovered",
      "exists",
      "whole",
      "unreadable",
      "unwritten",
      "recovered",
    ])
  })

  it("C1: a fold as of a later format tells how its own format ends the log", async () => {
    const log = folder.file("zero.jsonl", sessionLog("s", mode(0)))
    const as = await document("fold", "--json", "--as", "4", log)
    expect(faultsOf("fold", as)).toStrictEqual([])
    const { native, ...rest } = as as FoldRecord
    expect(native).toMatchObject({ status: "ok", formatVersion: 0 })
    expect(faultsOf("fold", rest)).toStrictEqual([])
    expect(faultsOf("fold", { ...rest, native: { status: "ok" } })).not.toStrictEqual([])
    expect(faultsOf("fold", { ...rest, native: null })).not.toStrictEqual([])
  })
})

describe("what the schemas refuse", () => {
  // each record with a field left out, and with one that is not of its type
  const mutants = (record: object): readonly (readonly [string, object])[] =>
    Object.keys(record).flatMap((key) => {
      const rest = Object.entries(record).filter(([name]) => name !== key)
      return [
        [`without ${key}`, Object.fromEntries(rest)],
        [`with another ${key}`, { ...record, [key]: [{}] }],
      ] as const
    })

  it("C2: a missing field and one of another type are refused, a further one is not", () => {
    const { sessions, steps } = replay as {
      readonly sessions: readonly object[]
      readonly steps: readonly object[]
    }
    const examples: readonly (readonly [SchemaName, unknown])[] = [
      ["session", sessions[0]],
      ["step", steps[0]],
      ["fold", fold],
      ["replay", nothing],
      ["check", check],
      ["verdict", verdictsOf(check)[0]],
      ["finding", findingsOf(check)[0]],
      ["migrate", migrate],
      ["migration", (migrate as { readonly migrations: readonly unknown[] }).migrations[0]],
      ["recovery", recovery],
    ]
    for (const [name, example] of examples) {
      const record = example as object
      expect(faultsOf(name, { ...record, added: 1 })).toStrictEqual([])
      for (const [what, mutant] of mutants(record))
        expect(faultsOf(name, mutant), `${name} ${what}`).not.toStrictEqual([])
    }
  })

  it("C2: a status that contradicts the rest is refused", () => {
    const ok = { ...(fold as object), status: "ok" }
    expect(faultsOf("fold", ok)).toStrictEqual([])
    const tail = { byteOffset: 1, byteLength: 1, cause: "unterminated" }
    expect(faultsOf("fold", { ...ok, status: "torn", tail })).toStrictEqual([])
    for (const mutant of [
      { status: "torn" },
      { tail },
      { refusalCode: "x" },
      { status: "refused", refusalCode: "x" },
      { status: "refused", refusalCode: "x", refusalDetail: {} },
      { status: "good" },
    ])
      expect(faultsOf("fold", { ...ok, ...mutant }), JSON.stringify(mutant)).not.toStrictEqual([])
  })

  it("C2: a message without role or content is refused", () => {
    const message = { role: "user", content: [{ type: "text" }] }
    expect(faultsOf("messages", [message, { ...message, more: 1 }])).toStrictEqual([])
    for (const other of [
      {},
      { role: "user" },
      { ...message, role: "x" },
      { ...message, content: "" },
    ])
      expect(faultsOf("messages", [other])).not.toStrictEqual([])
  })
})

describeShared("the archive of real logs", (shared) => {
  interface Oracle {
    readonly error?: string
    readonly events: number
    readonly nodes: readonly number[]
    readonly replacements: readonly object[]
    readonly messages: number
    readonly messagesSha256: string
    readonly messageTokens: number
    readonly toolsTokens: number
    readonly systemTokens: number
  }

  it("C3: is replayed to what the reference made of it", async () => {
    const oracles = JSON.parse(readFileSync(`${shared}/oracles/dsh-v0.json`, "utf8")) as Readonly<
      Record<string, Oracle>
    >
    const { stdout, status } = await refold([
      "replay",
      "--ndjson",
      "--digest",
      `${shared}/archives/dsh-v0`,
    ])
    expect(status).toBe(1)
    const records = recordsIn<SessionRecord>(stdout)
    expect(records.map(({ path }) => path)).toStrictEqual(Object.keys(oracles).toSorted())
    for (const record of records) {
      const oracle = oracles[record.path]
      if (oracle?.error !== undefined) {
        expect(record, record.path).toMatchObject({ status: "refused" })
        expect(record.refusalSeq, record.path).not.toBeNull()
      } else
        expect(record, record.path).toMatchObject({
          status: "ok",
          eventCount: oracle?.events,
          nodeCount: oracle?.nodes.length,
          replacementCount: oracle?.replacements.length,
          messageCount: oracle?.messages,
          messagesSha256: oracle?.messagesSha256,
          tokens: {
            system: oracle?.systemTokens,
            tools: oracle?.toolsTokens,
            messages: oracle?.messageTokens,
          },
        })
    }
  })
})
