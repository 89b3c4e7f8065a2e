import { rmSync } from "node:fs"
import fc from "fast-check"
import { afterAll, describe, expect, it } from "vitest"
import type { FoundLog } from "#shell/archive/discover"
import { discover } from "#shell/archive/discover"
import { Pool } from "#shell/dispatch/pool"
import { replayLogs } from "#shell/dispatch/replay-logs"
import { sessionRecord, stepRecord } from "#shell/report/session-record"
import foldTask from "#workers/fold-task"
import replayTask from "#workers/replay-task"
import type { FoldRequest, LogSource, ReplayedLog } from "#workers/task-protocol"
import { temporaryFolder } from "../test/shell/folder.ts"
import type { Session } from "./arbitraries/sessions.ts"
import { brokenRowsOf, brokenSessions, rowsOf, sessions } from "./arbitraries/sessions.ts"
import { fewRuns } from "./scale.ts"

const folder = temporaryFolder()

const asked = {
  tolerance: "default",
  filter: { session: null, sinceMs: null, untilMs: null },
  withRequests: true,
  withDigest: true,
} as const

const textOf = (session: Session, rows: readonly object[], tail: string): string =>
  [session.header, ...rows].map((row) => `${JSON.stringify(row)}\n`).join("") + tail

const tails = fc.constantFrom("", "", '{"type":', "\n", "\u0000\n", "{}")

/** A log as bytes: whole, with a refused row, or with something wrong at its end. */
const logs: fc.Arbitrary<{ readonly version: number; readonly text: string }> = fc.oneof(
  fc.record({ session: sessions(12), tail: tails }).map(({ session, tail }) => ({
    version: session.version,
    text: textOf(session, rowsOf(session), tail),
  })),
  brokenSessions(12).map((session) => ({
    version: session.version,
    text: textOf(session, brokenRowsOf(session), ""),
  })),
  fc.constantFrom("", "hello\n").map((text) => ({ version: 0, text })),
)

const archives = fc.record({
  logs: fc.array(logs, { minLength: 1, maxLength: 6 }),
  // where one batch ends and the next begins
  cuts: fc.array(fc.boolean(), { minLength: 6, maxLength: 6 }),
})

const batchesAt = (
  found: readonly FoundLog[],
  cuts: readonly boolean[],
): readonly (readonly FoundLog[])[] => {
  const batches: FoundLog[][] = [[]]
  for (const [i, log] of found.entries()) {
    if (cuts[i] === true) batches.push([])
    batches.at(-1)?.push(log)
  }
  return batches.filter((batch) => batch.length > 0)
}

const sourceOf = (log: FoundLog): LogSource => ({
  path: log.file,
  descriptor: null,
  namedVersion: log.name?.version ?? null,
})

const recordsOf = (log: FoundLog, replayed: ReplayedLog): readonly object[] => {
  const session = sessionRecord(log, replayed.report)
  return [session, ...replayed.requests.map((request) => stepRecord(session, request))]
}

/** Writes an archive, finds it as the commands do, and removes it again. */
const withArchive = async <A>(
  archive: readonly { readonly version: number; readonly text: string }[],
  use: (found: readonly FoundLog[]) => Promise<A>,
): Promise<A> => {
  for (const [i, { version, text }] of archive.entries()) {
    const name = version === 0 ? "session.jsonl" : `session.v${version}.jsonl`
    folder.file(`archive/p/s${i}/${name}`, text)
  }
  try {
    return await use(discover([folder.at("archive")]).logs)
  } finally {
    rmSync(folder.at("archive"), { recursive: true })
  }
}

describe("workers", () => {
  const { signal } = new AbortController()
  const pools = [1, 2, 3].map((workers) => new Pool(workers))

  afterAll(async () => {
    for (const pool of pools) await pool.close()
  })

  it("W11: records are the same for any number of workers, any cut, and in this process", async () => {
    await fc.assert(
      fc.asyncProperty(archives, async (archive) => {
        await withArchive(archive.logs, async (found) => {
          const replies = await replayTask({ ...asked, sources: found.map(sourceOf) })
          const here = replies.flatMap((each, i) => {
            const log = found[i]
            return each === null || log === undefined ? [] : recordsOf(log, each)
          })
          expect(here.length).toBeGreaterThanOrEqual(archive.logs.length)
          const batches = batchesAt(found, archive.cuts)
          for (const pool of pools) {
            const records: object[] = []
            const results = replayLogs(pool, batches, { ...asked, signal })
            for await (const { log, replayed } of results)
              for (const record of recordsOf(log, replayed)) records.push(record)
            expect(records).toStrictEqual(here)
          }
        })
      }),
      fewRuns(0.15),
    )
  })

  it("W11: folds are the same, and agree with the replay", async () => {
    const [pool] = pools
    if (pool === undefined) throw new Error("there are pools")
    await fc.assert(
      fc.asyncProperty(logs, fc.option(fc.nat({ max: 30 })), async (log, seq) => {
        await withArchive([log], async (found) => {
          const [source] = found.map(sourceOf)
          if (source === undefined) throw new Error("there is a log")
          const request: FoldRequest = {
            source,
            tolerance: "default",
            at: seq === null ? null : { is: "seq", seq },
            withDigest: true,
            withTranscript: true,
          }
          const here = foldTask(request)
          expect(await pool.run("fold-task", request, signal)).toStrictEqual(here)
          const [whole] = await replayTask({ ...asked, sources: [source] })
          if (here.is === "beyond" || seq === null)
            expect(here.report.status).toBe(whole?.report.status)
          if (seq === null) expect(here.report).toStrictEqual(whole?.report)
          else if (here.is === "folded")
            expect(here.report.activity?.eventCount ?? 0).toBeLessThanOrEqual(seq + 1)
        })
      }),
      fewRuns(0.25),
    )
  })
})
