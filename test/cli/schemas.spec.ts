import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { SessionRecord, StepRecord } from "#shell/report/session-record"
import { foldRecord } from "#shell/report/fold-record"
import { discover } from "#shell/archive/discover"
import foldTask from "#workers/fold-task"
import { temporaryFolder } from "../shell/folder.ts"
import { mode, sessionLog } from "../shell/session-logs.ts"
import { describeShared, sharedDirectory } from "../shared.ts"
import type { SchemaName } from "./schemas.ts"
import { faultsOf, mutants, schemas } from "./schemas.ts"
import { recordsIn, refold, samples } from "./run.ts"

const folder = temporaryFolder()

const archives = sharedDirectory === null ? [] : [`${sharedDirectory}/archives/dsh-v0`]

const bad = [
  folder.file("bad/refused/session.jsonl", sessionLog("refused", mode(1))),
  folder.file("bad/row/session.jsonl", sessionLog("row", mode(0), "{")),
  folder.file("bad/torn/session.jsonl", `${sessionLog("torn", mode(0))}{`),
  folder.file("bad/empty/session.jsonl", ""),
  folder.file("bad/packed/session.jsonl.zstd", "x"),
  folder.at("bad/missing"),
]

const isStep = (record: SessionRecord | StepRecord): record is StepRecord =>
  record.schema === "refold.step/1"

const nameOf = (record: SessionRecord | StepRecord): SchemaName =>
  isStep(record) ? "step" : "session"

const sample = `${samples}/--home-mira-tide~0020pool~0020~0028~03B2~0029--/tidepool-forecast/session.v4.jsonl`

const document = async (...args: readonly string[]): Promise<unknown> =>
  JSON.parse((await refold(args)).stdout)

const [replay, nothing, fold] = await Promise.all([
  document("replay", "--json", "--steps", samples, ...bad),
  document("replay", "--json", folder.folder("nothing")),
  document("fold", "--json", sample),
])

describe("the published schemas", () => {
  it("C1: there is one for each output, with a title and a description of every field", () => {
    expect(schemas.map(({ title }) => title)).toStrictEqual(
      [
        "bench",
        "blame-report",
        "blame",
        "check",
        "diff",
        "finding",
        "fold",
        "messages",
        "migrate",
        "migration",
        "prompt",
        "prompts",
        "recovery",
        "replay",
        "request",
        "requests",
        "session",
        "step",
        "verdict",
      ].map((name) => `refold.${name}/1`),
    )
    for (const { properties = {}, title } of schemas)
      for (const [name, property] of Object.entries(properties))
        if (name !== "schema" && !("$ref" in property))
          expect(property, `${title} ${name}`).toHaveProperty("description")
  })

  it("C1: records of sessions and steps are as the schemas say", async () => {
    const { stdout } = await refold([
      "replay",
      "--ndjson",
      "--steps",
      "--digest",
      samples,
      ...archives,
      ...bad,
    ])
    const records = recordsIn<SessionRecord | StepRecord>(stdout)
    expect(new Set(records.map(nameOf))).toStrictEqual(new Set(["session", "step"]))
    expect(records.length).toBeGreaterThan(15 + bad.length)
    for (const record of records)
      expect(faultsOf(nameOf(record), record), record.path).toStrictEqual([])
  })

  it("C1: a replay as one document is as its schema says, with and without steps", () => {
    expect(faultsOf("replay", replay)).toStrictEqual([])
    expect(replay).toHaveProperty("steps")
    expect(faultsOf("replay", nothing)).toStrictEqual([])
    expect(nothing).not.toHaveProperty("steps")
  })

  it("C1: the fold and the messages of a log are as their schemas say", async () => {
    expect(faultsOf("fold", fold)).toStrictEqual([])
    const [missing, messages, transcript] = await Promise.all([
      refold(["fold", "--json", folder.at("bad/missing")]),
      refold(["messages", "--json", sample]),
      refold(["transcript", "--json", sample]),
    ])
    expect(faultsOf("fold", JSON.parse(missing.stdout))).toStrictEqual([])
    expect(faultsOf("messages", JSON.parse(messages.stdout))).toStrictEqual([])
    expect(faultsOf("messages", JSON.parse(transcript.stdout))).toStrictEqual([])
  })

  it("C1: the fold of every log at hand is as its schema says", () => {
    const { logs } = discover([samples, ...archives, ...bad])
    for (const log of logs) {
      if (log.fault !== null) continue
      const reply = foldTask({
        source: { path: log.file, descriptor: null, namedVersion: log.name?.version ?? null },
        tolerance: "default",
        at: null,
        withDigest: false,
        withTranscript: false,
      })
      if (reply.is !== "folded") throw new Error("the whole log was asked for")
      expect(faultsOf("fold", foldRecord(reply)), log.file).toStrictEqual([])
    }
  })
})

describe("what the schemas refuse", () => {
  it("C2: a missing field and one of another type are refused, a further one is not", () => {
    const { sessions, steps } = replay as {
      readonly sessions: readonly object[]
      readonly steps: readonly object[]
    }
    const examples: readonly (readonly [SchemaName, unknown])[] = [
      ["session", sessions[0]],
      ["step", steps[0]],
      ["fold", fold],
      ["replay", nothing],
    ]
    for (const [name, example] of examples) {
      const record = example as object
      expect(faultsOf(name, { ...record, added: 1 })).toStrictEqual([])
      for (const [what, mutant] of mutants(record))
        expect(faultsOf(name, mutant), `${name} ${what}`).not.toStrictEqual([])
    }
  })

  it("C2: a status that contradicts the rest is refused", () => {
    const ok = { ...(fold as object), status: "ok" }
    expect(faultsOf("fold", ok)).toStrictEqual([])
    const tail = { byteOffset: 1, byteLength: 1, cause: "unterminated" }
    expect(faultsOf("fold", { ...ok, status: "torn", tail })).toStrictEqual([])
    for (const mutant of [
      { status: "torn" },
      { tail },
      { refusalCode: "x" },
      { status: "refused", refusalCode: "x" },
      { status: "refused", refusalCode: "x", refusalDetail: {} },
      { status: "good" },
    ])
      expect(faultsOf("fold", { ...ok, ...mutant }), JSON.stringify(mutant)).not.toStrictEqual([])
  })

  it("C2: a message without role or content is refused", () => {
    const message = { role: "user", content: [{ type: "text" }] }
    expect(faultsOf("messages", [message, { ...message, more: 1 }])).toStrictEqual([])
    for (const other of [
      {},
      { role: "user" },
      { ...message, role: "x" },
      { ...message, content: "" },
    ])
      expect(faultsOf("messages", [other])).not.toStrictEqual([])
  })
})

describeShared("the archive of real logs", (shared) => {
  interface Oracle {
    readonly error?: string
    readonly events: number
    readonly nodes: readonly number[]
    readonly replacements: readonly object[]
    readonly messages: number
    readonly messagesSha256: string
    readonly messageTokens: number
    readonly toolsTokens: number
    readonly systemTokens: number
  }

  it("C3: is replayed to what the reference made of it", async () => {
    const oracles = JSON.parse(readFileSync(`${shared}/oracles/dsh-v0.json`, "utf8")) as Readonly<
      Record<string, Oracle>
    >
    const { stdout, status } = await refold([
      "replay",
      "--ndjson",
      "--digest",
      `${shared}/archives/dsh-v0`,
    ])
    expect(status).toBe(1)
    const records = recordsIn<SessionRecord>(stdout)
    expect(records.map(({ path }) => path)).toStrictEqual(Object.keys(oracles).toSorted())
    for (const record of records) {
      const oracle = oracles[record.path]
      if (oracle?.error !== undefined) {
        expect(record, record.path).toMatchObject({ status: "refused" })
        expect(record.refusalSeq, record.path).not.toBeNull()
      } else
        expect(record, record.path).toMatchObject({
          status: "ok",
          eventCount: oracle?.events,
          nodeCount: oracle?.nodes.length,
          replacementCount: oracle?.replacements.length,
          messageCount: oracle?.messages,
          messagesSha256: oracle?.messagesSha256,
          tokens: {
            system: oracle?.systemTokens,
            tools: oracle?.toolsTokens,
            messages: oracle?.messageTokens,
          },
        })
    }
  })
})
