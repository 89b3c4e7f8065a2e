import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import type { FoldedLog } from "#core/fold/folded-log"
import { effectiveSeq } from "#core/presentation/prompt-history"
import { addressOf } from "#core/request/address"
import { discover } from "#shell/archive/discover"
import { LogRefusedError, prompts } from "#shell/index"
import type { PromptRecord, PromptsHead } from "#shell/report/prompt-record"
import foldTask from "#workers/fold-task"
import { zipOf } from "../workers/container/decoding.ts"
import { logOf } from "../fixtures/log-in-memory.ts"
import { header, prompt, rewritten, stepStart, summary } from "../core/presentation/windows.ts"
import type { Draft } from "../core/surface/events.ts"
import { assistant, numbered, user } from "../core/surface/events.ts"
import { temporaryFolder } from "../shell/folder.ts"
import { faultsOf, mutants } from "./schemas.ts"
import { recordsIn, refold, samples } from "./run.ts"

const folder = temporaryFolder()

type Told = PromptsHead & { readonly prompts: readonly PromptRecord[] }

const inLog = (version: number, drafts: readonly Draft[], ...rest: readonly string[]): string =>
  logOf(version, ...numbered(drafts), ...rest)

const long = `${"x".repeat(70)}\nsecond line`

/** A prompt of each kind; the tail is emptied at 8 and shadowed at 9. */
const drafts: readonly Draft[] = [
  { type: "turn/start", data: { turn: 1 } },
  stepStart(1, 1),
  prompt("Be brief.", 1, 1),
  user(),
  header("initial"),
  assistant(4),
  prompt("Be long.", 1, 2),
  rewritten(long, 2, 2, 1),
  rewritten("", 6, 2, 1),
  summary(user(), [3, 5, 8]),
]

/** What is told of them, by hand: tokens are a quarter of the code units, rounded up, and 4. */
const rows = [
  [2, 1, 1, "append", 7, false, 9, 7, "Be brief."],
  [6, 1, 2, "update", 8, false, 8, 6, "Be long."],
  [7, 2, 1, "rewrite", null, true, 82, 25, long],
  [8, 2, 1, "cleared", 9, false, 0, 0, ""],
] as const

const records: readonly PromptRecord[] = rows.map(
  ([seq, turn, step, change, shadowed, isEffective, characters, tokens, text]) => ({
    schema: "refold.prompt/1",
    seq,
    time: 1_000 + seq,
    turn,
    step,
    change,
    shadowed: shadowed === null ? null : { seq: shadowed, time: 1_000 + shadowed },
    isEffective,
    characters,
    tokens,
    text,
  }),
)

const text = inLog(4, drafts)
const log = folder.file("log/session.v4.jsonl", text)

const foldOf = (path: string, at: string | null): FoldedLog => {
  const reply = foldTask({
    source: { path, descriptor: null, namedVersion: null },
    tolerance: "default",
    at: at === null ? null : addressOf(at),
    withDigest: false,
    withTranscript: false,
    withPrompts: true,
  })
  if (reply.is !== "folded") throw new Error("past the end")
  return reply
}

/** The prompts of a fold: seq, step, how it came, what became of it, tokens and length. */
const foldedPrompts = (path: string, at: string | null): readonly (readonly unknown[])[] => {
  const reply = foldOf(path, at)
  const effective = effectiveSeq(reply.prompts, reply.nodes.seqs)
  return reply.prompts.map(({ seq, turn, step, origin, shadowed, tokens, characters }) => [
    seq,
    `${turn}.${step}`,
    origin,
    shadowed?.seq ?? (seq === effective ? "in effect" : null),
    tokens,
    characters,
  ])
}

describe.concurrent("refold prompts", () => {
  it("PF30 PF31: tells how each prompt came, what took it away, and its text", async () => {
    const [json, ndjson] = await Promise.all([
      refold(["prompts", "--json", log]),
      refold(["prompts", "--ndjson", log]),
    ])
    expect([json.status, json.stderr, ndjson.status, ndjson.stderr]).toEqual([0, "", 0, ""])
    expect(JSON.parse(json.stdout)).toStrictEqual({
      schema: "refold.prompts/1",
      session: "s",
      formatVersion: 4,
      status: "ok",
      refusalCode: null,
      refusalSeq: null,
      refusalDetail: null,
      tail: null,
      prompts: records,
    })
    expect(recordsIn(ndjson.stdout)).toStrictEqual(records)
  })

  it("PF31: for people it is a table with the first line of each text", async () => {
    const { stdout, status } = await refold(["prompts", log])
    expect(status).toBe(0)
    const first = `${"x".repeat(59)}…`
    expect(
      stdout.split("\n").map((line) => line.split(/ {2,}/).map((cell) => cell.trim())),
    ).toEqual([
      ["seq", "time", "step", "change", "state", "chars", "tokens", "text"],
      [
        "",
        "2",
        "1970-01-01T00:00:01.002Z",
        "1.1",
        "append",
        "shadowed by 7",
        "9",
        "7",
        "Be brief.",
      ],
      ["", "6", "1970-01-01T00:00:01.006Z", "1.2", "update", "shadowed by 8", "8", "6", "Be long."],
      ["", "7", "1970-01-01T00:00:01.007Z", "2.1", "rewrite", "in effect", "82", "25", first],
      ["", "8", "1970-01-01T00:00:01.008Z", "2.1", "cleared", "shadowed by 9", "0", "0"],
      [""],
    ])
  })

  it("PF31: a later prompt supersedes one that stands, an empty one stands for nothing", async () => {
    const three = [prompt("a\u001b[2J\nb"), prompt("c"), prompt("")]
    const { stdout } = await refold(["prompts", "-"], { input: inLog(4, three) })
    expect(
      stdout
        .split("\n")
        .slice(1, 4)
        .map((line) => line.slice(31)),
    ).toEqual([
      "1.1   append  superseded      7       6  a\\u001b[2J …",
      "1.1   update  in effect       1       5  c",
      "1.1   update  empty           0       0",
    ])
  })

  it("PF30: up to format 2 prompts are those of request headers", () => {
    const headers = [
      header("initial", [], "A"),
      { type: "turn/start", data: { turn: 1 } },
      stepStart(1, 2),
      header("change", ["t"], "A"),
      header("change", [], "BB"),
      header("change"),
      header("change", [], "A"),
    ]
    for (const version of [0, 1, 2]) {
      const path = folder.file(`v${version}/log`, inLog(version, headers))
      expect(foldedPrompts(path, null)).toEqual([
        [0, "0.0", "append", 4, 5, 1],
        [4, "1.2", "rewrite", 5, 5, 2],
        [5, "1.2", "cleared", 6, 0, 0],
        [6, "1.2", "rewrite", "in effect", 5, 1],
      ])
    }
  })

  it("PF30: the prompt that holds costs what the fold counts as the system prompt", () => {
    const seen = { with: 0, without: 0 }
    for (const each of discover([samples, log]).logs) {
      const { report, prompts: entries, nodes } = foldOf(each.file, null)
      const effective = effectiveSeq(entries, nodes.seqs)
      const holding = entries.find(({ seq }) => seq === effective)
      expect(holding?.tokens ?? 0, each.file).toBe(report.tokens.system)
      seen[holding === undefined ? "without" : "with"]++
    }
    expect(seen.with).toBeGreaterThan(10)
    expect(seen.without).toBeGreaterThan(0)
  })

  it("PF32: ends at an address", async () => {
    const at = (address: string): readonly unknown[] =>
      foldedPrompts(log, address).map(([seq, , , state]) => [seq, state])
    expect(at("1")).toEqual([])
    expect(at("1.1")).toEqual([[2, "in effect"]])
    expect(at("6")).toEqual([
      [2, null],
      [6, "in effect"],
    ])
    expect(at("7")).toEqual([
      [2, 7],
      [6, "in effect"],
      [7, null],
    ])
    const past = prompts(log, { at: "10" })
    await expect(past).rejects.toThrow("the last event is 9, the last request 1.1.1")
  })

  it("PF32: of a refused or torn log it tells what was accepted", async () => {
    const refused = folder.file("refused/log", inLog(4, drafts.slice(0, 7), "{}"))
    const told = await refold(["prompts", "--json", refused])
    expect(told.status).toBe(1)
    expect(told.stderr).toContain(": refused: row 8")
    const record = JSON.parse(told.stdout) as Told
    expect(faultsOf("prompts", record)).toStrictEqual([])
    expect(record).toMatchObject({ status: "refused", refusalCode: "envelope-shape" })
    expect(record.prompts.map(({ seq, isEffective }) => [seq, isEffective])).toEqual([
      [2, false],
      [6, true],
    ])
    await expect(prompts(refused)).rejects.toBeInstanceOf(LogRefusedError)
    expect((await prompts(refused, { at: "6" })).map(({ seq }) => seq)).toEqual([2, 6])
    const torn = folder.file("torn/log", `${inLog(4, drafts.slice(0, 7))}{`)
    expect((await prompts(torn)).map(({ seq }) => seq)).toEqual([2, 6])
  })

  it("PF32: reads containers and standard input", async () => {
    const ways = [
      folder.file("gz/session.v4.jsonl.gz", gzipSync(text)),
      `${folder.file("zip/export.zip", zipOf([{ name: "session.v4.jsonl", content: text }]))}/session.v4.jsonl`,
    ]
    for (const path of ways) expect(await prompts(path)).toStrictEqual(records)
    const { stdout } = await refold(["prompts", "--ndjson", "-"], { input: text })
    expect(recordsIn(stdout)).toStrictEqual(records)
    const missing = await refold(["prompts", "--json", folder.at("missing")])
    expect(missing.status).toBe(2)
    expect(faultsOf("prompts", JSON.parse(missing.stdout))).toStrictEqual([])
  })

  it("PF31: before the first prompt it says that there is none, and of what it cannot read nothing", async () => {
    const before = await refold(["prompts", log, "--at", "1"])
    expect([before.status, before.stdout]).toStrictEqual([0, "no system prompt up to there\n"])
    const missing = await refold(["prompts", folder.at("missing")])
    expect([missing.status, missing.stdout]).toStrictEqual([2, ""])
  })

  it("PF32: --as shows the prompt of an older log as the node that it becomes", async () => {
    const older = `${samples}/--srv-code-atlas--/atlas-flaky-provider/session.v1.jsonl`
    const [own, later] = await Promise.all([prompts(older), prompts(older, { as: 4 })])
    const toldOf = (records: readonly PromptRecord[]) =>
      records.map(({ change, isEffective, text: said }) => [change, isEffective, said])
    const said = own[0]?.text
    expect(toldOf(own)).toEqual([["append", true, said]])
    // the upgrade keeps the head for it from the start
    expect(toldOf(later)).toEqual([
      ["append", false, ""],
      ["rewrite", true, said],
    ])
  })

  it("C1 C2: the records are as their schemas say, and not otherwise", async () => {
    const sample = `${samples}/--srv-code-atlas--/atlas-prompt-in-history/session.v3.jsonl`
    const { stdout } = await refold(["prompts", "--json", sample])
    const told = JSON.parse(stdout) as Told
    expect(told.prompts.length).toBeGreaterThan(3)
    expect(faultsOf("prompts", told)).toStrictEqual([])
    for (const record of told.prompts) expect(faultsOf("prompt", record)).toEqual([])
    const examples = [
      ["prompts", told],
      ["prompt", records[2]],
    ] as const
    for (const [name, example] of examples) {
      expect(faultsOf(name, { ...example, added: 1 })).toStrictEqual([])
      for (const [what, mutant] of mutants(example as object))
        expect(faultsOf(name, mutant), `${name} ${what}`).not.toStrictEqual([])
    }
    for (const mutant of [{ change: "x" }, { shadowed: { seq: 1, time: 1 } }, { seq: -1 }])
      expect(faultsOf("prompt", { ...(records[2] as object), ...mutant })).not.toStrictEqual([])
    const lines = readFileSync(sample, "utf8").split("\n").slice(1, -1)
    const logged = lines.map((line) => JSON.parse(line) as JsonObject)
    expect(told.prompts.map(({ seq }) => seq)).toEqual(
      logged.filter(({ type }) => type === "system/message").map(({ seq }) => seq),
    )
  })
})
