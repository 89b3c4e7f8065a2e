import type { ChildProcess } from "node:child_process"
import { readFileSync, readdirSync } from "node:fs"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { createSession, openSession } from "#shell/live/open-session"
import { checkLog } from "../../fixtures/checked-in-full.ts"
import { start } from "../../cli/run.ts"
import { temporaryFolder } from "../folder.ts"
import type { WriterTask } from "./writer.ts"

const folder = temporaryFolder()

// "#shell/…" is a source or a built file: so what runs in the process is what is under test
const isSource = import.meta.resolve("#shell/main").endsWith(".ts")
const program = fileURLToPath(new URL("./writer.ts", import.meta.url))

const writerCommand = (task: WriterTask): readonly string[] => [
  process.execPath,
  ...(isSource ? ["--conditions=source"] : []),
  ...["--import", import.meta.resolve("tsx"), program, JSON.stringify(task)],
]

interface Writer {
  readonly child: ChildProcess
  /** Lines that it said, whole ones. */
  readonly said: () => readonly string[]
  readonly saying: (count: number) => Promise<void>
  readonly ended: Promise<void>
}

const writing = (command: readonly string[]): Writer => {
  const child = start(command)
  let text = ""
  let wake = (): void => {}
  child.stdout?.setEncoding("utf8").on("data", (more: string) => {
    text += more
    wake()
  })
  child.stderr?.pipe(process.stderr)
  const said = (): readonly string[] => text.split("\n").slice(0, -1)
  return {
    child,
    said,
    saying: async (count) => {
      while (said().length < count) await new Promise<void>((resolve) => (wake = resolve))
    },
    ended: new Promise((resolve) => child.once("close", () => resolve())),
  }
}

const flushedIn = (said: readonly string[]): number =>
  Math.max(0, ...said.map((line) => Number(/^flushed (\d+)$/.exec(line)?.[1] ?? 0)))

const wholeLines = (path: string): number => readFileSync(path, "utf8").split("\n").length - 1

describe("a process that is killed while it writes", () => {
  it("LS3 LS5: leaves all that was answered for, and the log to the next one", async () => {
    const path = folder.at("killed/session.v4.jsonl")
    let answered = 0
    for (const [does, says] of [
      ["create", 5],
      ["open", 20],
    ] as const) {
      const writer = writing(writerCommand({ path, does, events: 1e9, each: 30, waits: false }))
      await writer.saying(says)
      writer.child.kill("SIGKILL")
      await writer.ended
      expect(writer.said()[0]).toBe("opened")
      const flushed = flushedIn(writer.said())
      expect(flushed).toBeGreaterThan(answered)
      answered = flushed
      expect(wholeLines(path) - 1).toBeGreaterThanOrEqual(answered)
      const { found, tail, acceptedEvents } = checkLog(readFileSync(path))
      expect(found).toEqual([])
      // what is torn is a line that was not answered for
      expect(acceptedEvents).toBe(wholeLines(path) - 1)
      expect(tail === null || tail.byteLength > 0).toBe(true)
    }
    const whole = wholeLines(path) - 1
    const live = await openSession(path)
    expect(live.session.firstLiveSeq).toBe(whole)
    await live.close()
    expect(checkLog(readFileSync(path)).found).toEqual([])
    expect(readdirSync(dirname(path)).filter((name) => name.includes(".lock-"))).toEqual([])
  })

  it("LS5: had the log for itself until then", async () => {
    const path = folder.at("held/session.v4.jsonl")
    const first = writing(
      writerCommand({ path, does: "create", events: 1e9, each: 1, waits: false }),
    )
    await first.saying(2)
    await expect(openSession(path)).rejects.toMatchObject({
      name: "SessionStoreError",
      refusal: { code: "log-locked", pid: first.child.pid, isHere: true },
      message: expect.stringContaining(`process ${first.child.pid} writes to it [log-locked]`),
    })
    first.child.kill("SIGKILL")
    await first.ended
    await (await openSession(path)).close()
  })

  it("LS5: takes turns with others, and none loses an event", async () => {
    const path = folder.at("turns/session.v4.jsonl")
    await (await createSession(path, { id: "s" })).close()
    const task = { path, does: "open", events: 40, each: 10, waits: true } as const
    const writers = [1, 2].map(() => writing(writerCommand(task)))
    await Promise.all(writers.map(({ ended }) => ended))
    for (const { said } of writers) expect(said()).toHaveLength(5)
    expect(checkLog(readFileSync(path)).found).toEqual([])
    const rows = readFileSync(path, "utf8").split("\n").slice(1, -1)
    expect(rows.filter((row) => row.includes('"feedback/record"'))).toHaveLength(80)
  })
})

describe("a process whose log cannot grow", () => {
  it.runIf(process.platform === "linux")(
    "LS6 LS17: is told so, and leaves no hole behind",
    async () => {
      const path = folder.at("full/session.v4.jsonl")
      const task = writerCommand({ path, does: "create", events: 400, each: 10, waits: false })
      // the system refuses bytes behind the 64th KiB, after it took those before
      const limited = ["bash", "-c", 'trap "" XFSZ; ulimit -f 64; exec "$0" "$@"', ...task]
      const writer = writing(limited)
      await writer.ended
      const said = writer.said()
      expect(said.at(-2)).toBe(`failed {"code":"log-unwritten","path":"${path}","errno":"EFBIG"}`)
      expect(said.at(-1)).toBe("refused session-not-durable false")
      expect(flushedIn(said)).toBeGreaterThan(0)
      expect(checkLog(readFileSync(path))).toMatchObject({
        found: [],
        tail: null,
        acceptedEvents: flushedIn(said),
      })
    },
  )
})
