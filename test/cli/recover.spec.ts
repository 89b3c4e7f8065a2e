import { readFileSync, readdirSync, statSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { RecoveryRecord } from "#shell/report/recovery-record"
import { zstdFrame, zstdLog } from "../../bench/generate/zstd-frames.ts"
import { headerIn, logUnder } from "../fixtures/log-in-memory.ts"
import { temporaryFolder } from "../shell/folder.ts"
import { mode, sessionLog, turnEnd, turnStart, user } from "../shell/session-logs.ts"
import { zipOf } from "../workers/container/decoding.ts"
import { refold } from "./run.ts"
import { contentOf, outPlaces } from "./out-places.ts"

const folder = temporaryFolder()

const newPlace = outPlaces(folder)

const size = (text: string): number => Buffer.byteLength(text)

const ended = async (
  ...args: readonly string[]
): Promise<{ readonly record: RecoveryRecord; readonly status: number | null }> => {
  const { stdout, status } = await refold(["recover", "--json", ...args])
  return { record: JSON.parse(stdout) as RecoveryRecord, status }
}

const recovered = async (...args: readonly string[]): Promise<RecoveryRecord> =>
  (await ended(...args)).record

const nothing = { outputs: [], dropped: [], tail: null, containerDamage: null }

const s = (...rows: readonly (string | JsonObject)[]): string => sessionLog("s", ...rows)
const seed = { type: "session/end-seed", seq: 3, time: 3, data: {} }

describe.concurrent("refold recover", () => {
  it("RC5: writes nothing of a log that is whole, even one that breaks rules", async () => {
    const out = newPlace()
    const broken = s(turnEnd(0, 1), user(1, "hi"))
    for (const [name, text] of [
      ["whole", s(mode(0))],
      ["broken", broken],
      ["packed", gzipSync(s(mode(0)))],
    ] as const) {
      const path = folder.file(`whole/${name}.jsonl`, text)
      const { record, status } = await ended(path, "--out", out)
      expect(status).toBe(0)
      expect(record).toMatchObject({ status: "whole", session: "s", formatVersion: 0, ...nothing })
    }
    expect(readdirSync(out)).toStrictEqual([])
  })

  it("RC6: cuts off a torn tail and leaves out lines that are no rows, and says which", async () => {
    const out = newPlace()
    const start = s(mode(0))
    const text = `${s(mode(0), '{"bad', mode(1), "")}{"torn`
    const path = folder.file("damaged/session.jsonl", text)
    const before = statSync(path).mtimeMs
    const expected = s(mode(0), mode(1))
    const { record, status } = await ended(path, "--out", out)
    expect(status).toBe(0)
    expect(record).toMatchObject({
      schema: "refold.recovery/1",
      path,
      session: "s",
      container: "jsonl",
      formatVersion: 0,
      status: "recovered",
      outputs: [
        {
          kind: "log",
          file: `${out}/session.jsonl`,
          eventCount: 2,
          byteCount: size(expected),
          forkedAt: null,
          status: "ok",
          findingCounts: {},
          openTurn: null,
        },
      ],
      dropped: [
        { byteOffset: size(start), byteLength: 5 },
        { byteOffset: size(s(mode(0), '{"bad', mode(1))), byteLength: 0 },
      ],
      tail: { byteOffset: size(text) - 6, byteLength: 6 },
      refusalCode: null,
      refusalDetail: null,
    })
    expect(contentOf(out)).toStrictEqual({ "session.jsonl": expected })
    expect([readFileSync(path, "utf8"), statSync(path).mtimeMs]).toStrictEqual([text, before])
    const place = newPlace()
    const said = await refold(["recover", path, "--out", place])
    expect(said.stdout).toBe(`${path}: recovered
  log: 2 events, ${size(expected)} bytes, ok: ${place}/session.jsonl
  left out: byte ${size(start)}, 5 bytes that are no row
  left out: byte ${size(s(mode(0), '{"bad', mode(1)))}, 0 bytes that are no row
  left out: byte ${size(text) - 6}, 6 bytes of a torn line
`)
  })

  it("RC7: rows behind events that are missing are put apart, under the header", async () => {
    const out = newPlace()
    const path = folder.file("gap.jsonl", s(mode(0), mode(1), mode(5), mode(6), "{", mode(7)))
    expect(await recovered(path, "--out", out)).toMatchObject({
      status: "recovered",
      outputs: [
        { kind: "log", eventCount: 2, status: "ok" },
        { kind: "part", eventCount: 2, status: null, findingCounts: null, forkedAt: null },
        { kind: "part", eventCount: 1, status: null },
      ],
      dropped: [{ byteLength: 1 }],
    })
    expect(contentOf(out)).toStrictEqual({
      "gap.jsonl": s(mode(0), mode(1)),
      "gap.part-1.jsonl": s(mode(5), mode(6)),
      "gap.part-2.jsonl": s(mode(7)),
    })
  })

  it("RC8: a log that two writers went on with becomes both branches, each whole", async () => {
    const out = newPlace()
    const common = [mode(0)]
    const first = s(...common, mode(1), mode(2), seed)
    const second = s(...common, user(1, "other"), mode(2))
    const rows = [mode(0), mode(1), mode(2), seed, user(1, "other"), mode(2)]
    const path = folder.file("fork/session.jsonl", s(...rows))
    expect(await recovered(path, "--out", out)).toMatchObject({
      status: "recovered",
      outputs: [
        { kind: "branch", eventCount: 4, byteCount: size(first), forkedAt: null, status: "ok" },
        { kind: "branch", eventCount: 3, byteCount: size(second), forkedAt: 1, status: "ok" },
      ],
      dropped: [],
    })
    expect(contentOf(out)).toStrictEqual({
      "session.branch-1.jsonl": first,
      "session.branch-2.jsonl": second,
    })
    const checked = await refold(["check", ...readdirSync(out).map((name) => `${out}/${name}`)])
    expect(checked).toMatchObject({ status: 0, stdout: "2 logs: 2 ok\n" })
  })

  it("RC13: no file is written over, and what has no such name is written", async () => {
    const out = newPlace()
    const place = out.slice(folder.path.length)
    folder.file(`${place}/gap.part-1.jsonl`, "mine\n")
    const path = folder.file("exists/gap.jsonl", s(mode(0), mode(5)))
    const { record, status } = await ended(path, "--out", out)
    expect(status).toBe(1)
    expect(record).toMatchObject({
      status: "exists",
      outputs: [{ file: `${out}/gap.jsonl` }, { kind: "part", file: null }],
    })
    expect(contentOf(out)).toStrictEqual({ "gap.jsonl": s(mode(0)), "gap.part-1.jsonl": "mine\n" })
    // the log itself is such a file
    const own = folder.file("own/session.jsonl", `${s(mode(0))}{`)
    const over = await ended(own, "--out", folder.at("own"))
    expect([over.status, over.record.status]).toStrictEqual([1, "exists"])
    expect(contentOf(folder.at("own"))).toStrictEqual({ "session.jsonl": `${s(mode(0))}{` })
  })

  it("RC14: of a container that is damaged or torn what is whole is saved", async () => {
    const rows = [mode(0), mode(1), mode(2)]
    const frames = [s(), ...rows.map((row) => `${JSON.stringify(row)}\n`)].map((part) =>
      zstdFrame(part),
    )
    const last = frames[3] ?? Buffer.alloc(0)
    last[last.length - 1] = (last.at(-1) ?? 0) ^ 1
    const out = newPlace()
    const path = folder.file("corrupt/session.jsonl.zstd", Buffer.concat(frames))
    expect(await recovered(path, "--out", out)).toMatchObject({
      status: "recovered",
      container: "jsonl.zstd",
      outputs: [{ kind: "log", eventCount: 2, status: "ok" }],
      tail: null,
      containerDamage: { code: "container-corrupt", detail: { what: "content" } },
    })
    expect(contentOf(out)).toStrictEqual({ "session.jsonl": s(mode(0), mode(1)) })

    const cut = zstdLog(
      s(...rows)
        .split("\n")
        .slice(0, -1),
      2,
    ).subarray(0, -3)
    const torn = await recovered(folder.file("torn/session.jsonl.zstd", cut), "--out", newPlace())
    expect(torn).toMatchObject({ status: "recovered", containerDamage: null })
    expect(torn.tail).not.toBeNull()

    const none = await ended(folder.file("none.gz", gzipSync(s()).subarray(0, 9)), "--out", out)
    expect([none.status, none.record.status]).toStrictEqual([2, "unreadable"])
  })

  it("RC14: one log of an archive, and standard input, are taken as their texts", async () => {
    const text = `${s(mode(0))}{`
    const archive = zipOf([
      { name: "session.jsonl", content: s() },
      { name: "subagents/c/session.jsonl", content: text },
    ])
    const path = folder.file("many/export.zip", archive)
    const out = newPlace()
    expect(await recovered(`${path}/subagents/c/session.jsonl`, "--out", out)).toMatchObject({
      status: "recovered",
      container: "zip",
    })
    const file = `${out}/subagents/c/session.jsonl`
    expect(readFileSync(file, "utf8")).toBe(s(mode(0)))
    const several = await ended(path, "--out", newPlace())
    expect(several.record).toMatchObject({
      status: "unreadable",
      refusalCode: "entry-not-found",
      refusalDetail: { entry: null, entryCount: 2 },
    })
    for (const input of [text, gzipSync(text)]) {
      const place = newPlace()
      const { stdout, status } = await refold(["recover", "--ndjson", "-", "--out", place], {
        input,
      })
      expect(status).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ path: "-", status: "recovered" })
      expect(contentOf(place)).toStrictEqual({ "session.jsonl": s(mode(0)) })
    }
  })

  it("RC15: what is no log is unreadable, and a file that cannot be made is named", async () => {
    const none = await ended(folder.file("none.jsonl", "no log\n"), "--out", newPlace())
    expect(none).toMatchObject({
      status: 2,
      record: { status: "unreadable", refusalCode: "not-a-log", ...nothing },
    })
    const later = folder.file("later.jsonl", logUnder(headerIn(5)))
    expect(await ended(later, "--out", newPlace())).toMatchObject({
      status: 1,
      record: { status: "refused", refusalCode: "version-unsupported" },
    })
    const missing = await ended(folder.at("missing"), "--out", newPlace())
    expect(missing).toMatchObject({ status: 2, record: { refusalCode: "not-found" } })
    const path = folder.file("unwritten.jsonl", `${s(mode(0))}{`)
    const unwritten = await ended(path, "--out", `${path}/out`)
    expect(unwritten).toMatchObject({
      status: 3,
      record: {
        status: "unwritten",
        ...nothing,
        refusalCode: "write-failed",
        refusalDetail: { file: `${path}/out/unwritten.jsonl` },
      },
    })
  })

  it.each([
    [[]],
    [["x"]],
    [["--out", "y"]],
    [["x", "--out", "y", "--open-turn", "drop"]],
    [["x", "--out", "y", "--json", "--ndjson"]],
    [["x", "y", "--out", "z"]],
    [["x", "--out="]],
  ])("RC15: %j is wrong usage", async (args) => {
    const { status, stdout, stderr } = await refold(["recover", ...args])
    expect([status, stdout, stderr === ""]).toStrictEqual([3, "", false])
  })

  it("RC16: the formats of later logs are kept, in their content and their name", async () => {
    const turn = (end: boolean): readonly JsonObject[] => [
      turnStart(0, 1),
      ...(end ? [turnEnd(1, 1)] : []),
    ]
    for (const version of [1, 2, 3, 4]) {
      const out = newPlace()
      const text = logUnder(headerIn(version), ...turn(true))
      const path = folder.file(`later/session.v${version}.jsonl`, `${text}{`)
      expect(await recovered(path, "--out", out)).toMatchObject({
        formatVersion: version,
        outputs: [{ status: "ok", findingCounts: {} }],
      })
      expect(contentOf(out)).toStrictEqual({ [`session.v${version}.jsonl`]: text })
    }
  })
})
