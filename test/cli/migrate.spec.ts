import { linkSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { FindingRecord, VerdictRecord } from "#shell/report/check-record"
import type { MigrationRecord } from "#shell/report/migration-record"
import { zstdLog } from "../../bench/generate/zstd-frames.ts"
import { headerIn, logOf, logUnder } from "../fixtures/log-in-memory.ts"
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
import { describeShared } from "../shared.ts"
import { zipOf } from "../workers/container/decoding.ts"
import { newStore } from "../workers/container/store.ts"
import { recordsIn, refold, samples } from "./run.ts"

const folder = temporaryFolder()
const odd = temporaryFolder()

const turn = [
  turnStart(0, 1),
  stepStart(1, 1, 1),
  user(2, "hello"),
  assistant(3, 1, 1, "yes"),
  stepEnd(4, 1, 1),
  turnEnd(5, 1),
]
const text = sessionLog("s", ...turn)

const moved = (row: JsonObject | undefined, seq: number, data: JsonObject = {}): JsonObject => ({
  ...row,
  seq,
  data: { ...(row?.["data"] as JsonObject), ...data },
})
const prompt = (id: string): JsonObject => ({
  type: "system/message",
  seq: 2,
  time: 1,
  data: {
    turn: 1,
    step: 1,
    message: { id, role: "system", source: { kind: "system-prompt" }, content: [] },
  },
  surfaceOp: "append",
})

/** The rows of a file; the id that a migration gives is told apart. */
const rowsOf = (file: string): { readonly rows: readonly JsonObject[]; readonly id: string } => {
  const rows = recordsIn<JsonObject>(readFileSync(file, "utf8"))
  return { rows, id: /v2-to-v3-system-[0-9a-f]{64}/.exec(JSON.stringify(rows))?.[0] ?? "" }
}

const migrated = async (...args: readonly string[]): Promise<readonly MigrationRecord[]> =>
  recordsIn<MigrationRecord>((await refold(["migrate", "--ndjson", ...args])).stdout)

const filesIn = (place: string): readonly string[] =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(place.length + 1))
    .toSorted()

let places = 0
const newPlace = (): string => folder.folder(`out-${places++}`)

const log = folder.file("store/_no-cwd/s/session.jsonl", text)
const early = sessionLog("early", user(0, "hi"), { ...mode(1), type: "x/y" })

describe.concurrent("refold migrate", () => {
  it("C45: writes a log as one of the newest format, below the folders of the argument", async () => {
    const out = newPlace()
    const identity = (): unknown => {
      const { ino, size, mtimeMs, ctimeMs, mode: permissions } = statSync(log)
      return [ino, size, mtimeMs, ctimeMs, permissions]
    }
    const before = identity()
    const [record] = await migrated(folder.at("store"), "--out", out)
    const file = `${out}/_no-cwd/s/session.v4.jsonl`
    const { rows, id } = rowsOf(file)
    expect(rows).toStrictEqual([
      headerIn(4, { id: "s" }),
      turn[0],
      turn[1],
      prompt(id),
      moved(turn[2], 3),
      moved(turn[3], 4, { stream: [] }),
      moved(turn[4], 5),
      moved(turn[5], 6),
    ])
    expect(record).toStrictEqual({
      schema: "refold.migration/1",
      path: "_no-cwd/s/session.jsonl",
      root: folder.at("store"),
      session: "s",
      project: "_no-cwd",
      container: "jsonl",
      from: 0,
      to: 4,
      status: "migrated",
      file,
      byteCount: statSync(file).size,
      oldEventCount: 6,
      newEventCount: 7,
      causes: [],
      causeCount: 0,
      findingCounts: {},
      proof: "equal",
      messageCount: 2,
      refusalCode: null,
      refusalSeq: null,
      refusalDetail: null,
      tail: null,
      seqMap: {
        runs: [
          [0, 0],
          [2, 3],
        ],
        inserted: [[2, 1]],
      },
    })
    expect(filesIn(out)).toStrictEqual(["_no-cwd/s/session.v4.jsonl"])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(log, "utf8")).toBe(text)
    expect(identity()).toStrictEqual(before)
  })

  it.each([
    [1, "a.v1.jsonl"],
    [2, "a.v2.jsonl"],
    [3, "a.v3.jsonl"],
  ] as const)("C45: --to %d writes that format, as %s", async (to, name) => {
    const out = newPlace()
    const path = folder.file("named/a.jsonl", text)
    expect((await refold(["migrate", "--to", String(to), "--out", out, path])).status).toBe(0)
    expect(filesIn(out)).toStrictEqual([name])
    expect(rowsOf(`${out}/${name}`).rows[0]).toMatchObject({ version: to, id: "s" })
  })

  it("C46: --dry-run says the same and writes nothing", async () => {
    const out = newPlace()
    const [[tried], [done]] = [
      await migrated("--dry-run", "--out", out, log),
      await migrated("--out", newPlace(), log),
    ]
    expect(filesIn(out)).toStrictEqual([])
    expect(tried).toStrictEqual({ ...done, file: null })
    expect(await migrated("--dry-run", log)).toStrictEqual([tried])
  })

  it("C47: no file is written over, whatever it is, and that is a finding", async () => {
    const out = newPlace()
    const elsewhere = folder.file("elsewhere", "mine\n")
    folder.file(`${out.slice(folder.path.length)}/a/session.v4.jsonl`, "mine\n")
    folder.folder(`${out.slice(folder.path.length)}/b`)
    symlinkSync(elsewhere, `${out}/b/session.v4.jsonl`)
    folder.folder(`${out.slice(folder.path.length)}/c`)
    linkSync(elsewhere, `${out}/c/session.v4.jsonl`)
    folder.folder(`${out.slice(folder.path.length)}/d`)
    symlinkSync(folder.at("nowhere"), `${out}/d/session.v4.jsonl`)
    for (const name of ["a", "b", "c", "d"]) folder.file(`four/${name}/session.jsonl`, text)
    const run = await refold(["migrate", "--ndjson", folder.at("four"), "--out", out])
    expect(run.status).toBe(1)
    for (const record of recordsIn<MigrationRecord>(run.stdout))
      expect(record).toMatchObject({ status: "exists", file: null, refusalCode: null })
    expect(readFileSync(elsewhere, "utf8")).toBe("mine\n")
    expect(readFileSync(`${out}/a/session.v4.jsonl`, "utf8")).toBe("mine\n")
    expect(filesIn(out)).toStrictEqual(["a", "b", "c", "d"].map((n) => `${n}/session.v4.jsonl`))
  })

  it("C48: a log that cannot be carried on is told with all causes, and leaves nothing", async () => {
    const path = folder.file("bad/early/session.jsonl", early)
    const out = newPlace()
    const run = await refold(["migrate", "--ndjson", folder.at("bad"), "--out", out])
    expect(run.status).toBe(1)
    const [record] = recordsIn<MigrationRecord>(run.stdout)
    expect(record).toMatchObject({
      status: "refused",
      file: null,
      causeCount: 2,
      causes: [
        { code: "surface-before-step", class: "unsupported", seq: 0, from: 2, to: 3 },
        { code: "event-type-unknown", class: "unsupported", seq: 1, from: 0, to: 1 },
      ],
      refusalCode: "surface-before-step",
      refusalSeq: 0,
      proof: null,
    })
    // no folder of it either
    expect(readdirSync(out)).toStrictEqual([])
    expect((await refold(["migrate", path, "--out", `${out}/new`])).stdout).toBe(
      `${path}: refused: 2 causes
  seq 0: a message stands before the first step, where the system prompt must be [surface-before-step, 2 to 3]
  seq 1: unknown event type x/y, which is not marked ignorable [event-type-unknown, 0 to 1]
1 log: 1 refused
`,
    )
    expect(readdirSync(out)).toStrictEqual([])
  })

  it("C48: a new log that its own reader would refuse is not written", async () => {
    const result = {
      type: "tool/result",
      seq: 2,
      time: 2,
      data: {
        turn: 1,
        step: 1,
        message: {
          id: "r",
          role: "user",
          source: { kind: "tool", callId: "c" },
          content: [{ type: "tool-result", toolCallId: "c", content: [], isError: false }],
        },
      },
      surfaceOp: "append",
    }
    const path = folder.file("stray.jsonl", sessionLog("s", ...turn.slice(0, 2), result))
    const out = newPlace()
    const [record] = await migrated(path, "--out", out)
    expect(record).toMatchObject({
      status: "refused",
      file: null,
      causes: [],
      // the prompt came before it
      refusalCode: "tool-result-unadvertised",
      refusalSeq: 3,
      findingCounts: { "tool-result-unadvertised": 1, "result-without-call": 1 },
    })
    expect(readdirSync(out)).toStrictEqual([])
  })

  it("C49: status 0 for logs that have the format or a later one, 2 for what is no log", async () => {
    const out = newPlace()
    const four = folder.file("four.jsonl", logOf(4))
    const three = folder.file("three.jsonl", logOf(3))
    const none = folder.file("none.jsonl", "no log\n")
    const done = await refold(["migrate", "--ndjson", "--to", "3", "--out", out, four, three])
    expect(done.status).toBe(0)
    expect(recordsIn(done.stdout)).toMatchObject([
      { status: "newer", from: 4, to: 3 },
      { status: "current", from: 3, to: 3 },
    ])
    const unreadable = await refold(["migrate", "--json", "--out", out, none, folder.at("x"), four])
    expect(unreadable.status).toBe(2)
    expect(JSON.parse(unreadable.stdout)).toMatchObject({
      schema: "refold.migrate/1",
      migrations: [
        { path: four, status: "current" },
        { path: none, status: "unreadable", refusalCode: "not-a-log" },
        { path: folder.at("x"), status: "unreadable", refusalCode: "not-found" },
      ],
    })
    expect(readdirSync(out)).toStrictEqual([])
  })

  it.each([
    [["--to", "9", "--dry-run", log]],
    [["--to", "x", "--dry-run", log]],
    [[log]],
    [["--out", newPlace()]],
    [["--out=", log]],
    [["--dry-run", "--json", "--ndjson", log]],
    [["--dry-run", "--as", "4", log]],
  ])("C50: %j is wrong usage", async (args) => {
    const { status, stdout, stderr } = await refold(["migrate", ...args])
    expect([status, stdout, stderr === ""]).toStrictEqual([3, "", false])
  })

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
      "deep/er/out/~002E/.../session.v4.jsonl",
      "deep/er/out/a~0020b/~00E4/session.v4.jsonl",
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

describeShared("the real logs as ones of format 4", (shared) => {
  it("C57: 75 are carried on, 73 of them soundly: the same messages, and nothing is found", async () => {
    const out = newPlace()
    const archive = `${shared}/archives/dsh-v0`
    const run = await refold(["migrate", "--ndjson", archive, "--out", out])
    expect(run.status).toBe(1)
    const records = recordsIn<MigrationRecord>(run.stdout)
    const done = records.filter(({ status }) => status === "migrated")
    expect([records.length, done.length]).toStrictEqual([98, 73])
    for (const record of done)
      expect(record, record.path).toMatchObject({ proof: "equal", findingCounts: {} })
    expect(records.filter(({ causeCount }) => causeCount > 0)).toHaveLength(23)
    expect(filesIn(out)).toStrictEqual(
      done.map(({ path }) => path.replace("session.jsonl", "session.v4.jsonl")),
    )
    const checked = await refold(["check", "--ndjson", out])
    const rows = recordsIn<FindingRecord | VerdictRecord>(checked.stdout)
    expect([checked.status, rows.length]).toStrictEqual([0, 73])
    for (const row of rows) expect(row).toMatchObject({ status: "ok", formatVersion: 4 })
  })
})
