import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import type { FindingRecord, VerdictRecord } from "#shell/report/check-record"
import type { FoldRecord } from "#shell/report/fold-record"
import type { MigrationRecord } from "#shell/report/migration-record"
import type { RecoveryRecord } from "#shell/report/recovery-record"
import { temporaryFolder } from "../shell/folder.ts"
import { mode, sessionLog } from "../shell/session-logs.ts"
import { sharedDirectory } from "../shared.ts"
import type { SchemaName } from "./schemas.ts"
import { faultsOf, mutants } from "./schemas.ts"
import { refold, samples } from "./run.ts"

const folder = temporaryFolder()

const archives = sharedDirectory === null ? [] : [`${sharedDirectory}/archives/dsh-v0`]
const sample = `${samples}/--home-mira-tide~0020pool~0020~0028~03B2~0029--/tidepool-forecast/session.v4.jsonl`

const torn = folder.file("bad/torn/session.jsonl", `${sessionLog("torn", mode(0))}{`)
const gap = folder.file("bad/gap/session.jsonl", sessionLog("gap", mode(0), mode(5), "{", mode(6)))
const bad = [
  torn,
  gap,
  folder.file("bad/row/session.jsonl", sessionLog("row", mode(0), "{")),
  folder.file("bad/empty/session.jsonl", ""),
  folder.file("bad/packed/session.jsonl.zstd", "x"),
  folder.at("bad/missing"),
]
const out = folder.folder("out")

const document = async (...args: readonly string[]): Promise<unknown> =>
  JSON.parse((await refold(args)).stdout)

const [check, migrate, recovery] = await Promise.all([
  document("check", "--json", "--as", "4", samples, ...archives, ...bad),
  document("migrate", "--json", "--out", out, samples, ...archives, ...bad),
  document("recover", "--json", "--out", out, gap),
])

interface Checked {
  readonly logs: readonly (VerdictRecord & { readonly findings: readonly FindingRecord[] })[]
}

const findingsOf = (of: unknown): readonly FindingRecord[] =>
  (of as Checked).logs.flatMap(({ findings }) => findings)

const verdictsOf = (of: unknown): readonly VerdictRecord[] =>
  (of as Checked).logs.map((log) => {
    const { findings: _findings, ...verdict } = log
    return verdict
  })

describe("the schemas of checks, migrations and recoveries", () => {
  it("C1: a check is as its schema says, with every status of a log and of an upgrade", () => {
    expect(faultsOf("check", check)).toStrictEqual([])
    const logs = verdictsOf(check)
    expect(new Set(logs.map(({ status }) => status))).toStrictEqual(
      new Set(["ok", "torn", "refused", "unreadable"]),
    )
    expect(new Set(logs.map(({ upgrade }) => upgrade?.status))).toStrictEqual(
      new Set(["accepted", "refused", "current", "unreadable", undefined]),
    )
    for (const verdict of verdictsOf(check)) expect(faultsOf("verdict", verdict)).toStrictEqual([])
    for (const finding of findingsOf(check))
      expect(faultsOf("finding", finding), `${finding.path} ${finding.code}`).toStrictEqual([])
  })

  it("C2: a missing field and one of another type are refused, a further one is not", () => {
    const examples: readonly (readonly [SchemaName, unknown])[] = [
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

  it("C1: --recoverable and a log in a container keep to the schemas", async () => {
    const gzip = folder.file("packed.jsonl.gz", gzipSync(sessionLog("s", mode(0))))
    const broken = folder.file(
      "broken.jsonl.gz",
      gzipSync(sessionLog("s", mode(0))).subarray(0, 30),
    )
    const [first, second] = await Promise.all([
      document("check", "--json", "--recoverable", ...bad, gzip),
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
