import { describe, expect, it } from "vitest"
import { makeFolder } from "#shell/archive/make-folder"
import { optionFileLimit, readOptionFile } from "#shell/archive/option-file"
import { UsageError } from "#shell/border"
import { Pool } from "#shell/dispatch/pool"
import type { DatabaseFault } from "#shell/store/database"
import { openDatabase } from "#shell/store/database"
import { temporaryFolder } from "../shell/folder.ts"
import { ended, startRefold } from "./run.ts"

const folder = temporaryFolder()
const fifo = folder.fifo("p/s/session.jsonl")

const commands: readonly (readonly string[])[] = [
  ["fold", fifo],
  ["blame", fifo],
  ["migrate", "--dry-run", fifo],
  ["recover", "--out", folder.at("out"), fifo],
]

describe.concurrent("a FIFO that nobody writes to", () => {
  it.each(commands)("A8: %s ends, and says that it is no file", async (...args) => {
    const child = startRefold(args)
    // who waits to open it hears no other signal
    const stop = setTimeout(() => child.kill("SIGKILL"), 15_000)
    const { status, signal, stdout, stderr } = await ended(child)
    clearTimeout(stop)
    expect({ status, signal }).toStrictEqual({ status: 2, signal: null })
    expect(stdout + stderr).toContain("not-a-file")
  })
})

describe("a folder that cannot be used", () => {
  it("A25: one that cannot be made is named at once", () => {
    expect(() => makeFolder("/proc/refold/x")).toThrow("ENOENT")
    // which of the two a file in the way is depends on the version of Node
    expect(() => makeFolder(`${folder.file("full", "")}/x`)).toThrow(/^(ENOTDIR|EEXIST): /)
    expect(makeFolder(folder.at("a/b/c"))).toBe(folder.at("a"))
    expect(makeFolder(folder.at("a/b/c"))).toBeUndefined()
  })

  it.each([folder.file("cache", ""), "/proc/refold"])(
    "ST10: a cache that is a file, or below where none can be, is told of once",
    async (cache) => {
      const faults: DatabaseFault[] = []
      const opened = openDatabase(cache, "x.sqlite", "", (fault) => faults.push(fault))
      expect(await opened).toBeNull()
      expect(faults.map(({ code }) => code)).toStrictEqual(["database-unusable"])
    },
  )

  it("A25: a missing folder for temporary files is told of, and no log is blamed", async () => {
    const before = process.env["TMPDIR"]
    const nowhere = folder.at("nowhere")
    const pool = new Pool(1)
    process.env["TMPDIR"] = nowhere
    try {
      const lent = pool.withScratch(async () => Promise.resolve())
      await expect(lent).rejects.toThrow(UsageError)
      await expect(lent).rejects.toThrow(`no temporary file can be made in ${nowhere} (ENOENT)`)
    } finally {
      if (before === undefined) delete process.env["TMPDIR"]
      else process.env["TMPDIR"] = before
      await pool.close()
    }
  })
})

describe("a file that an option names", () => {
  it("A24: is read whole", () => {
    const text = "text\n".repeat(1000)
    expect(readOptionFile(folder.file("text", text)).toString()).toBe(text)
    expect(readOptionFile(folder.file("empty", ""))).toHaveLength(0)
  })

  it.each([
    ["a FIFO", fifo, "not a regular file"],
    ["a device without end", "/dev/zero", "not a regular file"],
    ["a folder", folder.path, "not a regular file"],
    ["one that is missing", folder.at("missing"), "cannot be read (ENOENT)"],
    ["one behind a file", `${folder.file("file", "")}/x`, "cannot be read (ENOTDIR)"],
  ] as const)("A24: %s is wrong usage, and is not waited for", (_, path, says) => {
    expect(() => readOptionFile(path)).toThrow(UsageError)
    expect(() => readOptionFile(path)).toThrow(`${path}: ${says}`)
  })

  it("A24: one that is too long is not read", () => {
    const long = folder.file("long", Buffer.alloc(optionFileLimit + 1))
    expect(() => readOptionFile(long)).toThrow("16777217 bytes are more than the 16777216")
  })
})
