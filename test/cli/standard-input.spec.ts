import { closeSync, openSync, readdirSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { SessionRecord } from "#shell/report/session-record"
import { temporaryFolder } from "../shell/folder.ts"
import { mode, sessionLog, user } from "../shell/session-logs.ts"
import { ended, recordsIn, refold, samples, startRefold } from "./run.ts"

const folder = temporaryFolder()
const sample = `${samples}/--srv-code-atlas--/atlas-retry-budget/session.jsonl`

describe.concurrent("a log from standard input", () => {
  const rows = [
    user(0, "one"),
    user(1, "two"),
    user(2, "three", { surfaceOp: { op: "replace", start: 0, end: 0 }, sourceEventSeqs: [0] }),
  ] as const
  const [one, two, three] = rows.map((row) => row["data"])

  it.each([
    [
      "fold",
      ["--ndjson"],
      [{ schema: "refold.fold/1", session: "s", nodes: [2, 1], status: "ok" }],
    ],
    ["messages", ["--ndjson"], [three, two]],
    ["messages", ["--ndjson", "--at", "1"], [one, two]],
    ["transcript", ["--ndjson"], [one, two]],
  ] as const)("C18: %s %j reads it as it reads a file", async (command, flags, records) => {
    const { status, stdout, stderr } = await refold([command, ...flags, "-"], {
      input: sessionLog("s", ...rows),
    })
    expect({ status, stderr }).toStrictEqual({ status: 0, stderr: "" })
    expect(recordsIn(stdout)).toMatchObject(records)
  })

  it("C18: leaves nothing behind where temporary files go", async () => {
    const temporary = folder.folder("temporary")
    const { status } = await refold(["fold", "-"], {
      input: sessionLog("s", ...rows),
      env: { TMPDIR: temporary },
    })
    expect(status).toBe(0)
    expect(readdirSync(temporary).filter((name) => name.startsWith("refold"))).toStrictEqual([])
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

  it("C20: that is empty is unreadable, as a file is", async () => {
    const { status, stdout, stderr } = await refold(["fold", "--json", "-"], { input: "" })
    expect(JSON.parse(stdout)).toMatchObject({ status: "unreadable", refusalCode: "not-a-log" })
    expect(stderr).toMatch(/^-: unreadable: .* \[not-a-log\]\n$/)
    expect(status).toBe(2)
  })
})
