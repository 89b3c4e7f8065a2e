import { statSync } from "node:fs"
import { createColors } from "picocolors"
import type { Discovery, Skipped } from "../archive/discover.ts"
import { UsageError } from "../border.ts"
import type { ReplayAsked, ReplayOptions } from "../replay.ts"
import { replayAsked, replayFound } from "../replay.ts"
import { cacheFaultText } from "../report/cache-fault-text.ts"
import { counted, sessionsText, stepsText, totalsText } from "../report/replay-text.ts"
import type { SessionRecord, StepRecord } from "../report/session-record.ts"
import type { Totals } from "../report/totals.ts"
import { addSession, noTotals } from "../report/totals.ts"
import type { Cli } from "./context.ts"
import { withDiscovery } from "./discovery.ts"
import { jsonText } from "./json-text.ts"
import { OutFile } from "./out-file.ts"
import { progressBar } from "./progress.ts"
import { exitStatus, statusOf } from "./status.ts"

export interface ReplayFlags {
  readonly json: boolean
  readonly ndjson: boolean
  readonly color: boolean
  readonly recoverable: boolean
  readonly steps: boolean
  readonly digest: boolean
  readonly workers?: number
  readonly project?: string
  readonly session?: string
  readonly since?: string
  readonly until?: string
  readonly tz?: string
  readonly out?: string
  readonly cache?: string
  readonly verify: boolean
  readonly tokenizer?: string
  readonly prices?: string
}

/** Where the records of a replay go, while it runs and at its end. */
interface Sink {
  readonly record: (record: SessionRecord | StepRecord) => Promise<void>
  readonly end: (totals: Totals) => Promise<void>
}

const ndjsonSink = (cli: Cli): Sink => ({
  record: (record) => cli.output.write(`${jsonText(cli, record)}\n`),
  end: () => Promise.resolve(),
})

// written as it comes: an archive may have more records than fit into memory
const jsonSink = (cli: Cli): Sink => {
  let separator = '{"schema":"refold.replay/1","sessions":['
  const steps: StepRecord[] = []
  return {
    record: async (record) => {
      if (record.schema === "refold.step/1") {
        steps.push(record)
        return
      }
      await cli.output.write(separator + jsonText(cli, record))
      separator = ","
    },
    end: async (totals) => {
      const opening = separator === "," ? "" : separator
      const requests = steps.length === 0 ? "" : `,"steps":${jsonText(cli, steps)}`
      await cli.output.write(`${opening}]${requests},"totals":${JSON.stringify(totals)}}\n`)
    },
  }
}

const textSink = (cli: Cli, flags: ReplayFlags): Sink => {
  const sessions: SessionRecord[] = []
  const steps: StepRecord[] = []
  return {
    record: (record) => {
      if (record.schema === "refold.session/1") sessions.push(record)
      else steps.push(record)
      return Promise.resolve()
    },
    end: async (totals) => {
      const colours = createColors(flags.color && cli.colours && cli.isTerminal.output)
      if (sessions.length > 0) await cli.output.write(`${sessionsText(sessions, colours)}\n`)
      if (steps.length > 0) await cli.output.write(`${stepsText(steps)}\n`)
      await cli.output.write(totalsText(totals))
    },
  }
}

const sinkOf = (cli: Cli, flags: ReplayFlags): Sink => {
  if (flags.json && flags.ndjson) throw new UsageError("--json and --ndjson exclude each other")
  return flags.ndjson ? ndjsonSink(cli) : flags.json ? jsonSink(cli) : textSink(cli, flags)
}

const outFileOf = (path: string | undefined): OutFile | null => {
  if (path === undefined) return null
  if (!path.endsWith(".ndjson"))
    throw new UsageError(`--out writes .ndjson files so far, not "${path}"`)
  return new OutFile(path)
}

const noteSkipped = (cli: Cli, { otherFiles, links, superseded }: Skipped): void => {
  const parts = [
    otherFiles > 0 ? counted(otherFiles, "other file") : null,
    links > 0 ? counted(links, "link") : null,
    superseded > 0 ? counted(superseded, "older generation") : null,
  ].filter((part) => part !== null)
  if (parts.length > 0) cli.note(`skipped: ${parts.join(", ")}`)
}

// logs are only ever read, also where the result is asked to take the place of one
const refuseSource = ({ replaced }: OutFile, { logs }: Discovery): void => {
  if (replaced === null) return
  for (const { file } of logs) {
    const log = statSync(file, { throwIfNoEntry: false })
    if (log?.ino === replaced.ino && log.dev === replaced.dev)
      throw new UsageError(`--out would replace ${file}, which is to be read`)
  }
}

const replayTo = async (
  cli: Cli,
  flags: ReplayFlags,
  discovery: Discovery,
  asked: ReplayAsked,
  sink: Sink,
  file: OutFile | null,
): Promise<void> => {
  const progress = progressBar(cli.isTerminal.notes)
  let totals = noTotals
  let readBytes = 0
  try {
    const options: ReplayOptions = {
      ...flags,
      zone: flags.tz,
      tolerance: flags.recoverable ? "recoverable" : "default",
      signal: cli.signal,
      onRead: (bytes) => {
        readBytes += bytes
      },
      onCacheFault: (fault) => cli.note(cacheFaultText(fault)),
      onDiscovery: ({ logs, skipped }) => {
        noteSkipped(cli, skipped)
        progress.start(logs)
      },
    }
    const records = replayFound(discovery, options, asked)
    for await (const record of records) {
      if (record.schema === "refold.session/1") {
        progress.step()
        totals = addSession(totals, record)
        cli.raise(statusOf(record))
        // usage without a price is found, and never guessed at
        if ((record.cost?.unpriced.length ?? 0) > 0) cli.raise(exitStatus.findings)
      }
      file?.write(`${JSON.stringify(record)}\n`)
      await sink.record(record)
    }
  } finally {
    progress.stop()
  }
  if (flags.cache !== undefined) totals = { ...totals, readByteCount: readBytes }
  await sink.end(totals)
  // all is said before the file takes its place: who is interrupted until then finds the old one
  await cli.output.flush()
}

export async function runReplay(
  this: Cli,
  flags: ReplayFlags,
  ...paths: readonly string[]
): Promise<void> {
  const sink = sinkOf(this, flags)
  const asked = replayAsked(flags)
  const file = outFileOf(flags.out)
  try {
    await withDiscovery(this, paths, async (discovery) => {
      if (file !== null) refuseSource(file, discovery)
      await replayTo(this, flags, discovery, asked, sink, file)
    })
    file?.commit()
  } finally {
    file?.discard()
  }
}
