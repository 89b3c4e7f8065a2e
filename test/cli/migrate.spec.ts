import { linkSync, readFileSync, readdirSync, statSync, symlinkSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { MigrationRecord } from "#shell/report/migration-record"
import { headerIn, logOf } from "../fixtures/log-in-memory.ts"
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
import { recordsIn, refold } from "./run.ts"
import { filesIn, outPlaces } from "./out-places.ts"

const folder = temporaryFolder()

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

const newPlace = outPlaces(folder)

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
})
