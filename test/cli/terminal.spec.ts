import { spawnSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { temporaryFolder } from "../shell/folder.ts"
import { mode, sessionLog, user } from "../shell/session-logs.ts"
import type { Ended, Environment } from "./run.ts"
import { ended, recordsIn, refold, refoldCommand, start } from "./run.ts"

const folder = temporaryFolder()

folder.file("archive/p/ok/session.jsonl", sessionLog("ok", mode(0)))
folder.file("archive/p/torn/session.jsonl", `${sessionLog("torn", mode(0))}{`)
folder.file("archive/p/bad/session.jsonl", sessionLog("bad", mode(1)))

// clears the screen as C0 and as C1, turns the reading order, rings, and hides behind a return
const hostile = "\u001b[2J \u009b2J \u202egnp.exe\u2069 \u0007 kept\ttab\nline \r\u007f"
const shown = "\\u001b[2J \\u009b2J \\u202egnp.exe\\u2069 \\u0007 kept\ttab\nline \\u000d\\u007f"
const hostileLog = folder.file("hostile/session.jsonl", sessionLog("i\u001bd", user(0, hostile)))

// what a terminal would act on or show in another order; line ends are its own
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const unsafe = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

// a pseudo terminal to run a command on, from util-linux
const terminal = "script"

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Runs refold with a terminal for its output and its notes, which come out as one. */
const onTerminal = async (args: readonly string[], env: Environment = {}): Promise<Ended> => {
  const command = [...refoldCommand, ...args].map(quoted).join(" ")
  return await ended(
    start([terminal, "-qec", command, "/dev/null"], ["ignore", "pipe", "pipe"], {
      TERM: "xterm",
      ...env,
    }),
  )
}

const hasScript = spawnSync(terminal, ["--version"]).stdout?.toString().includes("util-linux")
const withTerminal = hasScript === true ? describe : describe.skip
const note = hasScript === true ? "" : " (skipped: no script of util-linux here)"

withTerminal(`on a terminal${note}`, () => {
  const replay = ["replay", folder.at("archive")] as const
  const green = "\u001b[32mok\u001b[39m"
  const red = "\u001b[31mrefused: seq-not-contiguous at seq 1\u001b[39m"

  it("C13: statuses have colours, and a bar shows how far the replay is", async () => {
    const { stdout, status } = await onTerminal(replay)
    expect(stdout).toContain(green)
    expect(stdout).toContain(red)
    expect(stdout).toContain("\u001b[33mtorn\u001b[39m")
    expect(stdout).toContain("0/3 sessions")
    expect(status).toBe(1)
  })

  it("C13: --no-color and NO_COLOR turn them off, an empty NO_COLOR does not", async () => {
    const [flag, variable, empty] = await Promise.all([
      onTerminal([...replay, "--no-color"]),
      onTerminal(replay, { NO_COLOR: "1" }),
      onTerminal(replay, { NO_COLOR: "" }),
    ])
    for (const { stdout } of [flag, variable]) {
      expect(stdout).toMatch(/ refused: seq-not-contiguous at seq 1\r\n/)
      // oxlint-disable-next-line no-control-regex -- colours begin with one
      expect(stdout).not.toMatch(/\u001b\[3[0-9]m/)
    }
    expect(empty.stdout).toContain(green)
  })

  it("C14: JSON has no control characters, and the same value", async () => {
    const [terminal, pipe] = await Promise.all([
      onTerminal(["messages", "--ndjson", hostileLog]),
      refold(["messages", "--ndjson", hostileLog]),
    ])
    const text = terminal.stdout.replaceAll("\r\n", "\n")
    expect(text).not.toMatch(unsafe)
    expect(text).not.toContain("\r")
    expect(recordsIn(text)).toStrictEqual(recordsIn(pipe.stdout))
    expect(recordsIn(text)).toMatchObject([{ content: [{ text: hostile }] }])
  })
})

describe("control characters of logs", () => {
  it("C14: are escaped in text, wherever it goes", async () => {
    const odd = folder.file("odd/\u001b[31m\n\u009b/session.jsonl", sessionLog("odd", mode(1)))
    const [messages, fold, replay] = await Promise.all([
      refold(["messages", hostileLog]),
      refold(["fold", hostileLog]),
      refold(["replay", folder.at("odd"), odd]),
    ])
    expect(messages.stdout).toBe(`── 1 user\n${shown}\n\n`)
    expect(fold.stdout).toContain("i\\u001bd\n")
    // a name in an archive and an argument: each is one line of the table
    expect(replay.stdout.split("\n").filter((line) => line.includes("\\u001b[31m"))).toHaveLength(2)
    for (const { stdout, stderr } of [messages, fold, replay])
      expect(stdout + stderr).not.toMatch(unsafe)
  })
})

describe("in a pipe", () => {
  it("C13: there are no colours and no bar, whatever the environment says", async () => {
    const { stdout, stderr } = await refold(["replay", folder.at("archive")], {
      env: { FORCE_COLOR: "3", CI: "true", TERM: "xterm" },
    })
    expect(stdout).not.toMatch(unsafe)
    expect(stderr).toBe("")
    expect(stdout).toContain("3 sessions: 1 ok, 1 torn, 1 refused")
  })
})
