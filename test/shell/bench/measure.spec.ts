import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import { afterAll, describe, expect, it } from "vitest"
import { discover } from "#shell/archive/discover"
import type { LoadSource } from "#shell/bench/foreign-load"
import { measureSample } from "#shell/bench/measure-sample"
import { sampleLog } from "#shell/bench/sample-log"
import { MachineBusyError } from "#shell/border"
import { benchText, packagesText } from "#shell/report/bench-text"
import replayTask from "#workers/replay-task"
import { faultsOf } from "../../cli/schemas.ts"
import { temporaryFolder } from "../folder.ts"

const folder = temporaryFolder()

// where temporary files go is read from here each time
const temporary = process.env["TMPDIR"]
process.env["TMPDIR"] = folder.folder("tmp")
afterAll(() => {
  if (temporary === undefined) delete process.env["TMPDIR"]
  else process.env["TMPDIR"] = temporary
})

const bytesOf = (size: number): Buffer => Buffer.concat([...sampleLog(size)])
const sha256 = (bytes: Buffer): string => createHash("sha256").update(bytes).digest("hex")

describe("the log that is made up", () => {
  const bytes = bytesOf(400_000)
  const log = discover([folder.file("log/session.jsonl", bytes)]).logs[0]

  it("BE7: is as long as asked for or a turn longer, and the same each time", () => {
    expect(bytes.length).toBeGreaterThanOrEqual(400_000)
    expect(bytes.length).toBeLessThan(800_000)
    expect(sha256(bytesOf(400_000))).toBe(sha256(bytes))
    // a longer one goes on where it ends
    expect(bytesOf(600_000).subarray(0, bytes.length).equals(bytes)).toBe(true)
    expect(bytesOf(1).length).toBeGreaterThan(1000)
  })

  it("BE7: is a log of whole turns that is accepted, with replacements", async () => {
    const source = { path: log?.file ?? "", descriptor: null, namedVersion: 0 }
    const filter = { session: null, sinceMs: null, untilMs: null }
    const [replayed] = await replayTask({
      sources: [source],
      tolerance: "default",
      filter,
      withRequests: false,
      withDigest: false,
    })
    const rows = bytes.toString().split("\n").slice(1, -1)
    expect(replayed?.report).toMatchObject({ status: "ok", tail: null })
    expect(replayed?.report.activity?.eventCount).toBe(rows.length)
    const replacements = rows.filter((row) => row.includes('"op":"replace"'))
    expect(replacements.length).toBeGreaterThan(3)
    expect(replayed?.report.replaceGeneration).toBe(replacements.length)
    expect(rows.at(-1)).toContain('"type":"turn/end"')
  })
})

const size = 200_000
const quiet: LoadSource = () => null

const measured = measureSample({
  byteCount: size,
  loadSource: quiet,
  signal: new AbortController().signal,
})

describe("a measurement", () => {
  it("BE6: is a record as its schema says, of a log that all cases agree on", async () => {
    const record = await measured
    expect(faultsOf("bench", record)).toStrictEqual([])
    const bytes = bytesOf(size)
    const lines = bytes.toString().split("\n").length - 1
    expect(record.log).toMatchObject({
      byteCount: bytes.length,
      lineCount: lines,
      eventCount: lines - 1,
    })
    expect(record.foreignCores).toBeNull()
    expect(record.cases[2]).toMatchObject({ case: "json-parse", workers: 1, timesJsonParse: 1 })
  })

  it("BE6: is refused by the schema where a field is missing or of another type", async () => {
    const record = await measured
    for (const key of Object.keys(record)) {
      const rest = Object.entries(record).filter(([name]) => name !== key)
      expect(faultsOf("bench", Object.fromEntries(rest)), key).not.toStrictEqual([])
      expect(faultsOf("bench", { ...record, [key]: [{}] }), key).not.toStrictEqual([])
    }
    expect(faultsOf("bench", { ...record, added: 1 })).toStrictEqual([])
  })

  it("BE3: says of the public packages which were measured, and why they were not", () => {
    const versions = { surface: "1.2.3", price: "4.5.6" }
    expect(packagesText(versions, true)).toBe(
      "public packages: dsh-session 1.2.3, dsh-token-meter 4.5.6",
    )
    expect(packagesText({ ...versions, price: null }, true)).toMatch(
      /^public packages: dsh-session 1\.2\.3, .*they price nothing$/,
    )
    expect(packagesText(versions, false)).toContain("too long for them")
    const absent = { surface: null, price: null }
    expect(packagesText(absent, false)).toBe("public packages: not installed")
  })

  it("BE6: is a table for people, a line a case", async () => {
    const record = await measured
    const text = benchText(record)
    expect(text).toContain(`${record.log.byteCount} bytes`)
    expect(text).toContain("load of other processes: cannot be seen")
    expect(text.match(/^refold, with digest/gm)).toHaveLength(
      record.cases.filter((each) => each.case === "fold-digest").length,
    )
    const without = { ...record, publicPackages: { surface: null, price: null } }
    expect(benchText(without)).toContain("public packages: not installed")
    const busy = { ...record, foreignCores: 0.1 }
    expect(benchText(busy)).toContain("load of other processes: 0.10 of a core")
  })
})

describe("a measurement that comes to nothing", () => {
  it("BE5: others use the machine", async () => {
    const busy: LoadSource = () => {
      const atMs = performance.now()
      return { atMs, machineMs: atMs * 2, ownMs: 0 }
    }
    const { signal } = new AbortController()
    await expect(
      measureSample({ byteCount: size, loadSource: busy, signal }),
    ).rejects.toBeInstanceOf(MachineBusyError)
  })

  it("BE8: it is aborted, before it begins and while it runs, and leaves no file", async () => {
    const reason = new Error("enough")
    const before = new AbortController()
    before.abort(reason)
    await expect(
      measureSample({ byteCount: size, loadSource: quiet, signal: before.signal }),
    ).rejects.toBe(reason)
    const during = new AbortController()
    let looks = 0
    const loadSource: LoadSource = () => {
      // the first rounds are over
      if (++looks === 4) during.abort(reason)
      return null
    }
    await expect(
      measureSample({ byteCount: size, loadSource, signal: during.signal }),
    ).rejects.toBe(reason)
    await measured
    const ours = readdirSync(folder.at("tmp")).filter((name) => name.startsWith("refold-"))
    expect(ours).toStrictEqual([])
  })
})
