import { readFileSync, readdirSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import type { MigrationRecord } from "#shell/report/migration-record"
import { zstdLog } from "../../bench/generate/zstd-frames.ts"
import { headerIn, logUnder } from "../fixtures/log-in-memory.ts"
import { temporaryFolder } from "../shell/folder.ts"
import {
  assistant,
  mode,
  sessionLog,
  stepEnd,
  stepStart,
  turnEnd,
  turnStart,
  user,
} from "../shell/session-logs.ts"
import { zipOf } from "../workers/container/decoding.ts"
import { newStore } from "../workers/container/store.ts"
import { recordsIn, refold, samples } from "./run.ts"
import { filesIn, outPlaces } from "./out-places.ts"

const folder = temporaryFolder()
const odd = temporaryFolder()
const newPlace = outPlaces(folder)

const turn = [
  turnStart(0, 1),
  stepStart(1, 1, 1),
  user(2, "hello"),
  assistant(3, 1, 1, "yes"),
  stepEnd(4, 1, 1),
  turnEnd(5, 1),
]
const text = sessionLog("s", ...turn)
const log = folder.file("store/_no-cwd/s/session.jsonl", text)

const migrated = async (...args: readonly string[]): Promise<readonly MigrationRecord[]> =>
  recordsIn<MigrationRecord>((await refold(["migrate", "--ndjson", ...args])).stdout)

describe.concurrent("refold migrate, wherever logs come from", () => {
  it("C51: a file that cannot be made is named, with status 3, and others are made", async () => {
    const out = newPlace()
    folder.file(`${out.slice(folder.path.length)}/a`, "a file where a folder must be")
    for (const name of ["a", "b"]) folder.file(`two/${name}/session.jsonl`, text)
    const run = await refold(["migrate", "--ndjson", folder.at("two"), "--out", out])
    expect(run.status).toBe(3)
    expect(recordsIn(run.stdout)).toMatchObject([
      {
        path: "a/session.jsonl",
        status: "unwritten",
        refusalCode: "write-failed",
        refusalDetail: { file: `${out}/a/session.v4.jsonl`, errno: expect.stringMatching(/^E/) },
      },
      { path: "b/session.jsonl", status: "migrated" },
    ])
    expect(filesIn(out)).toStrictEqual(["a", "b/session.v4.jsonl"])
  })

  it("C52: whatever an archive or a store calls its logs, nothing leaves the folder", async () => {
    const archive = (name: string): Buffer =>
      zipOf(["a b/ä/session.jsonl", name].map((each) => ({ name: each, content: text })))
    const out = odd.folder("deep/er/out")
    // an archive with names that lead elsewhere is not read at all
    for (const name of ["../up/session.jsonl", "/etc/session.jsonl", "c:\\d\\session.jsonl"])
      expect(await migrated(odd.file("odd.zip", archive(name)), "--out", out), name).toMatchObject([
        { status: "unreadable", refusalCode: "container-corrupt" },
      ])
    expect(filesIn(odd.path)).toStrictEqual(["odd.zip"])
    await migrated(odd.file("odd.zip", archive("./.../session.jsonl")), "--out", out)
    expect(filesIn(odd.path)).toStrictEqual([
      "deep/er/out/a~0020b/~00E4/session.v4.jsonl",
      "deep/er/out/~002E/.../session.v4.jsonl",
      "odd.zip",
    ])

    const place = newPlace()
    const ids = ["../..", "..", "", "ä/\u0001", "s"]
    newStore(`${folder.folder("odd")}/store.db`, [
      ...ids.map((id) => [{ id }, [{ seq: 0, data: '{"active":true}' }]] as const),
    ]).close()
    const records = await migrated(folder.at("odd/store.db"), "--out", place)
    expect(records.map(({ session, status }) => [session, status])).toStrictEqual(
      ids.toSorted().map((id) => [id, "migrated"]),
    )
    expect(filesIn(place)).toStrictEqual(
      [
        "session.v4.jsonl",
        "s/session.v4.jsonl",
        "~002E~002E/session.v4.jsonl",
        "~002E~002E/~002E~002E/session.v4.jsonl",
        "~00E4/~0001/session.v4.jsonl",
      ].toSorted(),
    )
  })

  it("C53: of logs that go to one name the first has it, for any number of workers", async () => {
    const paths = ["x", "y", "z"].map((name) => folder.file(`same/${name}/session.jsonl`, text))
    for (const workers of ["1", "3"]) {
      const out = newPlace()
      const args = [...paths, "--out", out, "--workers", workers]
      expect((await migrated(...args)).map(({ status }) => status)).toStrictEqual([
        "migrated",
        "exists",
        "exists",
      ])
    }
  })

  it("C53: records and files are the same for any number of workers", async () => {
    const [one, three] = [newPlace(), newPlace()]
    const first = await refold(["migrate", "--json", samples, "--out", one, "--workers", "1"])
    const second = await refold(["migrate", "--json", samples, "--out", three, "--workers", "3"])
    expect(second.stdout.replaceAll(three, one)).toBe(first.stdout)
    expect(second.status).toBe(first.status)
    expect(filesIn(three)).toStrictEqual(filesIn(one))
    expect(filesIn(one)).toHaveLength(9)
    for (const name of filesIn(one))
      expect(readFileSync(`${three}/${name}`)).toStrictEqual(readFileSync(`${one}/${name}`))
    const findings = await refold(["check", one])
    expect(findings).toMatchObject({ status: 0, stdout: "9 logs: 9 ok\n" })
  })

  it("C54: logs in containers and from standard input migrate as their texts do", async () => {
    const plain = newPlace()
    await migrated(folder.file("plain/session.jsonl", text), "--out", plain)
    const expected = readFileSync(`${plain}/session.v4.jsonl`, "utf8")
    const lines = text.split("\n").slice(0, -1)
    const packed = {
      "jsonl.zstd": folder.file("z/session.jsonl.zstd", zstdLog(lines, 2)),
      "jsonl.gz": folder.file("g/session.jsonl.gz", gzipSync(text)),
      zip: folder.file("p/export.zip", zipOf([{ name: "session.jsonl", content: text }])),
    }
    for (const [container, path] of Object.entries(packed)) {
      const out = newPlace()
      const [record] = await migrated(path, "--out", out)
      expect(record).toMatchObject({ status: "migrated", container, proof: "equal" })
      expect(readFileSync(`${out}/session.v4.jsonl`, "utf8")).toBe(expected)
    }
    const out = newPlace()
    const piped = await refold(["migrate", "-", "--out", out], { input: gzipSync(text) })
    expect(piped.status).toBe(0)
    expect(readFileSync(`${out}/session.v4.jsonl`, "utf8")).toBe(expected)
  })

  it("C54: a torn tail is left out and told; a damaged container is not carried on", async () => {
    const tail = { byteOffset: Buffer.byteLength(text), byteLength: 4 }
    const torn = folder.file("torn.jsonl", `${text}{"ty`)
    expect(await migrated(torn, "--out", newPlace())).toMatchObject([{ status: "migrated", tail }])
    const said = await refold(["migrate", torn, "--dry-run"])
    expect(said.stdout).toContain("2 messages equal, without its torn tail\n")
    const lines = text.split("\n").slice(0, -1)
    const cut = folder.file("cut/session.jsonl.zstd", zstdLog(lines, 2).subarray(0, -3))
    expect(await migrated(cut, "--dry-run")).toMatchObject([
      { status: "migrated", tail: { byteLength: 0 } },
    ])
    const damaged = gzipSync(text)
    damaged[damaged.length - 8] = (damaged.at(-8) ?? 0) ^ 1
    const path = folder.file("damaged/session.jsonl.gz", damaged)
    const out = newPlace()
    const run = await refold(["migrate", "--ndjson", path, "--out", out])
    expect(run.status).toBe(2)
    expect(recordsIn(run.stdout)).toMatchObject([
      { status: "unreadable", refusalCode: "container-corrupt" },
    ])
    expect(readdirSync(out)).toStrictEqual([])
  })

  it("C55: a log of several writers, with a bad line or a gap is not carried on", async () => {
    const seed = { type: "session/end-seed", seq: 3, time: 3, data: {} }
    const bad = [
      sessionLog("s", mode(0), mode(1), mode(2), seed, mode(1), mode(2)),
      sessionLog("s", mode(0), "{", mode(1)),
      sessionLog("s", mode(0), mode(2)),
      logUnder({ ...headerIn(0), sandboxMode: "x" }, mode(0)),
    ]
    const paths = bad.map((content, i) => folder.file(`several/${i}.jsonl`, content))
    const records = await migrated(...paths, "--dry-run")
    expect(records.map(({ status, refusalCode }) => [status, refusalCode])).toStrictEqual([
      ["refused", "seq-not-contiguous"],
      ["refused", "invalid-json"],
      ["refused", "seq-not-contiguous"],
      ["refused", "header-field"],
    ])
  })
})

describe.concurrent("reading as a later format", () => {
  it("C56: fold, messages and transcript read a log as its successor would be read", async () => {
    const out = newPlace()
    await migrated(log, "--out", out)
    const successor = `${out}/session.v4.jsonl`
    for (const command of ["messages", "transcript"]) {
      const as = await refold([command, "--json", "--as", "4", log])
      expect(as.stdout, command).toBe((await refold([command, "--json", successor])).stdout)
    }
    const as = await refold(["fold", "--json", "--as", "4", log])
    const plain = JSON.parse((await refold(["fold", "--json", successor])).stdout) as object
    const nothing = { refusalCode: null, refusalSeq: null, refusalDetail: null }
    expect(JSON.parse(as.stdout)).toStrictEqual({
      ...plain,
      native: { status: "ok", formatVersion: 0, ...nothing },
    })
    expect(as.stderr).toContain("as format 0: ok")
  })

  it("C56: a log that cannot be upgraded is refused, with how its own format ends it", async () => {
    const path = folder.file("early.jsonl", sessionLog("early", user(0, "hi")))
    const run = await refold(["fold", "--json", "--as", "4", path])
    expect(run.status).toBe(1)
    expect(JSON.parse(run.stdout)).toMatchObject({
      status: "refused",
      refusalCode: "upgrade-refused",
      refusalSeq: 0,
      refusalDetail: { cause: "surface-before-step", from: 0, to: 4, causeCount: 1 },
      eventCount: 0,
      native: { status: "ok", formatVersion: 0 },
    })
    expect((await refold(["fold", "--as", "9", path])).status).toBe(3)
  })
})
