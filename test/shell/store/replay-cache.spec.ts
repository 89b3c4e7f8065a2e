import {
  appendFileSync,
  existsSync,
  readFileSync,
  readdirSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import Database from "libsql"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { SessionRecord } from "#shell/report/session-record"
import type { ReplayOptions } from "#shell/index"
import type { DatabaseFault } from "#shell/store/database"
import { replay } from "#shell/index"
import { refold, samples } from "../../cli/run.ts"
import { temporaryFolder } from "../folder.ts"
import { assistant, sessionLog, stepStart, turnStart, user } from "../session-logs.ts"

const folder = temporaryFolder()

interface Replayed {
  readonly records: readonly SessionRecord[]
  readonly readBytes: number
  readonly faults: readonly DatabaseFault[]
}

const replayed = async (
  path: string,
  cache: string | undefined,
  more: Pick<ReplayOptions, "verify" | "digest" | "session" | "tokenizer" | "prices"> = {},
): Promise<Replayed> => {
  const records: SessionRecord[] = []
  const faults: DatabaseFault[] = []
  let readBytes = 0
  const options = {
    ...more,
    cache,
    workers: 1,
    onRead: (bytes: number) => {
      readBytes += bytes
    },
    onCacheFault: (fault: DatabaseFault) => faults.push(fault),
  }
  for await (const record of replay(path, options))
    if (record.schema === "refold.session/1") records.push(record)
  return { records, readBytes, faults }
}

const text = sessionLog(
  "s",
  turnStart(0, 1),
  stepStart(1, 1, 1),
  user(2, "hello"),
  assistant(3, 1, 1, "yes"),
)
const rows = text.split("\n").slice(0, -1)

describe.concurrent("replays that are kept", () => {
  it("ST1: an archive that is unchanged is not read again, and says the same", async () => {
    const cache = folder.at("cache-1")
    const first = await replayed(samples, cache)
    const second = await replayed(samples, cache)
    expect(first.records).toHaveLength(15)
    expect(first.readBytes).toBe(
      first.records.reduce((sum, each) => sum + (each.byteCount ?? 0), 0),
    )
    expect(second).toStrictEqual({ ...first, readBytes: 0 })
    expect(second.records).toStrictEqual((await replayed(samples, undefined)).records)
  })

  it("ST2: what grew is read from where it ended", async () => {
    // every split is tried in properties/incremental.prop.ts
    for (const kept of [1, rows.length - 2]) {
      const cache = folder.at(`cache-2-${kept}`)
      const path = folder.file(`grown-${kept}/session.jsonl`, `${rows.slice(0, kept).join("\n")}\n`)
      await replayed(path, cache)
      appendFileSync(path, `${rows.slice(kept).join("\n")}\n`)
      const { records, readBytes } = await replayed(path, cache)
      const whole = folder.file(`whole-${kept}/session.jsonl`, text)
      const [expected] = (await replayed(whole, undefined)).records
      expect({ ...records[0], path: "", root: "", project: "" }).toStrictEqual({
        ...expected,
        path: "",
        root: "",
        project: "",
      })
      // a log of this length is shorter than the bytes that it is known by
      expect(readBytes).toBeLessThan(2 * text.length)
      expect((await replayed(path, cache)).readBytes).toBe(0)
    }
  })

  it("ST2: of a long log little more is read than what is new", async () => {
    const long = sessionLog(
      "long",
      ...Array.from({ length: 400 }, (_, i) => user(i, "m".repeat(1000))),
    )
    const cache = folder.at("cache-long")
    const path = folder.file("long/session.jsonl", long)
    await replayed(path, cache)
    appendFileSync(path, `${JSON.stringify(user(400, "new"))}\n`)
    const { records, readBytes } = await replayed(path, cache)
    expect(records).toMatchObject([{ status: "ok", eventCount: 401, nodeCount: 401 }])
    expect(readBytes).toBeLessThan(70_000)
    expect(long.length).toBeGreaterThan(400_000)
  })

  it("ST3: a log that was written anew is read whole", async () => {
    const cache = folder.at("cache-3")
    const path = folder.file("anew/session.jsonl", text)
    await replayed(path, cache)
    const other = sessionLog("other", user(0, "bye"), user(1, "b"), user(2, "c"), user(3, "d"))
    writeFileSync(path, other)
    expect((await replayed(path, cache)).records).toMatchObject([
      { session: "other", nodeCount: 4 },
    ])
    // of the same length, at another time
    writeFileSync(path, other.replaceAll("bye", "BYE"))
    utimesSync(path, 1, 1)
    expect((await replayed(path, cache)).readBytes).toBeGreaterThan(0)
  })

  it("ST3: nor is one believed whose time was set back behind a change", async () => {
    const cache = folder.at("cache-set-back")
    const path = folder.file("set-back/session.jsonl", text)
    const at = new Date(1_700_000_000_000)
    utimesSync(path, at, at)
    await replayed(path, cache)
    expect((await replayed(path, cache)).readBytes).toBe(0)
    const other = text.replace(/"text":"[^"]*"/, (found) => found.replaceAll(/[a-z](?="$)/g, "Z"))
    expect(other).not.toBe(text)
    expect(other.length).toBe(text.length)
    writeFileSync(path, other)
    utimesSync(path, at, at)
    expect((await replayed(path, cache)).readBytes).toBeGreaterThan(0)
  })

  it("ST4: --verify reads all again; a digest that was not kept is made", async () => {
    const cache = folder.at("cache-4")
    const path = folder.file("verify/session.jsonl", text)
    await replayed(path, cache)
    expect((await replayed(path, cache, { verify: true })).readBytes).toBe(text.length)
    const digest = await replayed(path, cache, { digest: true })
    expect(digest.records[0]?.messagesSha256).toMatch(/^[0-9a-f]{64}$/)
    expect(await replayed(path, cache, { digest: true })).toStrictEqual({ ...digest, readBytes: 0 })
    expect((await replayed(path, cache)).records[0]?.messagesSha256).toBeNull()
  })

  it("TZ10: what was kept without this tokeniser is no answer, and is read on from its end", async () => {
    const cache = folder.at("cache-tokens")
    const path = folder.file("tokens/session.jsonl", text)
    await replayed(path, cache)
    const counted = await replayed(path, cache, { tokenizer: "o200k" })
    expect(counted.readBytes).toBeGreaterThan(0)
    // "hello" and "yes"
    expect(counted.records).toMatchObject([{ tokenized: { tokenizer: "o200k", total: 2 } }])
    const again = await replayed(path, cache, { tokenizer: "o200k" })
    expect(again).toStrictEqual({ ...counted, readBytes: 0 })
    // the heuristic is in every record
    const heuristic = await replayed(path, cache, { tokenizer: "heuristic" })
    expect(heuristic.records[0]?.tokenized).toMatchObject({ ...heuristic.records[0]?.tokens })
  })

  it("TZ10: costs by other prices are no answer; by the same they go on from where they ended", async () => {
    const cache = folder.at("cache-prices")
    const report = (seq: number, step: number): JsonObject => ({
      ...assistant(seq, 1, step, "yes"),
      data: {
        ...(assistant(seq, 1, step, "yes")["data"] as JsonObject),
        usage: { inputTokens: 10, outputTokens: 1 },
      },
    })
    const header = {
      type: "request/header",
      seq: 1,
      time: 1,
      data: { header: { config: { provider: "p", model: "m" }, tools: [] }, reason: "initial" },
    }
    const path = folder.file(
      "prices/session.jsonl",
      sessionLog("s", turnStart(0, 1), header, report(2, 1)),
    )
    const prices = (input: number): string =>
      folder.file(
        `prices-${input}.json`,
        JSON.stringify({
          schema: "refold.prices/1",
          prices: [
            {
              model: "m",
              from: "1970-01-01",
              input,
              output: 0,
              source: "made up",
              sourceDate: "2026-01-01",
            },
          ],
        }),
      )
    const cost = ({ records }: Replayed): string | undefined => records[0]?.cost?.picoUsd
    expect(cost(await replayed(path, cache, { prices: prices(1) }))).toBe("10000000")
    const known = await replayed(path, cache, { prices: prices(1) })
    expect([cost(known), known.readBytes]).toStrictEqual(["10000000", 0])
    expect(cost(await replayed(path, cache, { prices: prices(3) }))).toBe("30000000")
    // another report of the same attempt, and one more, behind what is known
    appendFileSync(
      path,
      [report(3, 1), report(4, 2)].map((row) => `${JSON.stringify(row)}\n`).join(""),
    )
    expect(cost(await replayed(path, cache, { prices: prices(3) }))).toBe("60000000")
    expect(cost(await replayed(path, cache, { prices: prices(1) }))).toBe("20000000")
  })

  it("ST5: a filter leaves out what is known as it leaves out what is read", async () => {
    const cache = folder.at("cache-5")
    const path = folder.file("filter/session.jsonl", text)
    await replayed(path, cache)
    expect((await replayed(path, cache, { session: "t*" })).records).toStrictEqual([])
    expect((await replayed(path, cache, { session: "s*" })).records).toHaveLength(1)
  })

  it("ST6: a damaged database is set aside, and nothing but time is lost", async () => {
    const cache = folder.folder("cache-6")
    folder.file(
      "cache-6/replays.sqlite",
      "this is no database, and it is longer than a header ".repeat(99),
    )
    // a log of the damaged file must not be played into the next one
    folder.file("cache-6/replays.sqlite-wal", "a log")
    const { records, faults } = await replayed(samples, cache)
    const aside = `${cache}/replays.sqlite.damaged-1`
    expect(records).toHaveLength(15)
    expect(faults).toStrictEqual([{ code: "database-damaged", aside }])
    expect(existsSync(aside)).toBe(true)
    expect(existsSync(`${aside}-wal`)).toBe(true)
    expect((await replayed(samples, cache)).readBytes).toBe(0)
  })

  it("ST6: a record that cannot be read is removed, and the log is read", async () => {
    const cache = folder.at("cache-7")
    const path = folder.file("record/session.jsonl", text)
    const first = await replayed(path, cache)
    const database = new Database(`${cache}/replays.sqlite`)
    database.exec("UPDATE timed_replays SET report = '{'")
    database.close()
    expect(await replayed(path, cache)).toStrictEqual(first)
    expect((await replayed(path, cache)).readBytes).toBe(0)
  })

  it("ST7: what another version kept is not believed", async () => {
    const cache = folder.at("cache-8")
    const path = folder.file("engine/session.jsonl", text)
    const first = await replayed(path, cache)
    const database = new Database(`${cache}/replays.sqlite`)
    database.exec("UPDATE timed_replays SET engine = 'another'")
    database.close()
    expect(await replayed(path, cache)).toStrictEqual(first)
  })

  it("ST8: a refused log is known as such, and one that cannot be read is tried again", async () => {
    const cache = folder.at("cache-9")
    folder.file("bad/a/session.jsonl", `${text}{\n`)
    folder.file("bad/b/session.jsonl", "")
    const first = await replayed(folder.at("bad"), cache)
    expect(first.records.map(({ status }) => status)).toStrictEqual(["refused", "unreadable"])
    expect((await replayed(folder.at("bad"), cache)).records).toStrictEqual(first.records)
  })

  it("ST9: on the command line the summary says what was read", async () => {
    const cache = folder.at("cache-10")
    const run = async (): Promise<string> =>
      (await refold(["replay", "--cache", cache, samples])).stdout.split("\n").at(-3) ?? ""
    const size = readdirSync(samples, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".jsonl"))
      .reduce((sum, name) => sum + readFileSync(`${samples}/${name}`).length, 0)
    expect(await run()).toBe(`read ${size} of ${size} bytes, the others known from before`)
    expect(await run()).toBe(`read 0 of ${size} bytes, the others known from before`)
    const json = await refold(["replay", "--json", "--cache", cache, samples])
    expect(JSON.parse(json.stdout)).toMatchObject({ totals: { readByteCount: 0 } })
  })

  it("ST10: a folder that cannot be used is told once, and the replay goes on without it", async () => {
    const path = folder.file("unusable/session.jsonl", text)
    const noFolder = folder.file("no-folder", "a file")
    const { records, readBytes, faults } = await replayed(path, noFolder)
    expect(records).toStrictEqual((await replayed(path, undefined)).records)
    expect(readBytes).toBe(text.length)
    expect(faults).toMatchObject([{ code: "database-unusable" }])
    const { status, stderr } = await refold(["replay", "--cache", noFolder, path])
    expect([status, stderr]).toStrictEqual([
      0,
      expect.stringContaining("the cache cannot be used, and is left alone: "),
    ])
  })

  it("ST10: nor does a write that fails end a replay", async () => {
    const cache = folder.at("cache-11")
    folder.file("failing/a/session.jsonl", text)
    folder.file("failing/b/session.jsonl", text)
    const path = folder.at("failing")
    const first = await replayed(path, cache)
    const database = new Database(`${cache}/replays.sqlite`)
    database.exec(`
      DELETE FROM timed_replays;
      CREATE TRIGGER full BEFORE INSERT ON timed_replays BEGIN SELECT RAISE(ABORT, 'full'); END
    `)
    database.close()
    const { records, readBytes, faults } = await replayed(path, cache)
    expect({ records, readBytes, faults: [] }).toStrictEqual(first)
    expect(faults).toStrictEqual([{ code: "database-unusable", cause: "full" }])
  })
})
