import { rmSync, writeFileSync } from "node:fs"
import { isUtf8 } from "node:buffer"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import type { LineText, LogOutcome, ReadingState } from "#core/fold/log-reading"
import { LogReading } from "#core/fold/log-reading"
import { outcomeReport } from "#core/fold/log-report"
import type { LineRange } from "#core/log/line-range"
import { builtInProjections } from "#core/surface/image-offload"
import { Pool } from "#shell/dispatch/pool"
import { ReplayCache } from "#shell/store/replay-cache"
import { discover } from "#shell/archive/discover"
import { replayLogs } from "#shell/dispatch/replay-logs"
import replayTask from "#workers/replay-task"
import type { ReplayedLog } from "#workers/task-protocol"
import { temporaryFolder } from "../test/shell/folder.ts"
import { bodies } from "./arbitraries/lines.ts"
import { brokenRowsOf, brokenSessions, rowsOf, sessions } from "./arbitraries/sessions.ts"
import { fewRuns } from "./scale.ts"
import { expectAllSeen } from "./seen.ts"

/** A log as bytes, and where its lines end. */
interface Written {
  readonly version: number
  readonly bytes: Buffer
  /** Behind the newline of each line, the header's first. */
  readonly ends: readonly number[]
}

const newline = Buffer.from("\n")

const written = (version: number, lines: readonly (Buffer | string)[], tail: string): Written => {
  const bytes = Buffer.concat([
    ...lines.flatMap((line) => [Buffer.from(line), newline]),
    Buffer.from(tail),
  ])
  const ends: number[] = []
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) ends.push(at + 1)
  return { version, bytes, ends }
}

const texts = (header: object, rows: readonly object[]): readonly string[] =>
  [header, ...rows].map((row) => JSON.stringify(row))

const tails = fc.constantFrom("", "", '{"type":', "\u0000", "{}")

/** Logs of every format: whole ones, ones with a refused row, with odd lines, with a torn end. */
const logs = (maxLength: number): fc.Arbitrary<Written> =>
  fc.oneof(
    {
      arbitrary: fc
        .tuple(sessions(maxLength), tails)
        .map(([session, tail]) =>
          written(session.version, texts(session.header, rowsOf(session)), tail),
        ),
      weight: 4,
    },
    brokenSessions(maxLength).map((session) =>
      written(session.version, texts(session.header, brokenRowsOf(session)), ""),
    ),
    bodies(maxLength).map(({ version, header, lines }) =>
      written(version, [JSON.stringify(header), ...lines], ""),
    ),
  )

/** A reading of the lines between two places, from a state or from the beginning. */
class Reading {
  readonly reading: LogReading
  private readonly log: Written

  constructor(log: Written) {
    this.log = log
    this.reading = new LogReading({
      projections: builtInProjections,
      throughSeq: Infinity,
      lineAt: ({ byteOffset, byteLength }) =>
        log.bytes.toString("utf8", byteOffset, byteOffset + byteLength),
      tolerance: "default",
      namedVersion: null,
    })
  }

  /** Takes the line with that number, 0 for the header; false where the log ends there. */
  line(i: number): boolean {
    const { bytes, ends } = this.log
    const from = i === 0 ? 0 : (ends[i - 1] ?? 0)
    const at: LineRange = { byteOffset: from, byteLength: (ends[i] ?? 0) - 1 - from }
    const line = bytes.subarray(from, from + at.byteLength)
    const text: LineText = isUtf8(line) ? line.toString("utf8") : { code: "invalid-utf8" }
    return this.reading.line(text, at)
  }

  /** Takes the lines from that number on, and the end of the log. */
  rest(first: number): LogOutcome {
    const { bytes, ends } = this.log
    for (let i = first; i < ends.length; i++) if (!this.line(i)) break
    const byteOffset = ends.at(-1) ?? 0
    return this.reading.finish({ byteOffset, byteLength: bytes.length - byteOffset })
  }
}

const viaText = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A

const folder = temporaryFolder()

const asked = {
  tolerance: "default",
  filter: { session: null, sinceMs: null, untilMs: null },
  withRequests: false,
  withDigest: true,
  withWatermarks: true,
} as const

describe("a log that is read in parts", () => {
  it("ST2: stored behind any line and gone on from = read in one go", () => {
    const seen = { ok: 0, refused: 0, torn: 0, inherited: 0, replaced: 0, projected: 0 }
    fc.assert(
      fc.property(logs(30), (log) => {
        const whole = new Reading(log)
        const states: ReadingState[] = []
        let taken = 0
        while (taken < log.ends.length && whole.line(taken)) {
          taken++
          const state = whole.reading.state()
          if (state !== null) states.push(viaText(state))
        }
        const outcome = whole.rest(log.ends.length)
        const expected = outcomeReport(outcome, log.bytes.length, null)
        const end = outcome.status === "refused" ? null : whole.reading.state()
        for (const [behind, state] of states.entries()) {
          const part = new Reading(log)
          part.line(0)
          expect(part.reading.resume(state)).toBe(true)
          expect(outcomeReport(part.rest(behind + 1), log.bytes.length, null)).toEqual(expected)
          if (end !== null) expect(part.reading.state()).toEqual(end)
          if (state.fold.counts.activity.inheritedEvents > 0) seen.inherited++
          if (state.fold.replaceGeneration > 0) seen.replaced++
          if (state.fold.projected.length > 0) seen.projected++
        }
        if (outcome.status in seen) seen[outcome.status as "ok"]++
      }),
      fewRuns(0.5),
    )
    expectAllSeen(seen)
  })

  it("ST2: the same on files, at the end of any line and in the middle of the next", async () => {
    const seen = { resumed: 0, torn: 0, whole: 0 }
    await fc.assert(
      fc.asyncProperty(logs(10), fc.nat(), async (log, n) => {
        const name = log.version === 0 ? "session.jsonl" : `session.v${log.version}.jsonl`
        const path = folder.file(`files/${name}`, log.bytes)
        const sources = [{ path, descriptor: null, namedVersion: log.version }]
        const replayed = async (watermark: ReplayedLog["watermark"]): Promise<ReplayedLog> => {
          const [reply] = await replayTask({ ...asked, sources, watermarks: [watermark ?? null] })
          if (reply === null || reply === undefined) throw new Error("no reply")
          return reply
        }
        const { report } = await replayed(null)
        for (const [i, end] of log.ends.entries()) {
          const next = log.ends[i + 1] ?? log.bytes.length
          for (const cut of [end, end + (n % Math.max(1, next - end))]) {
            writeFileSync(path, log.bytes.subarray(0, cut))
            const { watermark } = await replayed(null)
            writeFileSync(path, log.bytes)
            const again = await replayed(watermark)
            expect(again.report).toEqual(report)
            if (watermark === null || watermark === undefined) seen.whole++
            else if (cut === end) seen.resumed++
            else seen.torn++
          }
        }
      }),
      fewRuns(0.15),
    )
    expectAllSeen(seen)
  })
})

describe("a cache of replays", () => {
  const pool = new Pool(1)
  const { signal } = new AbortController()

  afterAll(() => pool.close())

  const everything = { digest: true, tokenizer: null, prices: null }

  it("ST2: over any growth of a log its record = that of a whole reading", async () => {
    let run = 0
    let known = 0
    await fc.assert(
      fc.asyncProperty(logs(10), fc.array(fc.nat(), { maxLength: 3 }), async (log, ns) => {
        run++
        const name = log.version === 0 ? "session.jsonl" : `session.v${log.version}.jsonl`
        const path = folder.at(`cached-${run}/p/s/${name}`)
        const cache = await ReplayCache.open(folder.at(`cache-${run}`), everything, () => {})
        if (cache === null) throw new Error("there is a cache")
        const recordOf = async (
          from: ReplayCache | null,
        ): Promise<{ readonly report: object; readonly readBytes: number }> => {
          const { logs: found } = discover([path])
          const results = replayLogs(pool, [found], { ...asked, signal, cache: from })
          for await (const { replayed } of results)
            return { report: replayed.report, readBytes: replayed.readBytes ?? -1 }
          throw new Error("no result")
        }
        const sizes = [...ns.map((n) => n % log.bytes.length), log.bytes.length]
        for (const size of sizes.sort((a, b) => a - b)) {
          folder.file(`cached-${run}/p/s/${name}`, log.bytes.subarray(0, size))
          const { report } = await recordOf(null)
          const first = await recordOf(cache)
          const second = await recordOf(cache)
          expect(first.report).toEqual(report)
          expect(second.report).toEqual(report)
          if (second.readBytes === 0) known++
        }
        cache.close()
        rmSync(folder.at(`cache-${run}`), { recursive: true })
      }),
      fewRuns(0.1),
    )
    expect(known).toBeGreaterThan(0)
  })
})
