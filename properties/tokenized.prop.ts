import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import { surfaceTexts } from "#core/fold/surface-texts"
import type { TokenizedSurface } from "#core/tokens/tokenizer"
import { discoverFile, sourceOf } from "#shell/archive/discover"
import { lineSource } from "#shell/archive/line-source"
import { countRanges } from "#shell/dispatch/count-ranges"
import { foldRanges } from "#shell/dispatch/fold-ranges"
import { Pool } from "#shell/dispatch/pool"
import { replayLogs } from "#shell/dispatch/replay-logs"
import { withLog } from "#workers/read-log"
import { temporaryFolder } from "../test/shell/folder.ts"
import type { Session } from "./arbitraries/sessions.ts"
import { rowsOf, sessions } from "./arbitraries/sessions.ts"
import { fewRuns } from "./scale.ts"
import { expectAllSeen } from "./seen.ts"

const folder = temporaryFolder()
const tokenizer = { name: "o200k" } as const
const asText = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() }

const tokensOf = (text: string): number => countTokens(text, asText)

interface Priced {
  readonly tokens: number
  readonly isText: boolean
}

const textIn = (value: JsonValue | undefined): string => (typeof value === "string" ? value : "")

const blockPrice = (block: JsonValue): Priced => {
  const { type, text, name, arguments: args, content = [] } = block as JsonObject
  const words = (...all: readonly (JsonValue | undefined)[]): Priced => ({
    tokens: all.reduce<number>((sum, each) => sum + tokensOf(textIn(each)), 0),
    isText: true,
  })
  if (type === "text" || type === "reasoning") return words(text)
  if (type === "tool-call") return words(name, args)
  if (type === "tool-result") return sum((content as JsonArray).map(blockPrice))
  const { offloaded: _, ...rest } = block as JsonObject
  return { tokens: tokensOf(JSON.stringify(rest)), isText: false }
}

const sum = (all: readonly Priced[]): Priced => ({
  tokens: all.reduce((total, each) => total + each.tokens, 0),
  isText: all.every((each) => each.isText),
})

/** The tokens of a session, by the nodes that its model says are live, with the package itself. */
const naive = (session: Session): TokenizedSurface => {
  const rows = rowsOf(session)
  let header: JsonObject = {}
  for (const { type, data } of rows)
    if (type === "request/header") header = (data as JsonObject)["header"] as JsonObject
  let prompt: Priced = { tokens: tokensOf(textIn(header["system"])), isText: true }
  const messages: Priced[] = []
  for (const seq of session.nodes) {
    const { type, data } = rows.find((row) => row["seq"] === seq) as JsonObject
    const { content } = (
      type === "user/message" ? data : (data as JsonObject)["message"]
    ) as JsonObject
    if (type !== "system/message") messages.push(sum((content as JsonArray).map(blockPrice)))
    else if ((content as JsonArray).length > 0) {
      // an earlier prompt is a message like any other
      messages.push(prompt)
      const text = (content as JsonArray).map((block) => textIn((block as JsonObject)["text"]))
      prompt = { tokens: tokensOf(text.join("")), isText: true }
    }
  }
  const tools = (header["tools"] ?? []) as JsonArray
  const schemas = tools.length === 0 ? 0 : tokensOf(JSON.stringify(tools))
  const all = sum(messages)
  return {
    tokenizer: "o200k",
    exact: all.isText,
    system: prompt.tokens,
    tools: schemas,
    messages: all.tokens,
    total: prompt.tokens + schemas + all.tokens,
  }
}

const textOf = (session: Session): string =>
  [session.header, ...rowsOf(session)].map((row) => `${JSON.stringify(row)}\n`).join("")

describe("tokens of a log", () => {
  const { signal } = new AbortController()
  const pools = [new Pool(1), new Pool(2)] as const
  afterAll(async () => {
    for (const pool of pools) await pool.close()
  })

  const asked = {
    tolerance: "default",
    filter: { session: null, sinceMs: null, untilMs: null },
    withRequests: false,
    withDigest: false,
    tokenizer,
    signal,
  } as const

  it("TZ2 TZ8: are those of its live nodes, for any workers, ranges and parts", async () => {
    const seen = { prompts: 0, tools: 0, exact: 0, inexact: 0, replaced: 0 }
    await fc.assert(
      fc.asyncProperty(sessions(20), fc.integer({ min: 1, max: 3000 }), async (session, bytes) => {
        const name = session.version === 0 ? "session.jsonl" : `session.v${session.version}.jsonl`
        const log = discoverFile(folder.file(name, textOf(session)))
        const source = sourceOf(log)
        const expected = naive(session)
        for (const pool of pools)
          for await (const { replayed } of replayLogs(pool, [[log]], asked))
            expect(replayed.report.tokenized).toEqual(expected)

        const lines = lineSource(log.file, null)
        if ("code" in lines) throw new Error(lines.code)
        const whole = { throughSeq: Infinity, withDigest: false, withTranscript: false, signal }
        const [, pool] = pools
        const options = { ...whole, tokenizer, rangeBytes: bytes }
        const ranged = await foldRanges(pool, { source, lines }, options)
        if (ranged !== null) expect(ranged.report.tokenized).toEqual(expected)
        const read = { tolerance: "default", carrier: "rows", throughSeq: Infinity } as const
        const texts = withLog(source, read, ({ outcome }) =>
          outcome.fold === null ? null : surfaceTexts(outcome.fold),
        )
        if (texts === null || "fault" in texts) throw new Error("not folded")
        const parts = await countRanges(pool, { source, lines }, texts, tokenizer, signal, bytes)
        expect(parts).toEqual(expected)
        lines.close()
        if (expected.system > 0) seen.prompts++
        if (expected.tools > 0) seen.tools++
        if (expected.exact) seen.exact++
        else seen.inexact++
        if (session.replacements.length > 0) seen.replaced++
      }),
      fewRuns(0.2),
    )
    expectAllSeen(seen)
  })
})
