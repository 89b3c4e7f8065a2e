import { describe, expect, it } from "vitest"
import { addressOf } from "#core/request/address"
import { foldLog, messages, UsageError } from "#shell/index"
import foldTask from "#workers/fold-task"
import type { FoldReply } from "#workers/task-protocol"
import { temporaryFolder } from "../shell/folder.ts"
import {
  assistant,
  mode,
  retry,
  retryStarted,
  sessionLog,
  stepEnd,
  stepStart,
  turnEnd,
  turnStart,
  user,
} from "../shell/session-logs.ts"
import { recordsIn, refold } from "./run.ts"

const folder = temporaryFolder()

/** Two turns; the second has a first step with three attempts and a second step left open. */
const rows = [
  turnStart(0, 1),
  user(1, "one"),
  stepStart(2, 1, 1),
  assistant(3, 1, 1, "two"),
  stepEnd(4, 1, 1),
  turnEnd(5, 1),
  turnStart(6, 2),
  user(7, "three"),
  stepStart(8, 2, 1),
  retry(9, 2, 1, 1),
  retryStarted(10, 2, 1, 1),
  user(11, "four"),
  retry(12, 2, 1, 2),
  retryStarted(13, 2, 1, 2),
  assistant(14, 2, 1, "five"),
  stepEnd(15, 2, 1),
  stepStart(16, 2, 2),
  user(17, "six"),
] as const

const log = folder.file("log/session.jsonl", sessionLog("log", ...rows))

/** Where each address ends, by hand: the last event before the first trace of an answer. */
const addresses = {
  "0": 0,
  "3": 3,
  "17": 17,
  "1.1": 2,
  "1.1.1": 2,
  "2.1.1": 8,
  "2.1.2": 11,
  "2.1.3": 13,
  "2.1": 13,
  "2.2": 17,
  "2.2.1": 17,
} as const

const texts = (upTo: number): readonly string[] =>
  ["one", "two", "three", "four", "five", "six"].filter(
    (_, i) => ([1, 3, 7, 11, 14, 17][i] ?? 0) <= upTo,
  )

const foldAt = (path: string, at: string): FoldReply =>
  foldTask({
    source: { path, descriptor: null, namedVersion: 0 },
    tolerance: "default",
    at: addressOf(at),
    withDigest: false,
    withTranscript: false,
  })

describe("addresses", () => {
  it.each(Object.entries(addresses))("C21: %s ends at seq %d", (at, lastSeq) => {
    const nodes = [1, 3, 7, 11, 14, 17].filter((seq) => seq <= lastSeq)
    expect(foldAt(log, at)).toMatchObject({
      is: "folded",
      report: {
        status: "ok",
        activity: { eventCount: lastSeq + 1 },
        messageCount: nodes.length,
      },
      nodes: { seqs: Float64Array.from(nodes) },
    })
  })

  it("C21: the messages at an address are those before it", async () => {
    const upTo = async (at: string): Promise<readonly unknown[]> =>
      (await messages(log, { at })).map(({ content }) => (content as { text: string }[])[0]?.text)
    expect(await upTo("2.1.2")).toStrictEqual(texts(11))
    expect(await upTo("2.1")).toStrictEqual(texts(13))
  })

  it("C21: a prefix that ends before a refused row is well", async () => {
    const refused = folder.file("refused/session.jsonl", sessionLog("refused", ...rows, "{"))
    expect(foldAt(refused, "2.1")).toMatchObject({ is: "folded", report: { status: "ok" } })
    expect(await foldLog(refused, { at: "17" })).toMatchObject({ status: "ok", eventCount: 18 })
    expect(foldAt(refused, "18")).toMatchObject({ is: "beyond", lastSeq: 17 })
  })

  it.each(["x", "", "-1", "01", "1.", "1.2.3.4", "1.5e3", "9".repeat(20)])(
    "C22: %j is no address",
    async (at) => {
      const failure = foldLog(log, { at })
      await expect(failure).rejects.toBeInstanceOf(UsageError)
      await expect(failure).rejects.toThrow(`"${at}" is no address`)
    },
  )

  it.each(["18", "1.2", "1.1.2", "3.1", "2.1.4", "0.0"])("C22: %s is past the end", (at) => {
    expect(foldAt(log, at)).toMatchObject({
      is: "beyond",
      lastSeq: 17,
      lastRequest: { turn: 2, step: 2, attempt: 1 },
    })
  })

  it("C22: the last valid address is named", async () => {
    const failure = foldLog(log, { at: "2.1.4" })
    await expect(failure).rejects.toBeInstanceOf(UsageError)
    await expect(failure).rejects.toThrow(
      "2.1.4 is past the end: the last event is 17, the last request 2.2.1",
    )
  })

  it("C22: past the end of a log without requests, or without events", async () => {
    const plain = folder.file("plain/session.jsonl", sessionLog("plain", mode(0)))
    const empty = folder.file("empty/session.jsonl", sessionLog("empty"))
    await expect(foldLog(plain, { at: "1.1" })).rejects.toThrow(/: the last event is 0$/)
    await expect(foldLog(empty, { at: "0" })).rejects.toThrow(/: the log has no events$/)
  })

  it("C22: a log that cannot be read has no end: it is unreadable at any address", async () => {
    const missing = folder.at("missing.jsonl")
    expect(await foldLog(missing, { at: "5" })).toMatchObject({ refusalCode: "not-found" })
    const noLog = folder.file("no-log/session.jsonl", "hello\n")
    expect(await foldLog(noLog, { at: "5" })).toMatchObject({ refusalCode: "not-a-log" })
  })

  it("C22: on the command line that is wrong usage", async () => {
    const [past, steps] = await Promise.all([
      refold(["messages", "--at", "18", log]),
      refold(["replay", "--ndjson", "--steps", log]),
    ])
    expect(past).toStrictEqual({
      status: 3,
      signal: null,
      stdout: "",
      stderr: "refold: 18 is past the end: the last event is 17, the last request 2.2.1\n",
    })
    // what --at takes, --steps lists; a request that was not sent has no record
    const sent = Object.entries(addresses).filter(([at]) => /^(1|2)\.1\..$/.test(at))
    expect(recordsIn<object>(steps.stdout).slice(1)).toMatchObject(
      sent.map(([at, throughSeq]) => {
        const [turn, step, attempt] = at.split(".").map(Number)
        return { schema: "refold.step/1", session: "log", turn, step, attempt, throughSeq }
      }),
    )
  })
})
