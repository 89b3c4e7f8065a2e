import { closeSync, existsSync, openSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { SessionRecord } from "#shell/report/session-record"
import { exitStatus, statusOf } from "#shell/cli/status"
import { temporaryFolder } from "../shell/folder.ts"
import { longLog, mode, sessionLog, user } from "../shell/session-logs.ts"
import { ended, recordsIn, refold, refoldCommand, start, startRefold } from "./run.ts"

const folder = temporaryFolder()

const ok = folder.file("ok/session.jsonl", sessionLog("ok", mode(0), user(1, "hello")))
const torn = folder.file("torn/session.jsonl", `${sessionLog("torn", mode(0))}{"type":`)
const refused = folder.file("refused/session.jsonl", sessionLog("refused", mode(0), mode(2)))
const badRow = folder.file("bad-row/session.jsonl", sessionLog("bad-row", mode(0), "{"))
const missing = folder.at("missing/session.jsonl")

// a pipe holds 64 KiB: the command cannot be done before somebody reads
const bigMessages = 3000
const big = folder.file("big/session.jsonl", longLog("big", bigMessages, 2000))

describe("exit statuses", () => {
  const runs: readonly (readonly [string, readonly string[], number])[] = [
    ["0 when all is well, a torn tail included", [ok, torn], 0],
    ["1 for a refused log", [ok, refused, torn], 1],
    ["2 for unreadable input, and the largest of several", [missing, refused, ok], 2],
  ]

  it.each(runs)("C7: %s", async (_, paths, status) => {
    const run = await refold(["replay", "--ndjson", ...paths])
    expect(run.status).toBe(status)
    // every log has its record, whatever the others were
    expect(recordsIn<SessionRecord>(run.stdout).map(({ path }) => path)).toStrictEqual(
      paths.toSorted(),
    )
  })

  it("C7: 3 for a failure of refold itself, above all others", () => {
    expect(statusOf({ status: "unreadable", refusalCode: "internal-failure" })).toBe(3)
    expect(Object.values(exitStatus)).toStrictEqual([0, 1, 2, 3])
  })

  it("C7: commands for one log have them too", async () => {
    const [whole, prefix, none] = await Promise.all([
      refold(["fold", refused]),
      refold(["messages", "--at", "0", refused]),
      refold(["transcript", missing]),
    ])
    // the prefix ends before the refused row
    expect([whole.status, prefix.status, none.status]).toStrictEqual([1, 0, 2])
  })
})

describe("standard output and standard error", () => {
  it("C8: --json prints one document, --ndjson a record a line, and nothing else", async () => {
    const [json, ndjson] = await Promise.all([
      refold(["replay", "--json", folder.path]),
      refold(["replay", "--ndjson", folder.path]),
    ])
    expect(json.stdout.indexOf("\n")).toBe(json.stdout.length - 1)
    const { sessions } = JSON.parse(json.stdout) as { readonly sessions: readonly object[] }
    expect(recordsIn(ndjson.stdout)).toStrictEqual(sessions)
    expect(sessions).toHaveLength(5)
    const fold = await refold(["fold", "--ndjson", ok])
    expect(recordsIn(fold.stdout)).toMatchObject([{ schema: "refold.fold/1", session: "ok" }])
  })

  it("C8: without them a pipe gets plain text: a line a session, and the sums", async () => {
    const { stdout } = await refold(["replay", ok, torn, refused])
    const lines = stdout.split("\n")
    expect(lines[0]).toMatch(/^path +format +events +turns +steps +nodes +repl\. +messages +tokens/)
    expect(lines.slice(1, 4).map((line) => line.split(/ {2,}/).at(-1))).toStrictEqual([
      "ok",
      "refused: seq-not-contiguous at seq 2",
      "torn",
    ])
    expect(stdout).toContain("3 sessions: 1 ok, 1 torn, 1 refused")
    expect(stdout).toContain("seq-not-contiguous: 1 session")
    expect(stdout).not.toContain("\u001b")
  })

  it("C9: what is wrong names the path, the place and the code, in text and in notes", async () => {
    const [table, fold, row] = await Promise.all([
      refold(["replay", badRow, missing]),
      refold(["fold", "--json", refused]),
      refold(["fold", "--json", badRow]),
    ])
    const byteOffset = Buffer.byteLength(sessionLog("bad-row", mode(0)))
    expect(table.stdout).toMatch(
      new RegExp(
        `bad-row/session.jsonl .* refused: invalid-json at row 2 \\(byte ${byteOffset}\\)`,
      ),
    )
    expect(table.stdout).toMatch(/missing\/session.jsonl .* unreadable: not-found$/m)
    expect(fold.stderr).toBe(
      `${refused}: refused: seq 2: seq 1 was expected here [seq-not-contiguous]\n`,
    )
    expect(row.stderr).toBe(
      `${badRow}: refused: row 2 (byte ${byteOffset}): the line is not valid JSON [invalid-json]\n`,
    )
    for (const { stdout } of [fold, row]) expect(() => JSON.parse(stdout) as object).not.toThrow()
  })

  it("C9: what a walk left out is a note", async () => {
    folder.file("walk/a/session.jsonl", sessionLog("a"))
    folder.file("walk/a/session.v1.jsonl", sessionLog("a").replace('"version":0', '"version":1'))
    folder.file("walk/notes.txt", "")
    const { stdout, stderr, status } = await refold(["replay", "--ndjson", folder.at("walk")])
    expect(recordsIn(stdout)).toMatchObject([{ path: "a/session.v1.jsonl", status: "ok" }])
    expect(stderr).toBe("skipped: 1 other file, 1 older generation\n")
    expect(status).toBe(0)
  })
})

describe("a pipe", () => {
  const expected = Array.from(
    { length: bigMessages },
    (_, seq) => user(seq, "m".repeat(2000))["data"],
  )

  it("C10: gets all of a long output, however slowly it is read", async () => {
    const child = startRefold(["messages", "--ndjson", big])
    child.stdout?.on("data", () => {
      child.stdout?.pause()
      setTimeout(() => child.stdout?.resume(), 1)
    })
    const { status, stdout } = await ended(child)
    expect(status).toBe(0)
    expect(recordsIn(stdout)).toStrictEqual(expected)
  })

  it.each(["messages", "replay"])("C11: that is closed ends %s quietly", async (command) => {
    // of many paths the replay is as long as the messages
    const paths = command === "messages" ? [big] : Array.from({ length: 400 }, () => ok)
    const child = startRefold([command, "--ndjson", ...paths])
    child.stdout?.once("data", () => child.stdout?.destroy())
    const { status, signal, stderr } = await ended(child)
    expect({ status, signal, stderr }).toStrictEqual({ status: 0, signal: null, stderr: "" })
  })

  it("C11: to a command that takes one line ends quietly", async () => {
    const script = `set -o pipefail; "$@" | head -n 1`
    const child = start(["bash", "-c", script, "-", ...refoldCommand, "messages", "--ndjson", big])
    const { status, stdout, stderr } = await ended(child)
    expect({ status, stderr }).toStrictEqual({ status: 0, stderr: "" })
    expect(recordsIn(stdout)).toStrictEqual(expected.slice(0, 1))
  })

  it.skipIf(!existsSync("/dev/full"))("C12: or disk that is full is named", async () => {
    const full = openSync("/dev/full", "w")
    const child = startRefold(["fold", "--json", ok], ["ignore", full, "pipe"])
    const { status, stderr } = await ended(child)
    closeSync(full)
    expect({ status, stderr }).toStrictEqual({
      status: 3,
      stderr: "refold: cannot write the result: ENOSPC\n",
    })
  })
})
