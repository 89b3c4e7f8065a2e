import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "#core/data/json"
import { formats } from "#core/format/catalog"
import type { FormatVersion } from "#core/format/format"
import type { FoundLog } from "#shell/archive/discover"
import { discover } from "#shell/archive/discover"
import type { ReadOptions } from "#workers/read-log"
import { reportOf, withLog } from "#workers/read-log"
import { samples } from "../cli/run.ts"
import { lineStarts, scanned } from "../core/columns/scanning.ts"
import { describeShared } from "../shared.ts"
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

const folder = temporaryFolder()

const blockBytes = 256 * 1024

/** All that one reading of a file says. */
const reading = (path: string, options: Partial<ReadOptions>): object => {
  const replacements: object[] = []
  const transcript: (readonly number[])[] = []
  return withLog(
    { path, descriptor: null, namedVersion: null },
    {
      tolerance: "default",
      carrier: "columns",
      throughSeq: Infinity,
      onRestart: () => {
        replacements.length = 0
        transcript.length = 0
      },
      onReplacement: (replacement) => replacements.push(replacement),
      onTranscript: ({ byteOffset, byteLength }, at) =>
        transcript.push([byteOffset, byteLength, at]),
      ...options,
    },
    (read) => ({
      report: reportOf(read, true),
      nodes: read.outcome.fold?.surface.nodes().map((node) => ({ ...node, digest: 0 })),
      counts: read.outcome.fold?.counts(),
      replacements,
      transcript,
    }),
  )
}

// the explaining path, line by line
const byParser: Partial<ReadOptions> = { carrier: "rows" }

const expectEqualReadings = (path: string, throughSeq: number = Infinity): object => {
  const scannedLog = reading(path, { throughSeq })
  expect(scannedLog).toStrictEqual(reading(path, { ...byParser, throughSeq }))
  return scannedLog
}

/** A user message whose line, with its newline, is so many bytes long. */
const lineOf = (seq: number, bytes: number, marker: JsonObject = {}): JsonObject => {
  const short = JSON.stringify(user(seq, "", marker)).length + 1
  return user(seq, "m".repeat(bytes - short), marker)
}

const replacing = (seq: number): JsonObject => ({
  surfaceOp: { op: "replace", start: seq, end: seq },
  sourceEventSeqs: [seq],
})

describe("a file that is scanned", () => {
  it("CO15: is read as by the parser, wherever blocks end", () => {
    for (const size of [400, 1000, 300_000, blockBytes - 1, blockBytes, blockBytes + 1])
      for (const count of [1, 4, 7]) {
        const rows = Array.from({ length: count }, (_, seq) =>
          lineOf(seq, size + (seq % 3), seq % 3 === 2 ? replacing(seq - 1) : {}),
        )
        const path = folder.file("blocks", sessionLog("s", ...rows))
        expect(expectEqualReadings(path)).toMatchObject({
          report: { status: "ok", activity: { eventCount: count } },
        })
      }
  })

  it("CO15: is read as by the parser where a line ends with a block, or the header does", () => {
    const header = sessionLog("s").length
    for (const off of [-1, 0, 1]) {
      const first = lineOf(0, blockBytes - header + off)
      const rows = [first, lineOf(1, blockBytes), lineOf(2, 200), lineOf(3, blockBytes - 200)]
      expectEqualReadings(folder.file("ends", sessionLog("s", ...rows)))
      const long = sessionLog("s".repeat(blockBytes - header + 1 + off), ...rows)
      expect(expectEqualReadings(folder.file("header", long))).toMatchObject({
        report: { status: "ok", activity: { eventCount: 4 } },
      })
    }
  })

  it("CO15: is read as by the parser after a line that made the block grow", () => {
    const sizes = [200, 5 * blockBytes, 200, 3 * blockBytes + 1, blockBytes, 300, 2 * blockBytes]
    const rows = sizes.map((size, seq) => lineOf(seq, size))
    expectEqualReadings(folder.file("grown", sessionLog("s", ...rows)))
    const small = Array.from({ length: 20_000 }, (_, i) => mode(sizes.length + i))
    expect(
      expectEqualReadings(folder.file("grown", sessionLog("s", ...rows, ...small))),
    ).toMatchObject({ report: { status: "ok", activity: { eventCount: 20_007 } } })
  })

  it("CO15: has the torn tail that the parser sees", () => {
    const turn = [turnStart(0, 1), stepStart(1, 1, 1), assistant(2, 1, 1, "é€𝄞"), turnEnd(3, 1)]
    const log = sessionLog("s", ...turn)
    const last = JSON.stringify(user(4, "hello"))
    for (const tail of [
      last,
      last.slice(0, 9),
      "{",
      '"',
      "\\",
      "\u0000",
      "é",
      "x".repeat(2 * blockBytes),
    ])
      expect(expectEqualReadings(folder.file("torn", log + tail))).toMatchObject({
        report: { status: "torn", tail: { byteLength: Buffer.byteLength(tail) } },
      })
    const cut = Buffer.concat([Buffer.from(log), Buffer.from("é").subarray(0, 1)])
    expect(expectEqualReadings(folder.file("torn", cut))).toMatchObject({
      report: { status: "torn" },
    })
    for (const nothing of [
      "",
      "\n",
      "hello",
      "hello\n",
      sessionLog("s"),
      sessionLog("s").slice(0, -1),
    ])
      expectEqualReadings(folder.file("torn", nothing))
  })

  it("CO15: is refused where the parser refuses it, in whatever block", () => {
    const before = Array.from({ length: 5 }, (_, seq) => lineOf(seq, 400_000))
    for (const [code, bad] of [
      ["invalid-utf8", Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xff])])],
      ["invalid-json", '{"type":"turn/start"'],
      ["blank-line", ""],
      ["seq-not-contiguous", JSON.stringify(user(6, "gap"))],
      // far beyond what any index may be made for
      ["seq-not-contiguous", JSON.stringify(user(Number.MAX_SAFE_INTEGER, "gap"))],
      ["source-not-earlier", JSON.stringify({ ...user(5, "x"), sourceEventSeqs: [9] })],
      ["payload-shape", JSON.stringify({ ...mode(5), data: null })],
    ] as const) {
      const rest = `\n${JSON.stringify(mode(5))}\n`
      const bytes = Buffer.concat(
        [sessionLog("s", ...before), bad, rest].map((part) => Buffer.from(part as string)),
      )
      const said = expectEqualReadings(folder.file("refused", bytes))
      expect([code, said]).toMatchObject([
        code,
        { report: { status: "refused", refusal: { refusal: { code }, row: 6 } } },
      ])
    }
  })

  it("CO15: is read through a seq as by the parser, also inside a packed run", () => {
    const packed: JsonObject = {
      type: "text-chunks",
      seq0: 3,
      time0: 30,
      data: { turn: 1, step: 1, index: 0, dt: [1, 1, 1], texts: ["a", "b", "c", "d"] },
    }
    const rows = [
      turnStart(0, 1),
      stepStart(1, 1, 1),
      user(2, "a"),
      packed,
      user(7, "b", { sourceEventSeqs: [2], surfaceOp: { op: "replace", start: 2, end: 2 } }),
      mode(8),
    ]
    const path = folder.file("through", sessionLog("s", ...rows))
    for (let seq = 0; seq < 12; seq++)
      expect(expectEqualReadings(path, seq)).toMatchObject({
        report: { status: "ok", activity: { eventCount: Math.min(seq, 8) + 1 } },
      })
  })
})

interface Share {
  readonly path: string
  readonly share: number
}

/** Of the lines of a log behind its header, the share that the parser has to read. */
const fallbackShare = ({ file, path }: FoundLog): Share => {
  const bytes = readFileSync(file)
  const [, body = 0] = lineStarts(bytes)
  const { version } = JSON.parse(bytes.toString("utf8", 0, body)) as { version: FormatVersion }
  const whole = bytes.subarray(body, lineStarts(bytes).at(-1))
  const { fallbackCount, counts } = scanned(version, whole, { isFast: true })
  return { path, share: fallbackCount / Math.max(1, counts.lineCount) }
}

const above = (logs: readonly FoundLog[], limit: number): readonly Share[] =>
  logs.map(fallbackShare).filter(({ share }) => share > limit)

const meanShare = (logs: readonly FoundLog[]): number =>
  logs.reduce((sum, log) => sum + fallbackShare(log).share, 0) / logs.length

describe("the sample archive, scanned", () => {
  const { logs } = discover([samples])

  it.each(logs.map(({ path, file }) => [path, file] as const))("CO15: %s", (_, file) => {
    expectEqualReadings(file)
    expectEqualReadings(file, 40)
  })

  it("CO16: leaves few lines to the parser", () => {
    expect(new Set(logs.map(({ name }) => name?.version))).toStrictEqual(
      new Set(formats.map(({ version }) => version)),
    )
    expect(above(logs, 0.3)).toStrictEqual([])
    expect(meanShare(logs)).toBeLessThan(0.1)
  })
})

describeShared("the real logs of format 0, scanned", (shared) => {
  const { logs } = discover([`${shared}/archives/dsh-v0`])

  it("CO15: are read as by the parser", () => {
    expect(logs.length).toBe(98)
    for (const { file } of logs) expectEqualReadings(file)
  })

  it("CO16: leave few lines to the parser", () => {
    expect(above(logs, 0.3)).toStrictEqual([])
    expect(meanShare(logs)).toBeLessThan(0.1)
  })
})
