import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import type { SessionRecord, StepRecord } from "#shell/report/session-record"
import type { Selection } from "#shell/index"
import { messages, replay } from "#shell/index"
import { canonicalJson } from "#core/data/canonical-json"
import { headerIn, logUnder } from "../fixtures/log-in-memory.ts"
import { temporaryFolder } from "../shell/folder.ts"
import {
  assistant,
  mode,
  sessionLog,
  stepStart,
  turnEnd,
  turnStart,
  user,
} from "../shell/session-logs.ts"
import { recordsIn, refold, samples } from "./run.ts"

const folder = temporaryFolder()

const sha256 = (text: string): string => createHash("sha256").update(text, "utf8").digest("hex")

describe("replay", () => {
  // more logs than one task takes, and among them all that can be wrong
  const archive = folder.folder("archive")
  for (let i = 0; i < 600; i++) {
    const rows = [turnStart(0, 1), stepStart(1, 1, 1), user(2, `${i}`), assistant(3, 1, 1, "yes")]
    const tail = i % 7 === 0 ? "{" : i % 11 === 0 ? "{\n" : ""
    folder.file(`archive/p${i % 5}/s${i}/session.jsonl`, sessionLog(`s${i}`, ...rows) + tail)
  }

  it("C23: gives the same bytes whatever the number of workers", async () => {
    const flags = ["--ndjson", "--steps", "--digest"] as const
    const [one, three] = await Promise.all([
      refold(["replay", ...flags, "--workers", "1", archive, samples]),
      refold(["replay", ...flags, "--workers", "3", archive, samples]),
    ])
    expect(three).toStrictEqual(one)
    const records = recordsIn<SessionRecord | StepRecord>(one.stdout)
    const paths = records.flatMap((record) =>
      record.schema === "refold.session/1" ? [record.path] : [],
    )
    expect(paths).toHaveLength(615)
    expect(paths).toStrictEqual(paths.toSorted())
  })

  it("C24: --steps adds the requests of a session behind it", async () => {
    const [plain, steps] = await Promise.all([
      refold(["replay", "--ndjson", samples]),
      refold(["replay", "--ndjson", "--steps", samples]),
    ])
    const records = recordsIn<SessionRecord | StepRecord>(steps.stdout)
    expect(records.filter(({ schema }) => schema === "refold.session/1")).toStrictEqual(
      recordsIn(plain.stdout),
    )
    let path = ""
    for (const record of records)
      if (record.schema === "refold.session/1") path = record.path
      else expect(record.path).toBe(path)
    const retried = records.filter(
      (record) =>
        record.schema === "refold.step/1" &&
        record.session === "atlas-flaky-provider" &&
        record.turn === 2 &&
        record.step === 1,
    )
    // two retries, each a request of its own
    expect(retried).toMatchObject([{ attempt: 1 }, { attempt: 2 }, { attempt: 3 }])
  })

  it("C25: --digest adds the digest of the messages, which are null without it", async () => {
    const log = `${samples}/_no-cwd/chat-without-files/session.jsonl`
    const [digest, plain, fold, noDigest] = await Promise.all([
      refold(["replay", "--ndjson", "--digest", log]),
      refold(["replay", "--ndjson", log]),
      refold(["fold", "--json", log]),
      refold(["fold", "--json", "--no-digest", log]),
    ])
    const messagesSha256 = sha256(canonicalJson(await messages(log)))
    expect(recordsIn(digest.stdout)).toMatchObject([{ messagesSha256 }])
    expect(recordsIn(plain.stdout)).toMatchObject([{ messagesSha256: null }])
    expect(JSON.parse(fold.stdout)).toMatchObject({ messagesSha256 })
    const without = { ...(JSON.parse(fold.stdout) as object), messagesSha256: null }
    expect(JSON.parse(noDigest.stdout)).toStrictEqual(without)
  })

  it("C26: sums up its sessions", async () => {
    const { stdout } = await refold(["replay", "--json", samples, folder.at("missing")])
    const { sessions, totals } = JSON.parse(stdout) as {
      readonly sessions: readonly SessionRecord[]
      readonly totals: Readonly<Record<string, unknown>>
    }
    const sum = (value: (session: SessionRecord) => number): number =>
      sessions.reduce((all, session) => all + value(session), 0)
    expect(totals).toMatchObject({
      sessionCount: 16,
      statuses: { ok: 12, torn: 2, refused: 1, unreadable: 1 },
      eventCount: sum(({ eventCount }) => eventCount),
      turnCount: sum(({ turnCount }) => turnCount),
      stepCount: sum(({ stepCount }) => stepCount),
      nodeCount: sum(({ nodeCount }) => nodeCount),
      replacementCount: sum(({ replacementCount }) => replacementCount),
      messageCount: sum(({ messageCount }) => messageCount),
      byteCount: sum(({ byteCount }) => byteCount ?? 0),
      tokens: { total: sum(({ tokens }) => tokens.total) },
      usage: { inputTokens: sum(({ usage }) => usage.inputTokens) },
    })
    expect(totals["causes"]).toHaveLength(2)
    expect(totals["causes"]).toContainEqual({ code: "source-missing", sessions: 1 })
    expect(totals["causes"]).toContainEqual({ code: "not-found", sessions: 1 })
  })

  it("C27: --recoverable takes damage behind the last turn for a torn tail", async () => {
    const rows = [turnStart(0, 1), turnEnd(1, 1), mode(2)] as const
    const damaged = folder.file("damaged/session.jsonl", sessionLog("d", ...rows, "{", mode(3)))
    const [strict, recovered, fold] = await Promise.all([
      refold(["replay", "--ndjson", damaged]),
      refold(["replay", "--ndjson", "--recoverable", damaged]),
      refold(["fold", "--json", "--recoverable", damaged]),
    ])
    const byteOffset = Buffer.byteLength(sessionLog("d", ...rows))
    expect(strict.status).toBe(1)
    expect(recordsIn(strict.stdout)).toMatchObject([
      { status: "refused", refusalCode: "invalid-json", refusalDetail: { row: 4, byteOffset } },
    ])
    expect([recovered.status, fold.status]).toStrictEqual([0, 0])
    const tail = {
      status: "torn",
      refusalCode: null,
      eventCount: 3,
      tail: { byteOffset, cause: "invalid-json" },
    }
    expect(recordsIn(recovered.stdout)).toMatchObject([tail])
    expect(JSON.parse(fold.stdout)).toMatchObject(tail)
  })
})

describe("a selection", () => {
  const day = 86_400_000
  const created = (id: string, createdAt: number): string =>
    logUnder(headerIn(0, { id, createdAt }), mode(0))
  folder.file("select/web/one/session.jsonl", created("one", 0))
  folder.file("select/web/two/session.jsonl", created("two", day))
  folder.file("select/api/three/session.jsonl", created("three/3", day - 1))
  const selected = async (selection: Selection): Promise<readonly (string | null)[]> => {
    const ids: (string | null)[] = []
    for await (const record of replay(folder.at("select"), selection)) ids.push(record.session)
    return ids
  }

  it("C28: is by project, session and time of creation", async () => {
    expect(
      await Promise.all([
        selected({}),
        selected({ project: "w*", until: "1970-01-01" }),
        // the second day begins an hour earlier there
        selected({ session: "t*", since: "1970-01-02", zone: "Europe/Berlin" }),
      ]),
    ).toStrictEqual([["three/3", "one", "two"], ["one"], ["three/3", "two"]])
  })

  it("C28: on the command line each of its parts narrows it", async () => {
    const parts = [
      ["--project", "w*"],
      ["--session", "*o*"],
      ["--since", "1970-01-01T00:00:00.001Z"],
      ["--until", "1970-01-02"],
      ["--tz", "Europe/Berlin"],
    ]
    const run = await refold(["replay", "--ndjson", ...parts.flat(), folder.at("select")])
    expect(recordsIn(run.stdout)).toMatchObject([{ session: "two", project: "web" }])
  })

  it("C28: of nothing is no failure", async () => {
    const run = await refold(["replay", "--ndjson", "--session", "none", folder.at("select")])
    expect(run).toStrictEqual({ status: 0, signal: null, stdout: "", stderr: "" })
  })
})
