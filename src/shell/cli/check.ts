import type { Discovery } from "../archive/discover.ts"
import { UsageError } from "../border.ts"
import { checkFound } from "../check.ts"
import type { CauseSums } from "../report/check-causes.ts"
import { addVerdict, noCauses } from "../report/check-causes.ts"
import type { FindingRecord, VerdictRecord } from "../report/check-record.ts"
import { checkText, logText } from "../report/check-text.ts"
import type { Cli } from "./context.ts"
import { withDiscovery } from "./discovery.ts"
import { jsonText } from "./json-text.ts"
import { exitStatus, statusOf } from "./status.ts"
import { versionFlag } from "./version-flag.ts"

export interface CheckFlags {
  readonly json: boolean
  readonly ndjson: boolean
  readonly color: boolean
  readonly recoverable: boolean
  readonly workers?: number
  readonly as?: number
}

/** Where the logs of a check go, one by one, and what it comes to. */
interface Sink {
  readonly log: (verdict: VerdictRecord, findings: readonly FindingRecord[]) => Promise<void>
  readonly end: (sums: CauseSums) => Promise<void>
}

const ndjsonSink = (cli: Cli): Sink => ({
  log: async (verdict, findings) => {
    for (const finding of findings) await cli.output.write(`${jsonText(cli, finding)}\n`)
    await cli.output.write(`${jsonText(cli, verdict)}\n`)
  },
  end: () => Promise.resolve(),
})

const jsonSink = (cli: Cli): Sink => {
  let separator = '{"schema":"refold.check/1","logs":['
  return {
    log: async (verdict, findings) => {
      await cli.output.write(separator + jsonText(cli, { ...verdict, findings }))
      separator = ","
    },
    end: async ({ logCount, statuses, upgrades, causes }) => {
      const opening = separator === "," ? "" : separator
      const sums = JSON.stringify({ logCount, statuses, upgrades: Object.fromEntries(upgrades) })
      await cli.output.write(`${opening}],"causes":${JSON.stringify(causes)},"totals":${sums}}\n`)
    },
  }
}

const textSink = (cli: Cli): Sink => {
  let hasLogs = false
  return {
    log: async (verdict, findings) => {
      hasLogs ||= findings.length > 0
      await cli.output.write(logText(verdict, findings))
    },
    end: async (sums) => cli.output.write(`${hasLogs ? "\n" : ""}${checkText(sums)}`),
  }
}

const sinkOf = (cli: Cli, flags: CheckFlags): Sink => {
  if (flags.json && flags.ndjson) throw new UsageError("--json and --ndjson exclude each other")
  return flags.ndjson ? ndjsonSink(cli) : flags.json ? jsonSink(cli) : textSink(cli)
}

const checkTo = async (
  cli: Cli,
  flags: CheckFlags,
  discovery: Discovery,
  sink: Sink,
): Promise<void> => {
  let sums = noCauses
  let findings: FindingRecord[] = []
  const records = checkFound(discovery, {
    workers: flags.workers,
    tolerance: flags.recoverable ? "recoverable" : "default",
    as: versionFlag(flags.as),
    signal: cli.signal,
  })
  for await (const record of records) {
    if (record.schema === "refold.finding/1") {
      findings.push(record)
      continue
    }
    sums = addVerdict(sums, record, findings)
    cli.raise(statusOf(record))
    if (findings.length > 0) cli.raise(exitStatus.findings)
    if (record.upgrade?.status === "unreadable") cli.raise(exitStatus.unreadable)
    await sink.log(record, findings)
    findings = []
  }
  await sink.end(sums)
}

export async function runCheck(
  this: Cli,
  flags: CheckFlags,
  ...paths: readonly string[]
): Promise<void> {
  const sink = sinkOf(this, flags)
  await withDiscovery(this, paths, (discovery) => checkTo(this, flags, discovery, sink))
}
