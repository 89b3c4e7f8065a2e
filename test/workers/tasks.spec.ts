import { afterAll, describe, expect, it } from "vitest"
import type { FoundLog } from "#shell/archive/discover"
import { discover } from "#shell/archive/discover"
import { Pool } from "#shell/dispatch/pool"
import { foldRecord } from "#shell/report/fold-record"
import foldTask from "#workers/fold-task"
import replayTask from "#workers/replay-task"
import type { HeaderFilter } from "#core/log/header-filter"
import type { FoldRequest, LogSource, ReplayRequest } from "#workers/task-protocol"
import { readLog } from "../fixtures/log-in-memory.ts"
import { readFileSync } from "node:fs"
import { samples } from "../cli/run.ts"
import { temporaryFolder } from "../shell/folder.ts"
import { assistant, mode, sessionLog, user } from "../shell/session-logs.ts"

const folder = temporaryFolder()

const everything: HeaderFilter = { session: null, sinceMs: null, untilMs: null }

const sourceOf = (log: FoundLog): LogSource => ({
  path: log.file,
  descriptor: null,
  namedVersion: log.name?.version ?? null,
})

const replayRequest = (sources: readonly LogSource[], filter = everything): ReplayRequest => ({
  sources,
  tolerance: "default",
  filter,
  withRequests: true,
  withDigest: true,
})

const foldRequest = (source: LogSource): FoldRequest => ({
  source,
  tolerance: "default",
  at: null,
  withDigest: true,
  withTranscript: true,
})

const bad = [
  folder.file("bad/torn/session.jsonl", `${sessionLog("torn", mode(0))}{`),
  folder.file("bad/refused/session.jsonl", sessionLog("refused", user(0, "a"), "{")),
  folder.file("bad/empty/session.jsonl", ""),
]

const logs = discover([samples, folder.at("bad")]).logs
const sources = [
  ...logs.map(sourceOf),
  { path: folder.at("gone"), descriptor: null, namedVersion: 0 },
]

const signal = new AbortController().signal

describe("the replay task", () => {
  const pool = new Pool(2)
  afterAll(() => pool.close())

  it("W1: answers one report a log, in the order asked, and the same in a worker", async () => {
    const here = await replayTask(replayRequest(sources))
    expect(here).toHaveLength(15 + bad.length + 1)
    expect(here.map((each) => each?.report.header?.id ?? each?.report.fault?.code)).toStrictEqual([
      ...logs.map(({ file }) => {
        const [first = ""] = readFileSync(file, "utf8").split("\n")
        return first === "" ? undefined : (JSON.parse(first) as { readonly id: string }).id
      }),
      "not-found",
    ])
    expect(await pool.run("replay-task", replayRequest(sources), signal)).toStrictEqual(here)
    // one by one as all at once
    for (const [i, source] of sources.entries())
      expect(await replayTask(replayRequest([source]))).toStrictEqual([here[i]])
  })

  it("W1: answers what the core makes of the bytes of a log", async () => {
    const replies = await replayTask(replayRequest(logs.map(sourceOf)))
    for (const [i, reply] of replies.entries()) {
      const log = logs[i]
      const read = readLog(readFileSync(log?.file ?? ""), {
        namedVersion: log?.name?.version ?? null,
      })
      expect(reply?.report, log?.file).toMatchObject({
        status: read.status,
        nodeCount: read.nodes.length,
        messageCount: read.messages.length,
        replaceGeneration: read.replacements.length,
        refusal: read.refusal,
        tail: read.tail,
      })
      if (read.fold !== null) {
        expect(reply?.report.activity).toStrictEqual(read.fold.counts().activity)
        expect(reply?.report.tokens).toStrictEqual(read.tokens)
        expect(reply?.report.usage).toStrictEqual(read.fold.counts().usage.totals)
      }
    }
  })

  it("W2: answers with plain data, which nothing is lost of on the way", async () => {
    const reply = await replayTask(replayRequest(sources))
    expect(structuredClone(reply)).toStrictEqual(reply)
    expect(JSON.parse(JSON.stringify(reply))).toStrictEqual(reply)
  })

  it("W3: leaves out what the header says is not wanted, and reads no further", async () => {
    const one = folder.file("filter/1/session.jsonl", sessionLog("one", "never read"))
    const other = folder.file("filter/2/session.jsonl", sessionLog("other", mode(0)))
    const plain = [one, other, bad[2] ?? ""].map((path) => ({
      path,
      descriptor: null,
      namedVersion: null,
    }))
    const kept = async (filter: Partial<HeaderFilter>): Promise<readonly (string | null)[]> =>
      (await replayTask(replayRequest(plain, { ...everything, ...filter }))).map(
        (each) => each?.report.status ?? null,
      )
    // a log without a header cannot be unwanted: it is named
    expect(await kept({})).toStrictEqual(["refused", "ok", "unreadable"])
    expect(await kept({ session: "^o" })).toStrictEqual(["refused", "ok", "unreadable"])
    expect(await kept({ session: "^other$" })).toStrictEqual([null, "ok", "unreadable"])
    // as a glob writes it: an escape that a pattern of Unicode would not take
    expect(await kept({ session: "^o\\-?ne$" })).toStrictEqual(["refused", null, "unreadable"])
    // both were created at 1 ms
    expect(await kept({ sinceMs: 1, untilMs: 2 })).toStrictEqual(["refused", "ok", "unreadable"])
    expect(await kept({ sinceMs: 2 })).toStrictEqual([null, null, "unreadable"])
    expect(await kept({ untilMs: 1 })).toStrictEqual([null, null, "unreadable"])
  })

  it("A12: a log whose name states another version than its header is refused", async () => {
    const path = folder.file("named/session.v2.jsonl", sessionLog("named", mode(0)))
    const sources = [2, 0, null].map((namedVersion) => ({ path, descriptor: null, namedVersion }))
    const replies = await replayTask(replayRequest(sources))
    expect(replies.map((each) => each?.report)).toMatchObject([
      {
        status: "refused",
        refusal: {
          refusal: { code: "version-mismatch", named: 2, version: 0 },
          row: 0,
          byteOffset: 0,
        },
        header: { id: "named" },
      },
      { status: "ok" },
      // a name of any other kind states nothing
      { status: "ok" },
    ])
  })

  it("W3: requests and digests come only where they were asked for", async () => {
    const [source] = sources
    if (source === undefined) throw new Error("there are samples")
    const [plain] = await replayTask({
      ...replayRequest([source]),
      withRequests: false,
      withDigest: false,
    })
    const [full] = await replayTask(replayRequest([source]))
    expect(full?.requests.length).toBeGreaterThan(0)
    expect(plain).toStrictEqual({
      report: { ...full?.report, messagesSha256: null },
      requests: [],
    })
  })
})

describe("the fold task", () => {
  const pool = new Pool(1)
  afterAll(() => pool.close())

  it("W4: answers the same in a worker", async () => {
    for (const source of sources) {
      const here = foldTask(foldRequest(source))
      expect(await pool.run("fold-task", foldRequest(source), signal)).toStrictEqual(here)
    }
  })

  it("W4: agrees with the replay of the same log", async () => {
    const replayed = await replayTask(replayRequest(sources))
    for (const [i, source] of sources.entries()) {
      const reply = foldTask(foldRequest(source))
      if (reply.is !== "folded") throw new Error("the whole log was asked for")
      expect(reply.report).toStrictEqual(replayed[i]?.report)
      const { nodes, replacements } = foldRecord(reply)
      expect(nodes).toHaveLength(reply.report.nodeCount)
      expect(replacements).toHaveLength(reply.report.replaceGeneration)
    }
  })

  it("W4: says where live messages and those of the transcript stand", () => {
    const rows = [
      user(0, "é"),
      assistant(1, 1, 1, "a"),
      user(2, "new", {
        surfaceOp: { op: "replace", start: 0, end: 0 },
        sourceEventSeqs: [0],
      }),
      mode(3),
    ]
    const path = folder.file("lines/session.jsonl", sessionLog("lines", ...rows))
    const text = readFileSync(path)
    const reply = foldTask(foldRequest({ path, descriptor: null, namedVersion: 0 }))
    if (reply.is !== "folded") throw new Error("the whole log was asked for")
    const linesAt = ({
      byteOffsets,
      byteLengths,
    }: {
      readonly byteOffsets: Float64Array
      readonly byteLengths: Float64Array
    }): readonly unknown[] =>
      [...byteOffsets].map((at, i) =>
        JSON.parse(text.subarray(at, at + (byteLengths[i] ?? 0)).toString("utf8")),
      )
    expect([...reply.nodes.seqs]).toStrictEqual([2, 1])
    expect(linesAt(reply.nodes)).toStrictEqual([rows[2], rows[1]])
    // a person saw what was appended, never what replaced it
    expect(linesAt(reply.transcript)).toStrictEqual([rows[0], rows[1]])
    const source = { path, descriptor: null, namedVersion: 0 }
    expect(foldTask({ ...foldRequest(source), withTranscript: false })).toMatchObject({
      transcript: { byteOffsets: new Float64Array() },
    })
    expect(foldRecord(reply).replacements).toStrictEqual([
      { seq: 2, start: 0, end: 0, shadowedSeqs: [0] },
    ])
  })

  it("W4: a log whose events each cite all before them costs what its text costs", () => {
    const events = 60_000
    const rows = Array.from({ length: events }, (_, seq) =>
      seq === 0
        ? user(0, "")
        : user(seq, "", {
            sourceEventSeqs: [[0, seq - 1]],
            surfaceOp: { op: "replace", start: seq - 1, end: seq - 1 },
          }),
    )
    const path = folder.file("cites/session.jsonl", sessionLog("cites", ...rows))
    const reply = foldTask(foldRequest({ path, descriptor: null, namedVersion: 0 }))
    if (reply.is !== "folded") throw new Error("the whole log was asked for")
    // 1,800,000,000 citations, of which each replacement keeps the one that it shadows
    expect(reply.report).toMatchObject({ status: "ok", activity: { eventCount: events } })
    expect([...reply.nodes.seqs]).toStrictEqual([events - 1])
    expect(reply.replacements).toHaveLength((events - 1) * 5)
  })
})
