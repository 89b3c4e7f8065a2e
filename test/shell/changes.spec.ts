import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { outPath } from "#shell/archive/out-path"
import { OutFiles, WriteError } from "#shell/archive/out-files"
import { discoverFile } from "#shell/archive/discover"
import { Pool } from "#shell/dispatch/pool"
import { check, migrate, recover } from "#shell/index"
import { findingRecords, verdictRecord } from "#shell/report/check-record"
import type { CheckReport } from "#core/check/check-report"
import { faultCheck } from "#core/check/check-report"
import type { MigrationReport } from "#workers/task-protocol"
import { recordsIn, refold, samples } from "../cli/run.ts"
import { temporaryFolder } from "./folder.ts"
import { mode, sessionLog } from "./session-logs.ts"

const folder = temporaryFolder()

const collected = async <A>(records: AsyncIterable<A>): Promise<readonly A[]> => {
  const all: A[] = []
  for await (const record of records) all.push(record)
  return all
}

const withFiles = async (use: (files: OutFiles) => void): Promise<void> => {
  const pool = new Pool(1)
  const files = new OutFiles(pool)
  try {
    use(files)
  } finally {
    await pool.close()
    files.discard()
  }
}

describe("files that are written", () => {
  it("C58: have their name once they are published, and other names until then", async () => {
    const file = folder.at("one/two/a.jsonl")
    await withFiles((files) => {
      const open = files.open(file)
      writeFileSync(open.descriptor, "text")
      expect(existsSync(file)).toBe(false)
      expect(readdirSync(folder.at("one/two"))).toHaveLength(1)
      expect(open.publish()).toBe("published")
      expect(readdirSync(folder.at("one/two"))).toStrictEqual(["a.jsonl"])
      const again = files.open(file)
      writeFileSync(again.descriptor, "other")
      expect(again.publish()).toBe("exists")
    })
    expect(readdirSync(folder.at("one/two"))).toStrictEqual(["a.jsonl"])
    expect(readFileSync(file, "utf8")).toBe("text")
  })

  it("C59: leave no folder where nothing was published, and those that were there", async () => {
    folder.folder("kept")
    await withFiles((files) => {
      files.open(folder.at("kept/a/b/x.jsonl"))
      files.open(folder.at("kept/a/c/x.jsonl")).discard()
      const open = files.open(folder.at("kept/d/e/x.jsonl"))
      expect(open.publish()).toBe("published")
    })
    expect(readdirSync(folder.at("kept"))).toStrictEqual(["d"])
    expect(readdirSync(folder.at("kept/d/e"))).toStrictEqual(["x.jsonl"])
  })

  it("C51: say which of them cannot be made", async () => {
    const taken = folder.file("taken", "")
    await withFiles((files) => {
      expect(() => files.open(`${taken}/x/a.jsonl`)).toThrow(WriteError)
      expect(() => files.open(`${taken}/x/a.jsonl`)).toThrow(`cannot write ${taken}/x/a.jsonl: E`)
    })
  })

  it.each([
    ["session.jsonl", 4, "session.v4.jsonl"],
    ["session.v3.jsonl.zstd", 4, "session.v4.jsonl"],
    ["session.v4.jsonl", 0, "session.jsonl"],
    ["a.log.jsonl.gz", 2, "a.log.v2.jsonl"],
    ["a.ndjson.zst", 1, "a.v1.jsonl"],
    ["replay", 4, "session.v4.jsonl"],
  ] as const)("C45: %s is called in format %d %s", (name, version, expected) => {
    const path = folder.file(`names/${name}`, "")
    expect(outPath("out", discoverFile(path), version)).toBe(`out/${expected}`)
    expect(outPath("out", discoverFile(path), version, ".part-1")).toBe(
      `out/${expected.replace(".jsonl", ".part-1.jsonl")}`,
    )
  })
})

describe("the library", () => {
  it("C38: checks as the command does", async () => {
    const { stdout } = await refold(["check", "--ndjson", "--as", "4", samples])
    expect(await collected(check(samples, { as: 4, workers: 2 }))).toStrictEqual(recordsIn(stdout))
  })

  it("C46 RC5: migrates and recovers as the commands do", async () => {
    const { stdout } = await refold(["migrate", "--ndjson", "--dry-run", samples])
    expect(await collected(migrate(samples, { workers: 2 }))).toStrictEqual(recordsIn(stdout))
    const path = folder.file("whole.jsonl", sessionLog("s", mode(0)))
    const said = await refold(["recover", "--json", path, "--out", folder.at("none")])
    expect(await recover(path, { out: folder.at("none") })).toStrictEqual(JSON.parse(said.stdout))
    expect(existsSync(folder.at("none"))).toBe(false)
  })

  it("C59: ends with the reason of its signal", async () => {
    const signal = AbortSignal.abort(new Error("enough"))
    await expect(collected(check(samples, { signal }))).rejects.toThrow("enough")
    await expect(collected(migrate(samples, { signal }))).rejects.toThrow("enough")
    await expect(recover(samples, { out: folder.at("none"), signal })).rejects.toThrow("enough")
  })
})

describe("a new log that comes to other messages", () => {
  it("C41: is a finding, and the upgrade is refused", () => {
    const path = folder.file("other.jsonl", sessionLog("s", mode(0)))
    const log = discoverFile(path)
    const none = faultCheck({ code: "not-found", errno: null })
    const sound: CheckReport = { ...none, status: "ok", fault: null }
    const report = {
      header: { id: "s", formatVersion: 0 },
      causes: [],
      causeCount: 0,
      check: sound,
      proof: { is: "different", message: 3 },
      isSound: false,
    } as unknown as MigrationReport
    const checked = { check: sound, upgrade: { is: "migrated", report } as const }
    expect(findingRecords(log, checked, 4)).toMatchObject([
      { code: "messages-differ", layer: "migration", as: 4, seq: null, witness: { message: 3 } },
    ])
    expect(verdictRecord(log, checked, 4).upgrade).toMatchObject({
      status: "refused",
      proof: "different",
    })
  })
})
