import type { ChildProcess } from "node:child_process"
import { readFileSync, readdirSync } from "node:fs"
import { Writable } from "node:stream"
import { describe, expect, it } from "vitest"
import { ClosedPipe, Output } from "#shell/cli/output"
import { temporaryFolder } from "../shell/folder.ts"
import { longLog, sessionLog } from "../shell/session-logs.ts"
import { ended, refold, startRefold } from "./run.ts"

const folder = temporaryFolder()
const ok = folder.file("ok/session.jsonl", sessionLog("ok"))

// more than a pipe holds, so that somebody has to read before a writer is done
const megabyte = longLog("long", 1000, 1000)

/** Feeds a command that reads standard input until it must have read, and leaves the pipe open. */
const reading = async (child: ChildProcess): Promise<void> => {
  await new Promise<void>((resolve) => child.stdin?.write(megabyte, () => resolve()))
}

/** Waits until a command has written something, and reads no more of it. */
const writing = async (child: ChildProcess): Promise<void> => {
  await new Promise<void>((resolve) => {
    child.stdout?.once("readable", () => resolve())
  })
}

// one record each: a pipe holds 64 KiB, these are several times as much
const manyPaths = Array.from({ length: 400 }, () => ok)

describe("Ctrl-C and its like", () => {
  it.concurrent.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("C15: %s ends a command that waits for its input: %d", async (signal, expected) => {
    const child = startRefold(["fold", "-"])
    const end = ended(child)
    await reading(child)
    child.kill(signal)
    expect(await end).toStrictEqual({ status: expected, signal: null, stdout: "", stderr: "" })
  })

  it("C15: ends a command whose output nobody reads", async () => {
    const child = startRefold(["replay", "--ndjson", ...manyPaths])
    await writing(child)
    child.kill("SIGINT")
    const status = await new Promise((resolve) => child.on("exit", resolve))
    expect(status).toBe(130)
    child.stdout?.destroy()
  })

  it("C16: leaves no part of an output file, and keeps the one that was there", async () => {
    const before = "of an earlier run\n"
    const out = folder.file("out/all.ndjson", before)
    const waiting = startRefold(["replay", "--out", out, "-"])
    const waitingEnd = ended(waiting)
    await reading(waiting)
    const blocked = startRefold(["replay", "--ndjson", "--out", out, ...manyPaths])
    await writing(blocked)
    // each has begun its file beside the old one
    expect(readdirSync(folder.at("out"))).toHaveLength(3)
    waiting.kill("SIGINT")
    blocked.kill("SIGINT")
    expect((await waitingEnd).status).toBe(130)
    expect((await ended(blocked)).status).toBe(130)
    expect(readdirSync(folder.at("out"))).toStrictEqual(["all.ndjson"])
    expect(readFileSync(out, "utf8")).toBe(before)
  })

  it("C16: a closed pipe leaves none either", async () => {
    const out = `${folder.folder("closed")}/all.ndjson`
    const child = startRefold(["replay", "--ndjson", "--out", out, ...manyPaths])
    child.stdout?.once("data", () => child.stdout?.destroy())
    expect(await ended(child)).toMatchObject({ status: 0, stderr: "" })
    expect(readdirSync(folder.at("closed"))).toStrictEqual([])
  })
})

describe("an output file", () => {
  const log = folder.file("log/session.jsonl", sessionLog("log", "{"))

  it("C17: holds the records, also where a log was refused", async () => {
    const out = folder.file("whole/all.ndjson", "of an earlier run\n")
    const run = await refold(["replay", "--ndjson", "--out", out, ok, log])
    expect(run.status).toBe(1)
    expect(readFileSync(out, "utf8")).toBe(run.stdout)
    expect(readdirSync(folder.at("whole"))).toStrictEqual(["all.ndjson"])
  })

  it("C17: that cannot be written is wrong usage, and leaves nothing behind", async () => {
    const directory = folder.folder("taken/all.ndjson")
    const [taken, nowhere] = await Promise.all([
      refold(["replay", "--out", directory, ok]),
      refold(["replay", "--out", folder.at("nowhere/all.ndjson"), ok]),
    ])
    expect(taken.status).toBe(3)
    expect(taken.stderr).toMatch(/^refold: cannot write .*all\.ndjson: E[A-Z]+\n$/)
    expect(readdirSync(folder.at("taken"))).toStrictEqual(["all.ndjson"])
    expect(nowhere).toMatchObject({ status: 3, stdout: "" })
    expect(nowhere.stderr).toMatch(/^refold: cannot write .*: ENOENT\n$/)
  })
})

describe("output", () => {
  const never = new AbortController().signal

  it("C15: a stream that takes everything at once leaves room to hear a signal", async () => {
    const taken: string[] = []
    const stream = new Writable({
      write: (chunk: Buffer, _, done) => {
        taken.push(chunk.toString("utf8"))
        done()
      },
    })
    let isHeard = false
    setImmediate(() => {
      isHeard = true
    })
    const output = new Output(stream, never)
    await output.write("short")
    expect({ taken, isHeard }).toStrictEqual({ taken: [], isHeard: false })
    await output.flush()
    expect({ taken, isHeard }).toStrictEqual({ taken: ["short"], isHeard: true })
  })

  it("C15: an abort ends the wait for a stream that takes nothing", async () => {
    const controller = new AbortController()
    const stream = new Writable({ write: () => {} })
    const written = new Output(stream, controller.signal).write("x".repeat(100_000))
    controller.abort(new Error("enough"))
    await expect(written).rejects.toThrow("enough")
  })

  it("C11 C12: a stream that fails says so once, and ever after", async () => {
    const failing = (code: string): Output => {
      const stream = new Writable({
        write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })),
      })
      return new Output(stream, never)
    }
    const closed = failing("EPIPE")
    await closed.write("x")
    await expect(closed.flush()).rejects.toBeInstanceOf(ClosedPipe)
    await expect(closed.flush()).rejects.toBeInstanceOf(ClosedPipe)
    const full = failing("ENOSPC")
    await expect(full.write("x".repeat(100_000))).rejects.toThrow("cannot write the result: ENOSPC")
  })
})
