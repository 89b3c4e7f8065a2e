import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { nameMatcher } from "#shell/archive/filter"
import { UsageError } from "#shell/border"
import { LogRefusedError, messages, transcript } from "#shell/index"
import { temporaryFolder } from "../shell/folder.ts"
import { sessionLog, user } from "../shell/session-logs.ts"
import { refold } from "./run.ts"

const folder = temporaryFolder()
const isSource = import.meta.resolve("#shell/main").endsWith(".ts")
const text = sessionLog("one", user(0, "first"))
const log = folder.file("one/session.jsonl", text)

describe("an output file", () => {
  it("C33: never takes the place of a log", async () => {
    const source = folder.file("source/log.ndjson", text)
    const link = folder.at("source/link.ndjson")
    symlinkSync(source, link)
    for (const out of [source, link]) {
      const run = await refold(["replay", source, "--out", out])
      expect(run).toMatchObject({ status: 3, stdout: "" })
      expect(run.stderr).toContain("which is to be read")
      expect(readFileSync(source, "utf8")).toBe(text)
    }
  })

  it("C34: keeps permissions and links, and refuses what is no file", async () => {
    const out = folder.file("kept/all.ndjson", "")
    chmodSync(out, 0o600)
    const link = folder.at("kept/link.ndjson")
    symlinkSync(out, link)
    expect((await refold(["replay", log, "--out", link])).status).toBe(0)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(statSync(out).mode & 0o777).toBe(0o600)
    expect(readFileSync(out, "utf8")).toContain('"refold.session/1"')
    const fifo = folder.fifo("kept/fifo.ndjson")
    const run = await refold(["replay", log, "--out", fifo])
    expect(run).toMatchObject({ status: 3, stdout: "" })
    expect(lstatSync(fifo).isFIFO()).toBe(true)
  })
})

describe("arguments", () => {
  it("C35: a flag without its value, or named like a member of every object", async () => {
    for (const flag of ["--since=", "--out=", "--toString", "--constructor", "--__proto__"]) {
      const run = await refold(["replay", log, flag])
      expect(run, flag).toMatchObject({ status: 3, stdout: "" })
      expect(run.stderr, flag).toMatch(/^refold: /)
    }
  })

  it("C37: several arguments are told apart", async () => {
    const other = folder.file("two/session.jsonl", sessionLog("two", user(0, "second")))
    const run = await refold(["replay", folder.at("one"), folder.at("two")])
    expect(run.stdout).toContain(log)
    expect(run.stdout).toContain(other)
  })

  it("A22: a glob is a search", () => {
    const stars = `${"*a".repeat(40)}*b`
    expect(nameMatcher(stars)("a".repeat(20_000))).toBe(false)
    expect(nameMatcher(stars)(`${"a".repeat(20_000)}b`)).toBe(true)
    expect(nameMatcher("a*b?d*")("aXbcd")).toBe(true)
    expect(nameMatcher("a*ab")("ab")).toBe(false)
    expect(() => nameMatcher("[a]*b*c*d*e")).toThrow(UsageError)
  })
})

describe("standard input", () => {
  // the loader of sources needs a temporary folder itself
  it.skipIf(isSource)("A23: without a place to keep it, only it is unreadable", async () => {
    const given = { input: text, env: { TMPDIR: `${log}/nowhere` } }
    const run = await refold(["replay", "--ndjson", "-", log], given)
    expect(run.status).toBe(2)
    const records = run.stdout.trimEnd().split("\n")
    expect(records.map((record) => JSON.parse(record) as unknown)).toMatchObject([
      {
        path: "-",
        status: "unreadable",
        refusalCode: "read-failed",
        refusalDetail: { errno: "ENOTDIR" },
      },
      { path: log, status: "ok" },
    ])
  })
})

describe("the library", () => {
  it("W12: never gives a part as the whole", async () => {
    const refused = folder.file("refused/session.jsonl", `${text}{}\n`)
    for (const [path, status] of [
      [refused, "refused"],
      [folder.at("nowhere"), "unreadable"],
    ] as const)
      for (const give of [messages, transcript]) {
        const failure: unknown = await give(path).catch((cause: unknown) => cause)
        expect(failure).toBeInstanceOf(LogRefusedError)
        expect(failure).toMatchObject({ record: { status } })
      }
    expect(await messages(refused, { at: "0" })).toHaveLength(1)
  })
})
