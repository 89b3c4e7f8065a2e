import { appendFileSync, closeSync, openSync, renameSync, statSync, writeFileSync } from "node:fs"
import { afterAll, describe, expect, it } from "vitest"
import type { FoldedLog } from "#core/fold/folded-log"
import type { FoundLog } from "#shell/archive/discover"
import { discover, discoverFile, sourceOf } from "#shell/archive/discover"
import { lineSource } from "#shell/archive/line-source"
import type { RangeOptions } from "#shell/dispatch/fold-ranges"
import { foldRanges, rangeCount } from "#shell/dispatch/fold-ranges"
import { ownSignal } from "#shell/dispatch/own-signal"
import { Pool } from "#shell/dispatch/pool"
import foldTask from "#workers/fold-task"
import { refold, samples } from "../cli/run.ts"
import { temporaryFolder } from "./folder.ts"
import { longLog, mode, sessionLog, user } from "./session-logs.ts"

const folder = temporaryFolder()
const pool = new Pool(2)
afterAll(async () => pool.close())

const asked: RangeOptions = {
  throughSeq: Infinity,
  withDigest: true,
  withTranscript: true,
  signal: ownSignal(new AbortController().signal),
}

const ranged = async (
  log: FoundLog,
  options: Partial<RangeOptions>,
  meanwhile: () => void = () => {},
): Promise<FoldedLog | null> => {
  const lines = lineSource(log.file, log.descriptor)
  if ("code" in lines) throw new Error(lines.code)
  try {
    meanwhile()
    return await foldRanges(pool, { source: sourceOf(log), lines }, { ...asked, ...options })
  } finally {
    lines.close()
  }
}

/** The same by one task, or null where that says more than a fold. */
const whole = (log: FoundLog, throughSeq: number): FoldedLog | null => {
  const reply = foldTask({
    source: sourceOf(log),
    tolerance: "default",
    at: throughSeq === Infinity ? null : { is: "seq", seq: throughSeq },
    withDigest: true,
    withTranscript: true,
  })
  return reply.is === "folded" && reply.report.refusal === null ? reply : null
}

const logs = discover([samples]).logs.filter(({ fault }) => fault === null)

describe("a log that is folded by its ranges", () => {
  it.each([1, 900, 7000, 1e9])(
    "W13: is folded as in one go, in ranges of %d bytes",
    async (bytes) => {
      expect(logs.length).toBeGreaterThan(10)
      for (const log of logs)
        expect(await ranged(log, { rangeBytes: bytes })).toStrictEqual(whole(log, Infinity))
    },
  )

  it("W13: a prefix that ends in any range is the prefix", async () => {
    const log = logs.reduce((a, b) => (a.byteCount > b.byteCount ? a : b))
    const eventCount = whole(log, Infinity)?.report.activity?.eventCount ?? 0
    expect(eventCount).toBeGreaterThan(50)
    for (let seq = 0; seq < eventCount; seq += 7)
      expect(await ranged(log, { rangeBytes: 2000, throughSeq: seq })).toStrictEqual(
        whole(log, seq),
      )
    expect(await ranged(log, { rangeBytes: 2000, throughSeq: eventCount })).toBeNull()
  })

  it("W13: of a torn log the tail is told", async () => {
    const path = folder.file("torn.jsonl", `${sessionLog("s", mode(0), user(1, "hello"))}{"type`)
    const log = discoverFile(path)
    const folded = await ranged(log, { rangeBytes: 1 })
    expect(folded?.report).toMatchObject({ status: "torn", tail: { byteLength: 6 } })
    expect(folded).toStrictEqual(whole(log, Infinity))
  })

  it.each<[string, string]>([
    ["a row that is no JSON", `${sessionLog("s", mode(0))}{\n${JSON.stringify(mode(1))}\n`],
    ["a seq that is missing", sessionLog("s", mode(0), mode(2), mode(3))],
    ["a seq that comes twice", sessionLog("s", mode(0), mode(0), mode(1))],
    ["a huge seq", sessionLog("s", mode(0), user(2 ** 53 - 2, "x"))],
    [
      "a replacement of what is not there",
      sessionLog(
        "s",
        user(0, "a"),
        user(1, "b", { surfaceOp: { op: "replace", start: 9, end: 9 } }),
      ),
    ],
    ["no log at all", "hello\nworld\n"],
    ["no line at all", "hello"],
    ["nothing", ""],
    ["an empty line", `${sessionLog("s", mode(0))}\n`],
  ])("W14: with %s, it is left to a reading row by row", async (_, text) => {
    const log = discoverFile(folder.file("refused.jsonl", text))
    for (const rangeBytes of [1, 1e9]) expect(await ranged(log, { rangeBytes })).toBeNull()
  })

  it("W14: one that the filter leaves out is not folded", async () => {
    const log = discoverFile(folder.file("unwanted.jsonl", sessionLog("s", mode(0))))
    expect(await ranged(log, { wants: ({ id }) => id !== "s" })).toBeNull()
    expect(await ranged(log, { wants: ({ id }) => id === "s" })).not.toBeNull()
  })

  const text = sessionLog("s", ...Array.from({ length: 40 }, (_, seq) => user(seq, "hello")))
  it.each<[string, (path: string) => void]>([
    ["grows", (path) => appendFileSync(path, `${JSON.stringify(user(40, "more"))}\n`)],
    ["is cut", (path) => writeFileSync(path, text.slice(0, 900))],
    ["is written anew", (path) => writeFileSync(path, text.replaceAll("hello", "HELLO"))],
    [
      "is replaced",
      (path) => {
        writeFileSync(`${path}.new`, text)
        renameSync(`${path}.new`, path)
      },
    ],
  ])("A18: one that %s while its ranges are read has changed", async (_, change) => {
    const path = folder.file("changing.jsonl", text)
    const folded = await ranged(discoverFile(path), { rangeBytes: 500 }, () => change(path))
    expect(folded?.report).toMatchObject({
      status: "unreadable",
      fault: { code: "changed-while-reading" },
    })
  })

  it("W13: a log without a file of its own is read through its descriptor", async () => {
    const path = folder.file("handed.jsonl", text)
    const descriptor = openSync(path, "r")
    const log = { ...discoverFile(path), file: "-", descriptor }
    expect((await ranged(log, { rangeBytes: 500 }))?.nodes.seqs).toHaveLength(40)
    closeSync(descriptor)
  })

  it("W9: an abort ends it with the reason of its signal", async () => {
    const controller = new AbortController()
    controller.abort(new Error("enough"))
    const log = discoverFile(folder.file("aborted.jsonl", text))
    await expect(ranged(log, { signal: controller.signal })).rejects.toThrow("enough")
  })
})

describe("a big log", () => {
  it("W15: is cut into ranges of sixteen mebibytes, and a small one is not", () => {
    const mebibyte = 1024 * 1024
    expect([0, 1, 31, 32, 47, 48, 1024].map((size) => rangeCount(size * mebibyte))).toStrictEqual([
      1, 1, 1, 2, 2, 3, 64,
    ])
  })

  it("W11: has one record, however many workers read it, and however it comes", async () => {
    const path = folder.at("big.jsonl")
    writeFileSync(path, longLog("big", 30_000, 1000))
    const records = await Promise.all(
      ["1", "2", "5"].map(async (workers) =>
        refold(["replay", "--ndjson", "--digest", "--workers", workers, path]),
      ),
    )
    const [first] = records
    expect(first).toMatchObject({ status: 0, stderr: "" })
    expect(rangeCount(statSync(path).size)).toBeGreaterThan(1)
    for (const record of records) expect(record).toStrictEqual(first)
  })
})
