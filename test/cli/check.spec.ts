import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import type { FindingRecord, VerdictRecord } from "#shell/report/check-record"
import { zstdLog } from "../../bench/generate/zstd-frames.ts"
import { headerIn, logUnder } from "../fixtures/log-in-memory.ts"
import { temporaryFolder } from "../shell/folder.ts"
import {
  assistant,
  mode,
  sessionLog,
  stepEnd,
  stepStart,
  turnEnd,
  turnStart,
  user,
} from "../shell/session-logs.ts"
import { zipOf } from "../workers/container/decoding.ts"
import { recordsIn, refold, samples } from "./run.ts"

const folder = temporaryFolder()

const turn = [
  turnStart(0, 1),
  stepStart(1, 1, 1),
  user(2, "hello"),
  assistant(3, 1, 1, "yes"),
  stepEnd(4, 1, 1),
  turnEnd(5, 1),
]
const whole = sessionLog("whole", ...turn)
const ok = folder.file("ok.jsonl", whole)
const torn = folder.file("torn.jsonl", `${whole}{`)
// a message before the first step, an end without its start, and a type that nobody knows
const wrong = folder.file(
  "wrong.jsonl",
  sessionLog("wrong", user(0, "hi"), turnEnd(1, 1), { ...mode(2), type: "x/y" }),
)
const early = folder.file("early.jsonl", sessionLog("early", user(0, "hi"), ...turn.slice(6)))
const damaged = folder.file("damaged.jsonl", sessionLog("damaged", mode(0), "{", mode(1)))
const forked = folder.file(
  "forked.jsonl",
  sessionLog(
    "forked",
    mode(0),
    mode(1),
    mode(2),
    { type: "session/end-seed", seq: 3, time: 3, data: {} },
    mode(1),
    mode(2),
  ),
)
const missing = folder.at("missing.jsonl")

type Row = FindingRecord | VerdictRecord

const isFinding = (row: Row): row is FindingRecord => row.schema === "refold.finding/1"

const checked = async (...args: readonly string[]): Promise<readonly Row[]> =>
  recordsIn<Row>((await refold(["check", "--ndjson", ...args])).stdout)

const briefly = (rows: readonly Row[]): readonly unknown[] =>
  rows.map((row) =>
    isFinding(row) ? [row.as, row.code, row.seq, row.row] : [row.session, row.status],
  )

describe.concurrent("refold check", () => {
  it("C38: tells every finding of a log with its place, then the verdict", async () => {
    const rows = await checked(wrong)
    expect(briefly(rows)).toStrictEqual([
      [0, "turn-end-unopened", 1, 2],
      [0, "event-type-unknown", 2, 3],
      ["wrong", "refused"],
    ])
    const first = sessionLog("wrong", user(0, "hi"))
    expect(rows[0]).toMatchObject({ layer: "relationship", byteOffset: Buffer.byteLength(first) })
    expect(rows[1]).toMatchObject({ layer: "envelope", witness: { type: "x/y" } })
    expect(rows[2]).toMatchObject({
      formatVersion: 0,
      eventCount: 2,
      acceptedEvents: 1,
      refusalCode: "turn-end-unopened",
      refusalSeq: 1,
      refusalDetail: { row: 2, byteOffset: Buffer.byteLength(first) },
      findingCount: 2,
      findingCounts: { "event-type-unknown": 1, "turn-end-unopened": 1 },
      tail: null,
      upgrade: null,
    })
  })

  it("C38: both branches of a log that two writers went on with have their sizes", async () => {
    const row = (seq: number): number => Buffer.byteLength(`${JSON.stringify(mode(seq))}\n`)
    const [order, fork, verdict] = await checked(forked)
    expect(briefly([order, fork, verdict] as Row[])).toStrictEqual([
      [0, "seq-not-contiguous", 1, 5],
      [0, "sequence-fork", 1, 5],
      ["forked", "refused"],
    ])
    expect(fork).toMatchObject({
      witness: {
        expected: 4,
        firstEvents: 3,
        secondEvents: 2,
        secondBytes: row(1) + row(2),
      },
    })
  })

  it("C39: as one document: the logs by path, the causes, the sums", async () => {
    const { stdout, status } = await refold(["check", "--json", wrong, ok, torn, missing])
    expect(status).toBe(2)
    const document = JSON.parse(stdout) as { readonly logs: readonly object[] }
    expect(document).toMatchObject({
      schema: "refold.check/1",
      logs: [
        { path: missing, status: "unreadable", findings: [{ code: "not-found" }] },
        { path: ok, status: "ok", findings: [] },
        { path: torn, status: "torn", findings: [], tail: { byteLength: 1 } },
        { path: wrong, status: "refused", findingCount: 2 },
      ],
      totals: {
        logCount: 4,
        statuses: { ok: 1, torn: 1, refused: 1, unreadable: 1 },
        upgrades: {},
      },
    })
    expect(document).toHaveProperty("causes", [
      { code: "event-type-unknown", layer: "envelope", as: null, findings: 1, logs: 1 },
      { code: "not-found", layer: "container", as: null, findings: 1, logs: 1 },
      { code: "turn-end-unopened", layer: "relationship", as: null, findings: 1, logs: 1 },
    ])
    const nothing = await refold(["check", "--json", ok])
    expect(JSON.parse(nothing.stdout)).toMatchObject({ logs: [{ path: ok }], causes: [] })
  })

  it("C39: for people a log without findings is a number in the last line alone", async () => {
    const { stdout } = await refold(["check", ok, torn, wrong])
    expect(stdout).toBe(
      `${wrong}: refused, 1 of 2 events accepted
  seq 1: turn 1 ends and no turn is open [turn-end-unopened]
  seq 2: unknown event type x/y, which is not marked ignorable [event-type-unknown]

cause               layer         findings  logs
event-type-unknown  envelope             1     1
turn-end-unopened   relationship         1     1

3 logs: 1 ok, 1 torn, 1 refused
`,
    )
    expect((await refold(["check", ok, torn])).stdout).toBe("2 logs: 1 ok, 1 torn\n")
  })

  it("C39: of one log for people twenty findings are shown, and the others counted", async () => {
    const rows = Array.from({ length: 25 }, (_, seq) => turnEnd(seq, 1))
    const path = folder.file("many.jsonl", sessionLog("many", ...rows))
    const lines = (await refold(["check", path])).stdout.split("\n")
    expect(lines.filter((line) => line.startsWith("  seq "))).toHaveLength(20)
    expect(lines).toContain("  and 5 more findings")
    expect(await checked(path)).toHaveLength(26)
  })

  it.each([
    [0, [ok, torn]],
    [1, [ok, wrong]],
    [1, ["--as", "4", early]],
    [1, ["--as", "4", folder.file("five.jsonl", logUnder(headerIn(5)))]],
    [2, [wrong, missing]],
    [2, ["--as", "4", missing]],
    [3, []],
    [3, ["--as", "5", ok]],
    [3, ["--as", "-1", ok]],
    [3, ["--as", "four", ok]],
    [3, ["--json", "--ndjson", ok]],
    [3, ["--out", "x", ok]],
    [3, ["--workers", "0", ok]],
  ] as const)("C40: status %d for %j", async (expected, args) => {
    const { status, stdout, stderr } = await refold(["check", ...args])
    expect([status, stderr]).toStrictEqual([expected, expect.any(String)])
    if (expected === 3) expect([stdout, stderr === ""]).toStrictEqual(["", false])
  })

  it("C40: the output is the same for any number of workers", async () => {
    const all = [samples, wrong, early, damaged, forked, ok, torn]
    for (const form of ["--json", "--no-color"]) {
      const run = (n: number): ReturnType<typeof refold> =>
        refold(["check", form, "--as", "4", "--workers", String(n), ...all])
      expect(await run(3)).toStrictEqual(await run(1))
    }
  })

  it("C41: --as tries the way to a later format and adds what stands against it", async () => {
    const [cause, verdict] = await checked("--as", "4", early)
    expect(cause).toMatchObject({
      as: 4,
      layer: "migration",
      code: "surface-before-step",
      seq: 0,
      row: null,
      byteOffset: null,
      witness: { class: "unsupported", from: 2, to: 3 },
    })
    expect(verdict).toMatchObject({
      status: "ok",
      findingCount: 0,
      upgrade: { to: 4, status: "refused", causeCount: 1, proof: null },
    })
    expect(await checked("--as", "2", early)).toMatchObject([
      { status: "ok", upgrade: { to: 2, status: "accepted", causeCount: 0, proof: "equal" } },
    ])
    expect(await checked("--as", "0", early)).toMatchObject([{ upgrade: { status: "current" } }])
    const newer = folder.file("newer.jsonl", logUnder(headerIn(4)))
    expect(await checked("--as", "2", newer)).toMatchObject([{ upgrade: { status: "newer" } }])
  })

  it("C41: what its own format finds and what stands against the next are apart", async () => {
    const { stdout } = await refold(["check", "--json", "--as", "4", wrong])
    expect(JSON.parse(stdout)).toMatchObject({
      causes: [
        { code: "event-type-unknown", layer: "envelope", as: null, findings: 1 },
        { code: "event-type-unknown", layer: "migration", as: 4, findings: 1 },
        { code: "surface-before-step", layer: "migration", as: 4, findings: 1 },
        { code: "turn-end-unopened", layer: "relationship", as: null, findings: 1 },
      ],
      totals: { upgrades: { refused: 1 } },
    })
    // a rule that the log breaks in both formats
    const twice = folder.file("twice.jsonl", sessionLog("twice", ...turn, turnEnd(6, 1)))
    const both = await refold(["check", "--json", "--as", "4", twice])
    expect(JSON.parse(both.stdout)).toMatchObject({
      causes: [
        { code: "turn-end-unopened", as: null, findings: 1, logs: 1 },
        { code: "turn-end-unopened", as: 4, findings: 1, logs: 1 },
      ],
    })
    const text = (await refold(["check", "--as", "4", early, ok])).stdout
    expect(text).toContain(`
cause                layer      as format  findings  logs
surface-before-step  migration  4                 1     1
`)
    expect(text).toContain(`${early}: ok, 1 of 1 event accepted; as format 4: refused\n`)
    expect(text).toContain("  as format 4: seq 0: a message stands before the first step")
    expect(text).toContain("after the upgrade: 1 refused, 1 accepted\n")
  })

  it("C42: --recoverable forgives damage at the end, and shows it all the same", async () => {
    const place = Buffer.byteLength(sessionLog("damaged", mode(0)))
    const bytes = Buffer.byteLength(sessionLog("damaged", mode(0), "{", mode(1)))
    const found = { code: "invalid-json", row: 2, byteOffset: place }
    expect(await checked(damaged)).toMatchObject([
      found,
      { status: "refused", refusalCode: "invalid-json", acceptedEvents: 1, tail: null },
    ])
    expect(await checked("--recoverable", damaged)).toMatchObject([
      found,
      {
        status: "torn",
        refusalCode: null,
        refusalDetail: null,
        acceptedEvents: 1,
        tail: { cause: "invalid-json", byteOffset: place, byteLength: bytes - place },
      },
    ])
    expect(await checked("--recoverable", torn)).toMatchObject([
      { status: "torn", tail: { cause: "unterminated" } },
    ])
  })

  it("C42: --recoverable forgives neither a broken rule nor damage in a completed turn", async () => {
    const rule = folder.file("rule.jsonl", sessionLog("rule", turnEnd(0, 1), "{"))
    expect(await checked("--recoverable", rule)).toMatchObject([
      { code: "turn-end-unopened" },
      { code: "invalid-json" },
      { status: "refused", refusalCode: "turn-end-unopened", acceptedEvents: 0, tail: null },
    ])
    const before = folder.file(
      "before.jsonl",
      sessionLog("before", turnStart(0, 1), "{", turnEnd(1, 1)),
    )
    expect((await checked("--recoverable", before)).at(-1)).toMatchObject({
      status: "refused",
      refusalCode: "invalid-json",
      acceptedEvents: 1,
    })
    const header = { type: "request/header", seq: 9, time: 1, data: { header: { system: "" } } }
    const hard = folder.file("hard.jsonl", logUnder(headerIn(3), mode(0), "{", header))
    expect((await checked("--recoverable", hard)).at(-1)).toMatchObject({
      status: "refused",
      refusalCode: "payload-shape",
      refusalSeq: 9,
      refusalDetail: { row: 3 },
    })
  })

  it("C43: reads logs in containers and from standard input as their texts", async () => {
    const text = sessionLog("wrong", user(0, "hi"), turnEnd(1, 1), { ...mode(2), type: "x/y" })
    const plain = await checked("--as", "4", wrong)
    const inside = (rows: readonly Row[]): readonly object[] =>
      rows.map((row) => ({ ...row, path: "", root: "", container: "", project: null }))
    const lines = text.split("\n").slice(0, -1)
    const packed = [
      folder.file("z/session.jsonl.zstd", zstdLog(lines, 2)),
      folder.file("g/session.jsonl.gz", gzipSync(text)),
      folder.file("p/export.zip", zipOf([{ name: "session.jsonl", content: text }])),
    ]
    for (const path of packed)
      expect(inside(await checked("--as", "4", path)), path).toStrictEqual(inside(plain))
    const args = ["check", "--ndjson", "--as", "4", "-"]
    for (const input of [text, gzipSync(text)]) {
      const piped = await refold(args, { input })
      expect(inside(recordsIn(piped.stdout))).toStrictEqual(inside(plain))
      expect(piped.status).toBe(1)
    }
    expect((await refold(args, { input: "" })).status).toBe(2)
  })
})
