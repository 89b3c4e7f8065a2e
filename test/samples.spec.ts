import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { discover } from "#shell/archive/discover"
import { foldRecord } from "#shell/report/fold-record"
import { sessionRecord } from "#shell/report/session-record"
import foldTask from "#workers/fold-task"
import replayTask from "#workers/replay-task"
import { isRelation } from "#shell/report/relation-text"
import { root, samples } from "./cli/run.ts"
import { findingsOf } from "./fixtures/checked-log.ts"

/** What the model beside the generator says of a log that it wrote. */
interface Expected {
  readonly formatVersion: number
  readonly eventCount: number
  readonly inheritedEvents: number
  readonly turnCount: number
  readonly stepCount: number
  readonly nodes: readonly number[]
  readonly replacements: readonly object[]
  readonly messageCount: number
  readonly contentGeneration: number
  readonly surfaceTokens: number
  readonly torn: boolean
  readonly refusalSeq: number | null
}

const { sessions } = JSON.parse(
  readFileSync(`${root}bench/generate/samples-expected.json`, "utf8"),
) as { readonly sessions: Readonly<Record<string, Expected>> }

describe("the sample archive", () => {
  const { logs } = discover([samples])

  it("C31: holds the logs that the generator wrote", () => {
    expect(logs.map(({ path }) => path)).toStrictEqual(Object.keys(sessions).toSorted())
  })

  it.each(logs.map((log) => [log.path, log.file]))(
    "RU1: %s breaks no rule between events",
    (_, file) => {
      const found = findingsOf(readFileSync(file, "utf8"))
      expect(found.filter(({ finding }) => isRelation(finding))).toStrictEqual([])
    },
  )

  it.each(logs.map((log) => [log.path, log] as const))("C31: %s", async (path, log) => {
    const expected = sessions[path]
    if (expected === undefined) throw new Error("every log has an expectation")
    const source = { path: log.file, descriptor: null, namedVersion: log.name?.version ?? null }
    const reply = foldTask({
      source,
      tolerance: "default",
      at: null,
      withDigest: true,
      withTranscript: false,
    })
    if (reply.is !== "folded") throw new Error("the whole log was asked for")
    const fold = foldRecord(reply)
    const status = expected.refusalSeq !== null ? "refused" : expected.torn ? "torn" : "ok"
    expect(fold).toMatchObject({
      formatVersion: expected.formatVersion,
      eventCount: expected.eventCount,
      nodes: expected.nodes,
      replacements: expected.replacements,
      replaceGeneration: expected.replacements.length,
      contentGeneration: expected.contentGeneration,
      messageCount: expected.messageCount,
      status,
      refusalSeq: expected.refusalSeq,
    })
    const { tokens } = fold
    // the system prompt is a node from format 3 on, and stands in the request header before
    const system = expected.formatVersion < 3 ? 0 : tokens.system
    expect(system + tokens.messages).toBe(expected.surfaceTokens)

    const [replayed] = await replayTask({
      sources: [source],
      tolerance: "default",
      filter: { session: null, sinceMs: null, untilMs: null },
      withRequests: false,
      withDigest: true,
    })
    if (replayed === null || replayed === undefined) throw new Error("nothing is filtered")
    expect(sessionRecord(log, replayed.report)).toMatchObject({
      formatVersion: expected.formatVersion,
      eventCount: expected.eventCount,
      inheritedEvents: expected.inheritedEvents,
      turnCount: expected.turnCount,
      stepCount: expected.stepCount,
      nodeCount: expected.nodes.length,
      replacementCount: expected.replacements.length,
      messageCount: expected.messageCount,
      messagesSha256: fold.messagesSha256,
      tokens,
      status,
      refusalSeq: expected.refusalSeq,
    })
  })
})
