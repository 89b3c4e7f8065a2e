import { readFileSync, readdirSync, statSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import type { FoldRecord } from "#shell/report/fold-record"
import type { SessionRecord } from "#shell/report/session-record"
import { zstdFrame, zstdLog } from "../../bench/generate/zstd-frames.ts"
import { temporaryFolder } from "../shell/folder.ts"
import { assistant, sessionLog, stepStart, turnStart, user } from "../shell/session-logs.ts"
import { zipOf } from "../workers/container/decoding.ts"
import { newStore } from "../workers/container/store.ts"
import { recordsIn, refold, samples } from "./run.ts"

const folder = temporaryFolder()

const text = sessionLog(
  "s",
  turnStart(0, 1),
  stepStart(1, 1, 1),
  user(2, "hello"),
  assistant(3, 1, 1, "yes"),
)
const lines = text.split("\n").slice(0, -1)
const zstd = zstdLog(lines, 2)
const plain = folder.file("plain/session.jsonl", text)

const recordOf = async (path: string): Promise<SessionRecord> => {
  const { stdout } = await refold(["replay", "--ndjson", "--digest", path])
  const [record] = recordsIn<SessionRecord>(stdout)
  if (record === undefined) throw new Error("there is a record")
  return record
}

/** What is the same whatever a log comes in. */
const inside = (record: SessionRecord): object => ({
  ...record,
  path: "",
  root: "",
  container: "",
  project: "",
})

describe.concurrent("logs in containers", () => {
  it.each([
    ["jsonl.zstd", "session.jsonl.zstd", zstd],
    ["jsonl.zstd", "log.of.any.name", zstd],
    ["jsonl.gz", "session.jsonl.gz", gzipSync(text)],
    ["zip", "export.zip", zipOf([{ name: "session.jsonl", content: text }])],
  ] as const)("A11: %s: %s is read as its text", async (container, name, bytes) => {
    const path = folder.file(`${container}-${name}/${name}`, bytes)
    const record = await recordOf(path)
    expect(record).toMatchObject({ status: "ok", container, eventCount: 4 })
    expect(inside(record)).toStrictEqual(inside(await recordOf(plain)))
  })

  it("A11: the lines of a compressed log are read again for its messages", async () => {
    const path = folder.file("again/session.jsonl.zstd", zstd)
    for (const command of ["messages", "transcript", "fold", "check"])
      expect((await refold([command, "--json", path])).status, command).toBe(0)
    const [packed, plainMessages] = await Promise.all([
      refold(["messages", "--json", path]),
      refold(["messages", "--json", plain]),
    ])
    expect(packed.stdout).toBe(plainMessages.stdout)
    const piped = await refold(["messages", "--json", "-"], { input: zstd })
    expect(piped).toStrictEqual(packed)
  })

  it("A11: all logs of an archive are sessions of their own, and each can be named", async () => {
    const child = text.replace('"id":"s"', '"id":"child"')
    const path = folder.file(
      "many/export.zip",
      zipOf([
        { name: "session.jsonl", content: text },
        { name: "subagents/child/session.jsonl", content: child },
        { name: "media/a.png", content: "x" },
      ]),
    )
    const { stdout, status } = await refold(["replay", "--ndjson", path])
    expect(status).toBe(0)
    expect(
      recordsIn<SessionRecord>(stdout).map((record) => [record.path, record.session]),
    ).toStrictEqual([
      [`${path}/session.jsonl`, "s"],
      [`${path}/subagents/child/session.jsonl`, "child"],
    ])
    const one = await refold(["fold", "--json", `${path}/subagents/child/session.jsonl`])
    expect((JSON.parse(one.stdout) as FoldRecord).session).toBe("child")
    const none = await refold(["fold", "--json", `${path}/other`])
    expect(none).toMatchObject({ status: 2 })
    expect(JSON.parse(none.stdout)).toMatchObject({
      refusalCode: "entry-not-found",
      refusalDetail: { entry: "other", entryCount: 2 },
    })
    expect(JSON.parse((await refold(["fold", "--json", path])).stdout)).toMatchObject({
      status: "unreadable",
      refusalCode: "entry-not-found",
      refusalDetail: { entry: null, entryCount: 2 },
    })
  })

  it("A11: a store is read as its sessions, and nothing is left beside it", async () => {
    const place = folder.folder("store")
    const path = `${place}/store.db`
    newStore(path, [
      [{ id: "a" }, []],
      [{ id: "b" }, [{ seq: 0, type: "plan/mode", data: '{"active":true}' }]],
    ]).close()
    const before = [readdirSync(place), statSync(path).mtimeMs]
    const { stdout } = await refold(["replay", "--ndjson", path])
    expect(recordsIn<SessionRecord>(stdout)).toMatchObject([
      { session: "a", status: "ok", container: "sqlite", eventCount: 0 },
      { session: "b", status: "ok", container: "sqlite", eventCount: 1 },
    ])
    expect(readdirSync(place)).toStrictEqual(before[0])
    expect(statSync(path).mtimeMs).toBe(before[1])
  })

  it("A11: a container that is damaged shows what is whole, and is unreadable", async () => {
    const frames = [lines.slice(0, 1), lines.slice(1, 4), lines.slice(4)].map((part) =>
      zstdFrame(part.map((line) => `${line}\n`).join("")),
    )
    const last = frames[2] ?? Buffer.alloc(0)
    last[last.length - 1] = (last.at(-1) ?? 0) ^ 1
    const path = folder.file("damaged/session.jsonl.zstd", Buffer.concat(frames))
    expect(await recordOf(path)).toMatchObject({
      status: "unreadable",
      eventCount: 3,
      refusalCode: "container-corrupt",
      refusalDetail: { what: "content" },
    })
    const cut = folder.file("cut/session.jsonl.zstd", zstd.subarray(0, zstd.length - 3))
    expect(await recordOf(cut)).toMatchObject({ status: "torn", refusalCode: null })
    const { stdout, status } = await refold(["check", "--ndjson", path])
    expect(status).toBe(2)
    expect(recordsIn<object>(stdout)).toMatchObject([
      { schema: "refold.finding/1", layer: "container", code: "container-corrupt" },
      { schema: "refold.verdict/1", status: "unreadable", eventCount: 3 },
    ])
  })

  it("A11: an archive of compressed logs is that of their texts", async () => {
    const { stdout } = await refold(["replay", "--ndjson", "--digest", samples])
    const expected = recordsIn<SessionRecord>(stdout)
    for (const { path } of expected) {
      const rows = readFileSync(`${samples}/${path}`, "utf8")
      const whole = rows.split("\n").slice(0, -1)
      const rest = rows.slice(whole.join("\n").length + 1)
      const frames = [zstdLog(whole, 7), ...(rest === "" ? [] : [zstdFrame(rest).subarray(0, -2)])]
      folder.file(`samples/${path}.zstd`, Buffer.concat(frames))
    }
    const packed = await refold(["replay", "--ndjson", "--digest", folder.at("samples")])
    const records = recordsIn<SessionRecord>(packed.stdout)
    expect(records.map(({ path }) => path)).toStrictEqual(
      expected.map(({ path }) => `${path}.zstd`),
    )
    for (const [i, record] of records.entries())
      expect(record, record.path).toMatchObject({
        status: expected[i]?.status,
        eventCount: expected[i]?.eventCount,
        messagesSha256: expected[i]?.messagesSha256,
        usage: expected[i]?.usage,
      })
  })
})
