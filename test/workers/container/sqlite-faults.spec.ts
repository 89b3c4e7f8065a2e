import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import Database from "libsql"
import { describe, expect, it } from "vitest"
import { entriesOf } from "#workers/container/entries"
import { openDatabase } from "#workers/container/sqlite-database"
import { withOpen } from "./decoding.ts"
import { newStore, storeFolder, storePragmas, storeSchema } from "./store.ts"

const { folder, listed, place, temporary } = storeFolder()

describe("what is no store of format 0", () => {
  const altered = (sql: string): string => {
    const path = place()
    const database = newStore(path, [])
    database.exec(sql)
    database.close()
    return path
  }
  const schema = (what: string, name: string, found: number | null = null): object => ({
    code: "container-schema",
    what,
    name,
    found,
  })

  it("CN19: is named by what differs", async () => {
    expect(await listed(altered("PRAGMA application_id = 7"))).toStrictEqual(
      schema("application-id", "application_id", 7),
    )
    for (const version of [0, 16, 18])
      expect(await listed(altered(`PRAGMA user_version = ${version}`))).toStrictEqual(
        schema("user-version", "user_version", version),
      )
    expect(await listed(altered("CREATE INDEX more ON events (time)"))).toStrictEqual(
      schema("objects", "index more"),
    )
    expect(
      await listed(altered("CREATE TRIGGER t AFTER INSERT ON events BEGIN SELECT 1; END")),
    ).toStrictEqual(schema("objects", "trigger t"))
    expect(await listed(altered("DROP TABLE persistence_state"))).toStrictEqual(
      schema("objects", "table persistence_state"),
    )
    expect(await listed(altered("ALTER TABLE sessions ADD COLUMN more TEXT"))).toStrictEqual(
      schema("columns", "sessions"),
    )
    expect(await listed(altered("ALTER TABLE events DROP COLUMN surface_op"))).toStrictEqual(
      schema("columns", "events"),
    )
    const loose = place()
    const database = new Database(loose)
    database.exec(storePragmas + storeSchema.replaceAll("STRICT", ""))
    database.close()
    expect(await listed(loose)).toStrictEqual(schema("columns", "events"))
    expect(readdirSync(temporary)).toStrictEqual([])
  })

  it("CN20: a damaged database is corrupt, and leaves no copy", async () => {
    const garbage = folder.file("garbage.db", `SQLite format 3\0${"x".repeat(5000)}`)
    const corrupt = { code: "container-corrupt", what: "database", byteOffset: 0 }
    expect(await listed(garbage)).toStrictEqual(corrupt)
    const path = place()
    const events = Array.from({ length: 2000 }, (_, seq) => ({ seq, data: '{"a":"bcdefgh"}' }))
    newStore(path, [[{ id: "s" }, events]]).close()
    const bytes = readFileSync(path)
    bytes.fill(0xff, bytes.length >> 1)
    writeFileSync(path, bytes)
    const found = await listed(path)
    expect("texts" in found ? found.faults : [found]).toStrictEqual([corrupt])
    expect(readdirSync(temporary)).toStrictEqual([])
  })

  it("CN20: without the package it is said which one is missing", async () => {
    const path = place()
    newStore(path, []).close()
    const fault = { code: "container-support-missing", packageName: "libsql" }
    expect(
      await openDatabase(path, () => Promise.reject(new Error("not installed"))),
    ).toStrictEqual(fault)
  })

  it("CN20: what cannot be copied is a fault of the file system", async () => {
    const path = place()
    newStore(path, []).close()
    const found = await withOpen(path, (open) =>
      entriesOf(open, "sqlite", { isLog: () => true, temporaryFolder: folder.at("absent") }),
    )
    expect(found).toStrictEqual({ code: "not-found", errno: "ENOENT" })
    mkdirSync(folder.at("empty"))
    const gone = await withOpen(path, (open) =>
      entriesOf({ ...open, path: folder.at("empty/gone.db") }, "sqlite", {
        isLog: () => true,
        temporaryFolder: temporary,
      }),
    )
    expect(gone).toStrictEqual({ code: "not-found", errno: "ENOENT" })
  })
})
