import { closeSync, ftruncateSync, openSync, symlinkSync, writeSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { SessionRecord } from "#shell/report/session-record"
import { headerIn, logUnder } from "../fixtures/log-in-memory.ts"
import { temporaryFolder } from "../shell/folder.ts"
import { mode, sessionLog, user } from "../shell/session-logs.ts"
import { ended, recordsIn, refold, startRefold } from "./run.ts"

const folder = temporaryFolder()

const start = sessionLog("s", mode(0))
const afterStart = Buffer.byteLength(start)

/** A log in a session directory of its own, below the archive. */
const log = (name: string, content: string | Uint8Array): string =>
  folder.file(`archive/p/${name}/session.jsonl`, content)

/** A log with a hole of NUL, as long as no line may be, between two texts. */
const withHole = (name: string, before: string, after: string): void => {
  const descriptor = openSync(log(name, before), "r+")
  const byteCount = 300_000_000
  ftruncateSync(descriptor, byteCount)
  writeSync(descriptor, after, byteCount)
  closeSync(descriptor)
}

const nested = "[".repeat(100_000) + "]".repeat(100_000)
const deepRow = `{"type":"plan/mode","seq":1,"time":1,"data":{"active":true,"x":${nested}}}`

log("good", sessionLog("good", mode(0), user(1, "\u001b[31m\u0000")))
log("empty", "")
log("header-alone", JSON.stringify(headerIn(0)))
log("binary", Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 37 + 11) % 256)))
log("text", "hello\n")
log("other-json", '{"type":"package"}\n')
log("number", "1\n")
log("blank", "\n")
log("newer", logUnder(headerIn(99)))
log("header-field", logUnder({ ...headerIn(0), delegationDepth: "x" }))
log("header-nested", `{"type":"session","x":${nested}}\n`)
log("header-bom", `\uFEFF${start}`)
log("header-utf8", Buffer.concat([Buffer.from('{"type":"\xe9"', "latin1"), Buffer.from("}\n")]))
folder.file("archive/p/misnamed/session.v2.jsonl", start)
log("utf8", Buffer.concat([Buffer.from(start), Buffer.from([0xe4, 0xbd, 0x0a])]))
log(
  "utf8-torn",
  Buffer.concat([Buffer.from(start), Buffer.from('{"x":"'), Buffer.from([0xe4, 0xbd])]),
)
log("row-blank", `${start}\n${JSON.stringify(mode(1))}\n`)
log("row-bom", `${start}\uFEFF${JSON.stringify(mode(1))}\n`)
log("row-nested", `${start}${deepRow}\n`)
log("row-text", `${start}hello\n`)
log("row-array", `${start}[]\n`)
log("unknown", sessionLog("s", mode(0), { type: "x/y", seq: 1, time: 1, data: {} }))
log("gap", sessionLog("s", mode(0), mode(2)))
log("crlf", start.replaceAll("\n", "\r\n"))
log("torn", `${start}{"type":"plan/mode","seq":1`)
log("torn-whole", `${start}${JSON.stringify(mode(1))}`)
withHole("long-row", start, `\n${JSON.stringify(mode(1))}\n`)
withHole("long-torn", start, "")
folder.folder("archive/p/directory/session.jsonl")
folder.fifo("archive/p/fifo/session.jsonl")
folder.folder("archive/p/link")
symlinkSync(folder.at("archive/p/good/session.jsonl"), folder.at("archive/p/link/session.jsonl"))
folder.file("archive/p/packed/session.v4.jsonl.zstd", "x")
folder.file("archive/p/good/session.lock", "")
folder.file("archive/p/packed/session.jsonl", start)
log("gzip", Buffer.from("1f8b0800", "hex"))

const unreadable = (refusalCode: string, row = 0, byteOffset = 0): object => ({
  status: "unreadable",
  refusalCode,
  refusalSeq: null,
  refusalDetail: { row, byteOffset },
  eventCount: 0,
  tail: null,
})

const fault = (refusalCode: string, detail: object = {}): object => ({
  status: "unreadable",
  refusalCode,
  refusalSeq: null,
  refusalDetail: detail,
  byteCount: null,
  formatVersion: null,
})

const refusedRow = (refusalCode: string, refusalSeq: number | null = null): object => ({
  status: "refused",
  refusalCode,
  refusalSeq,
  refusalDetail: { row: 2, byteOffset: afterStart },
  session: "s",
  // the accepted prefix stands
  eventCount: 1,
  tail: null,
})

const refusedHeader = (refusalCode: string): object => ({
  ...unreadable(refusalCode),
  status: "refused",
})

const torn = (byteLength: number): object => ({
  status: "torn",
  refusalCode: null,
  eventCount: 1,
  tail: { byteOffset: afterStart, byteLength, cause: "unterminated" },
})

const tooLong = { limitBytes: 256 * 1024 * 1024 }

/** What each log of the archive comes to; every one of them by hand. */
const expected: Readonly<Record<string, object>> = {
  good: { status: "ok", eventCount: 2, nodeCount: 1 },
  empty: unreadable("not-a-log"),
  "header-alone": unreadable("not-a-log"),
  binary: unreadable("invalid-utf8"),
  text: unreadable("not-a-log"),
  "other-json": unreadable("not-a-log"),
  number: unreadable("not-a-log"),
  blank: unreadable("not-a-log"),
  newer: {
    ...refusedHeader("version-unsupported"),
    refusalDetail: { row: 0, byteOffset: 0, version: 99, newest: 4 },
  },
  "header-field": refusedHeader("header-field"),
  "header-nested": unreadable("not-lossless"),
  "header-bom": unreadable("byte-order-mark"),
  "header-utf8": unreadable("invalid-utf8"),
  misnamed: {
    ...refusedHeader("version-mismatch"),
    refusalDetail: { row: 0, byteOffset: 0, named: 2, version: 0 },
    session: "s",
    formatVersion: 0,
  },
  utf8: refusedRow("invalid-utf8"),
  "utf8-torn": torn(8),
  "row-blank": refusedRow("blank-line"),
  "row-bom": refusedRow("byte-order-mark"),
  "row-nested": refusedRow("not-lossless"),
  "row-text": refusedRow("invalid-json"),
  "row-array": refusedRow("row-not-object"),
  unknown: refusedRow("event-type-unknown", 1),
  gap: refusedRow("seq-not-contiguous", 2),
  crlf: { status: "ok", refusalCode: null, eventCount: 1, tail: null },
  torn: torn(27),
  "torn-whole": torn(JSON.stringify(mode(1)).length),
  "long-row": {
    ...refusedRow("line-too-long"),
    refusalDetail: { row: 2, byteOffset: afterStart, ...tooLong },
  },
  "long-torn": torn(300_000_000 - afterStart),
  directory: fault("not-a-file"),
  fifo: fault("not-a-file"),
  // a name is no container
  packed: { ...unreadable("not-a-log"), container: "jsonl" },
  // the file ends before anything is decoded
  gzip: { ...unreadable("not-a-log"), container: "jsonl.gz" },
}

describe("bad input", () => {
  it("C9 C29: each is a record of its own, and the rest of the batch is done", async () => {
    const missing = folder.at("missing")
    const none = folder.folder("none")
    const run = await refold(["replay", "--ndjson", folder.at("archive"), missing, none])
    const records = recordsIn<SessionRecord>(run.stdout)
    const byName = new Map(records.map((record) => [record.path.split("/").at(-2) ?? "", record]))
    for (const [name, record] of Object.entries(expected))
      expect(byName.get(name), name).toMatchObject(record)
    expect(records.filter(({ path }) => path === missing)).toMatchObject([
      fault("not-found", { errno: "ENOENT" }),
    ])
    expect(records.filter(({ path }) => path === none)).toMatchObject([fault("no-logs")])
    expect(records).toHaveLength(Object.keys(expected).length + 2)
    expect(run.stderr).toBe("skipped: 1 other file, 1 link, 1 older generation\n")
    expect(run.status).toBe(2)
  })

  it("C29: as text each is one line that names the code and the place", async () => {
    // those with a line too long were enough once
    const paths = Object.keys(expected)
      .filter((name) => !name.startsWith("long"))
      .map((name) => folder.at(`archive/p/${name}`))
    const { stdout, status } = await refold(["replay", ...paths])
    const lines = stdout.split("\n").slice(1, paths.length)
    for (const line of lines)
      expect(line).toMatch(
        / (ok|torn|(refused|unreadable): [a-z0-9-]+( at seq \d+| at row \d+ \(byte \d+\))?)$/,
      )
    expect(status).toBe(2)
  })

  it("C30: a line that is too long is not kept", async () => {
    // the process says on a descriptor of its own what it took at most
    const report = `import { writeSync } from "node:fs"
      import { isMainThread } from "node:worker_threads"
      if (isMainThread) process.on("exit", () => writeSync(3, String(process.resourceUsage().maxRSS)))`
    const child = startRefold(
      ["fold", "--json", folder.at("archive/p/long-row/session.jsonl")],
      ["ignore", "pipe", "pipe", "pipe"],
      { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(report)}` },
    )
    let kilobytes = ""
    child.stdio[3]?.on("data", (chunk: Buffer) => {
      kilobytes += chunk.toString("utf8")
    })
    const { stdout } = await ended(child)
    expect(JSON.parse(stdout)).toMatchObject({ refusalCode: "line-too-long" })
    // one block of 256 MiB, the smaller ones that it grew from, and a Node with its threads
    const limitMiB = 900
    expect(Number(kilobytes)).toBeGreaterThan(0)
    expect(Number(kilobytes) / 1024).toBeLessThan(limitMiB)
  })
})
