import { closeSync, openSync, readFileSync, readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { SessionRecord } from "#shell/report/session-record"
import { temporaryFolder } from "../shell/folder.ts"
import { mode, sessionLog, user } from "../shell/session-logs.ts"
import { ended, recordsIn, refold, samples, startRefold } from "./run.ts"

const folder = temporaryFolder()
const sample = `${samples}/--srv-code-atlas--/atlas-retry-budget/session.jsonl`

describe("a log from standard input", () => {
  it.each([
    ["fold", ["--json"]],
    ["messages", ["--json", "--at", "2.1"]],
    ["transcript", ["--ndjson"]],
  ] as const)("C18: %s reads it as it reads a file", async (command, flags) => {
    const temporary = folder.folder(`temporary-${command}`)
    const [piped, named] = await Promise.all([
      refold([command, ...flags, "-"], {
        input: readFileSync(sample),
        env: { TMPDIR: temporary },
      }),
      refold([command, ...flags, sample]),
    ])
    expect(piped).toStrictEqual(named)
    expect(piped.status).toBe(0)
    expect(piped.stdout.length).toBeGreaterThan(100)
    // the copy that it was read from had no name
    const left = readdirSync(temporary).filter((name) => name.startsWith("refold"))
    expect(left).toStrictEqual([])
  })

  it("C18: may be a file", async () => {
    const descriptor = openSync(sample, "r")
    const redirected = await ended(
      startRefold(["fold", "--json", "-"], [descriptor, "pipe", "pipe"]),
    )
    closeSync(descriptor)
    expect(JSON.parse(redirected.stdout)).toMatchObject({ status: "ok", eventCount: 302 })
  })

  it("C19: replay takes it among other paths, in its place", async () => {
    const later = folder.file("later/a/session.jsonl", sessionLog("later"))
    folder.file("earlier/!/session.jsonl", sessionLog("earlier"))
    const { stdout, status } = await refold(
      ["replay", "--ndjson", later, "-", folder.at("earlier")],
      { input: `${sessionLog("piped", mode(0), user(1, "hello"))}torn` },
    )
    const records = recordsIn<SessionRecord>(stdout)
    expect(records).toMatchObject([
      { path: "!/session.jsonl", session: "earlier" },
      {
        path: "-",
        root: "-",
        session: "piped",
        project: null,
        status: "torn",
        eventCount: 2,
        byteCount: Buffer.byteLength(sessionLog("piped", mode(0), user(1, "hello"))) + 4,
      },
      { path: later, session: "later" },
    ])
    expect(status).toBe(0)
  })

  it("C20: that is empty or compressed is unreadable", async () => {
    const zstd = Buffer.from("28b52ffd0000", "hex")
    const [empty, compressed] = await Promise.all([
      refold(["fold", "--json", "-"], { input: "" }),
      refold(["fold", "--json", "-"], { input: zstd }),
    ])
    expect(JSON.parse(empty.stdout)).toMatchObject({
      status: "unreadable",
      refusalCode: "not-a-log",
    })
    expect(empty.stderr).toMatch(/^-: unreadable: .* \[not-a-log\]\n$/)
    expect(JSON.parse(compressed.stdout)).toMatchObject({
      status: "unreadable",
      refusalCode: "container-unsupported",
    })
    expect([empty.status, compressed.status]).toStrictEqual([2, 2])
  })
})
