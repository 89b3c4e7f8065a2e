import { describe, expect, it } from "vitest"
import type { FoundLog } from "#shell/archive/discover"
import { discover } from "#shell/archive/discover"
import { statusOf } from "#shell/cli/status"
import { batchesOf } from "#shell/dispatch/batches"
import { ordered } from "#shell/dispatch/ordered"
import { Pool, workersFor } from "#shell/dispatch/pool"
import type { LogResult } from "#shell/dispatch/replay-logs"
import { replayLogs } from "#shell/dispatch/replay-logs"
import { sessionRecord } from "#shell/report/session-record"
import { temporaryFolder } from "./folder.ts"
import { mode, sessionLog } from "./session-logs.ts"

const folder = temporaryFolder()

const found = (path: string, byteCount: number): FoundLog => ({
  path,
  root: path,
  file: path,
  descriptor: null,
  entry: null,
  isDecoded: false,
  project: null,
  name: null,
  container: "jsonl",
  byteCount,
  fault: null,
})

describe("batches", () => {
  const sizes = (batches: readonly (readonly FoundLog[])[]): readonly (readonly number[])[] =>
    batches.map((batch) => batch.map(({ byteCount }) => byteCount))

  it("W5: are full at five million bytes or 256 logs, in order, and never empty", () => {
    const logs = [4e6, 1e6, 1, 9e6, 0, 2e6, 3e6].map((bytes, i) => found(`${i}`, bytes))
    expect(sizes(batchesOf(logs))).toStrictEqual([[4e6, 1e6], [1], [9e6], [0, 2e6, 3e6]])
    expect(batchesOf(logs).flat()).toStrictEqual(logs)
    const many = Array.from({ length: 600 }, (_, i) => found(`${i}`, 10))
    expect(batchesOf(many).map((batch) => batch.length)).toStrictEqual([256, 256, 88])
    expect(batchesOf([])).toStrictEqual([])
  })

  it("W5: no more workers are started than there are batches, and always one", () => {
    expect(workersFor(3, 8)).toBe(3)
    expect(workersFor(8, 3)).toBe(3)
    expect(workersFor(0, 8)).toBe(1)
    expect(workersFor(1)).toBe(1)
  })
})

describe("tasks under way", () => {
  /** Tasks that end when the test says so. */
  class Tasks {
    readonly started: string[] = []
    private readonly ends = new Map<string, (result: string | Error) => void>()

    readonly run = async (task: string): Promise<string> => {
      this.started.push(task)
      return await new Promise((resolve, reject) => {
        this.ends.set(task, (result) => {
          if (typeof result === "string") resolve(result)
          else reject(result)
        })
      })
    }

    end(task: string, result: string | Error = task.toUpperCase()): void {
      this.ends.get(task)?.(result)
    }
  }

  it("W6: are no more than asked for, and their results come in the order of the tasks", async () => {
    const tasks = new Tasks()
    const results = ordered(["a", "b", "c", "d"], 2, tasks.run)
    const first = results.next()
    expect(tasks.started).toStrictEqual(["a", "b"])
    // the second is done first, and has to wait
    tasks.end("b")
    tasks.end("a")
    expect(await first).toStrictEqual({ value: "A", done: false })
    expect(tasks.started).toStrictEqual(["a", "b", "c"])
    expect(await results.next()).toStrictEqual({ value: "B", done: false })
    tasks.end("d")
    tasks.end("c")
    expect(await results.next()).toStrictEqual({ value: "C", done: false })
    tasks.end("d")
    expect(await results.next()).toStrictEqual({ value: "D", done: false })
    expect(await results.next()).toStrictEqual({ value: undefined, done: true })
  })

  it("W6: that fail are met in the order of the tasks, and no failure is left alone", async () => {
    const tasks = new Tasks()
    const results = ordered(["a", "b", "c"], 3, tasks.run)
    const first = results.next()
    tasks.end("c", new Error("third"))
    tasks.end("b", new Error("second"))
    tasks.end("a")
    expect(await first).toStrictEqual({ value: "A", done: false })
    await expect(results.next()).rejects.toThrow("second")
    expect(await results.next()).toStrictEqual({ value: undefined, done: true })
  })
})

describe("a log that brings its task down", () => {
  folder.file("archive/a/session.jsonl", sessionLog("a", mode(0)))
  folder.file("archive/b/session.jsonl", sessionLog("b", "{"))
  folder.file("archive/c/session.jsonl", sessionLog("c", mode(0)))
  const good = discover([folder.at("archive"), folder.at("missing")]).logs

  // nobody opened this descriptor: reading from it is a defect of ours, which no log can cause
  const broken: FoundLog = { ...found("broken", 0), descriptor: 1_000_000 }

  const options = {
    tolerance: "default",
    filter: { session: null, sinceMs: null, untilMs: null },
    withRequests: false,
    withDigest: false,
    signal: new AbortController().signal,
  } as const

  const results = async (
    workers: number,
    batches: readonly (readonly FoundLog[])[],
  ): Promise<readonly LogResult[]> => {
    const pool = new Pool(workers)
    const all: LogResult[] = []
    for await (const result of replayLogs(pool, batches, options)) all.push(result)
    await pool.close()
    return all
  }

  it("W7: is named alone, and the rest of its batch and the others are done", async () => {
    const [first, ...others] = good
    if (first === undefined) throw new Error("there are logs")
    const without = await results(1, [good])
    for (const batches of [[[first, broken, ...others]], [[first], [broken], others]]) {
      const all = await results(2, batches)
      expect(all.map(({ log }) => log)).toStrictEqual([first, broken, ...others])
      expect(all.filter(({ log }) => log !== broken)).toStrictEqual(without)
      const record = sessionRecord(broken, (all[1] as LogResult).replayed.report)
      expect(record).toMatchObject({
        status: "unreadable",
        refusalCode: "internal-failure",
        refusalDetail: {},
      })
      expect(statusOf(record)).toBe(3)
    }
  })
})
