import { createHash } from "node:crypto"
import { once } from "node:events"
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import type { ChildProcess } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { isLeft } from "fp-ts/lib/Either.js"
import Database from "libsql"
import { describe, expect, it } from "vitest"
import type { LogHeader } from "#core/log/header"
import type { ProjectionRows } from "#core/projection/checkpoint"
import type { DatabaseFault } from "#shell/store/database"
import { ProjectionCache } from "#shell/index"
import { ended, start } from "../../cli/run.ts"
import { headerOf, registryOf, rightOf, words } from "../../core/projection/session.ts"
import { temporaryFolder } from "../folder.ts"

const folder = temporaryFolder()
const registry = registryOf(words)

const rowsAt = (seq: number): ProjectionRows => ({
  words: { ver: 1, seq, val: { words: [`word ${seq}`] } },
})

const headerNamed = (id: string): LogHeader => headerOf(4, { id })

/** Opens a cache for one test, with what it is told meanwhile. */
const opened = async <A>(
  at: string,
  use: (cache: ProjectionCache, faults: readonly DatabaseFault[]) => A,
): Promise<A> => {
  const faults: DatabaseFault[] = []
  const cache = await ProjectionCache.open(at, (fault) => faults.push(fault))
  try {
    return use(cache, faults)
  } finally {
    cache.close()
  }
}

const isSource = fileURLToPath(import.meta.resolve("#shell/main")).endsWith(".ts")

/** Starts the other process; see cache-writer.ts. */
const writer = (...args: readonly string[]): ChildProcess =>
  start([
    process.execPath,
    ...(isSource ? ["--conditions=source"] : []),
    ...["--import", import.meta.resolve("tsx")],
    fileURLToPath(new URL("cache-writer.ts", import.meta.url)),
    ...args,
  ])

describe.concurrent("a cache of checkpoints", () => {
  it("PC11: has what was stored last, of each session for itself, also when it is opened again", async () => {
    const at = folder.at("stored")
    const [a, b] = [headerNamed("a"), headerNamed("b")]
    await opened(at, (cache) => {
      expect(cache.known(a, 0)).toMatchObject({ distrust: { code: "record-missing" } })
      expect(cache.write(a, 0, rowsAt(1), 1)).toBeNull()
      expect(cache.write(a, 0, rowsAt(5), 9)).toBeNull()
      expect(cache.write(b, 0, rowsAt(3), 3)).toBeNull()
    })
    await opened(at, (cache, faults) => {
      expect(cache.known(a, 0)).toStrictEqual({
        rows: rowsAt(5),
        inheritedEventCount: 0,
        distrust: null,
      })
      expect(cache.known(b, null).rows).toStrictEqual(rowsAt(3))
      expect(rightOf(cache.snapshot(registry, a))).toStrictEqual({
        asOfSeq: 5,
        values: { words: { words: ["word 5"] } },
      })
      expect(rightOf(cache.snapshot(registry, headerNamed("c")))).toBeNull()
      expect(faults).toStrictEqual([])
    })
  })

  it("PC5 PC11: what is refused leaves what was stored before", async () => {
    const header = headerNamed("a")
    await opened(folder.at("ahead"), (cache) => {
      cache.write(header, 0, rowsAt(1), 1)
      expect(cache.write(header, 0, rowsAt(2), 1)).toMatchObject({ code: "row-ahead" })
      expect(cache.known(header, 0).rows).toStrictEqual(rowsAt(1))
    })
  })

  it.each([
    ["of another form", "UPDATE sessions SET record = '[]', sha256 = ?", "object"],
    [
      "that was changed",
      "UPDATE sessions SET record = replace(record, 'word', 'lord')",
      "the text that was stored",
    ],
  ])("PC12: a record %s is set aside, and kept", async (name, change, expected) => {
    const at = folder.at(`record-${name}`)
    const header = headerNamed("a")
    await opened(at, (cache) => cache.write(header, 0, rowsAt(1), 1))
    const database = new Database(`${at}/projections.sqlite`)
    const sha256 = createHash("sha256").update("[]").digest("hex")
    database.prepare(change).run(...(change.includes("?") ? [sha256] : []))
    database.close()
    await opened(at, (cache) => {
      expect(rightOf(cache.snapshot(registry, header))).toBeNull()
      expect(cache.known(header, 0)).toMatchObject({
        rows: {},
        distrust: { code: "record-damaged", fault: { path: [], expected } },
      })
      expect(cache.known(header, 0)).toMatchObject({ distrust: { code: "record-missing" } })
      expect(cache.write(header, 0, rowsAt(2), 2)).toBeNull()
      expect(cache.known(header, 0).rows).toStrictEqual(rowsAt(2))
    })
    const after = new Database(`${at}/projections.sqlite`)
    expect(after.prepare("SELECT id FROM damaged").all()).toStrictEqual([{ id: "a" }])
    after.close()
  })

  it.each([
    ["no database", (): Buffer => Buffer.from("nothing of the kind ".repeat(500))],
    ["a page that is garbage", (bytes: Buffer): Buffer => bytes.fill(0xee, 4_096, 4_096 + 2_000)],
    ["a file that was cut short", (bytes: Buffer): Buffer => bytes.subarray(0, 6_000)],
  ])("PC12: %s is set aside, and said so", async (name, damage) => {
    const at = folder.at(`damaged-${name}`)
    const header = headerNamed("a")
    await opened(at, (cache) => cache.write(header, 0, rowsAt(1), 1))
    const file = `${at}/projections.sqlite`
    writeFileSync(file, damage(readFileSync(file)))
    await opened(at, (cache, faults) => {
      const aside = `${file}.damaged-1`
      expect(faults).toStrictEqual([{ code: "database-damaged", aside }])
      expect(existsSync(aside)).toBe(true)
      expect(cache.write(header, 0, rowsAt(2), 2)).toBeNull()
      expect(cache.known(header, 0).rows).toStrictEqual(rowsAt(2))
    })
  })

  it("PC13: a folder that cannot be made: nothing is known, nothing is kept, nobody is kept from work", async () => {
    const at = folder.file("no-folder", "a file")
    await opened(at, (cache, faults) => {
      expect(faults).toMatchObject([{ code: "database-unusable" }])
      const header = headerNamed("a")
      expect(cache.write(header, 0, rowsAt(1), 1)).toMatchObject({ code: "database-unusable" })
      expect(cache.known(header, 0)).toMatchObject({
        rows: {},
        inheritedEventCount: 0,
        distrust: { code: "database-unusable" },
      })
      expect(cache.snapshot(registry, header)).toMatchObject({ right: null })
    })
  })

  it("PC13: a database that may only be read is read", async () => {
    const at = folder.folder("read-only")
    await opened(at, (cache) => cache.write(headerNamed("a"), 0, rowsAt(1), 1))
    chmodSync(`${at}/projections.sqlite`, 0o444)
    chmodSync(at, 0o555)
    chmodSync(folder.path, 0o755)
    const { stdout } = await ended(writer("read-only", at, "a"))
    chmodSync(at, 0o755)
    expect(JSON.parse(stdout)).toMatchObject({
      faults: [],
      known: 1,
      refusal: { code: "database-unusable" },
    })
    await opened(at, (cache) =>
      expect(cache.known(headerNamed("a"), 0).rows).toStrictEqual(rowsAt(1)),
    )
  })

  it("PC14: a process that is killed while it writes leaves one whole record", async () => {
    const at = folder.at("killed")
    for (const ms of [0, 7, 20]) {
      const child = writer("write", at, "a", "100000")
      await once(child.stdout ?? child, "data")
      await sleep(ms)
      child.kill("SIGKILL")
      expect((await ended(child)).signal).toBe("SIGKILL")
      await opened(at, (cache, faults) => {
        const { rows, distrust } = cache.known(headerNamed("a"), 0)
        expect([distrust, faults]).toStrictEqual([null, []])
        const { seq, val } = rows["words"] ?? {}
        expect(val).toStrictEqual({ words: Array.from({ length: 5_000 }, () => `word ${seq}`) })
        expect(isLeft(cache.snapshot(registry, headerNamed("a")))).toBe(false)
      })
    }
  })

  it("PC15: two processes write at once, the same session and others", async () => {
    const at = folder.at("two")
    const ends = await Promise.all(
      ["a", "a", "b"].map((id) => ended(writer("write", at, id, "25"))),
    )
    expect(ends.map(({ status, stderr }) => [status, stderr])).toStrictEqual(
      ends.map(() => [0, ""]),
    )
    await opened(at, (cache, faults) => {
      expect(faults).toStrictEqual([])
      for (const id of ["a", "b"]) {
        const { rows, distrust } = cache.known(headerNamed(id), 0)
        expect([rows["words"]?.seq, distrust]).toStrictEqual([24, null])
      }
    })
  })
})
