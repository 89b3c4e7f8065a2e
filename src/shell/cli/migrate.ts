import { UsageError } from "../border.ts"
import type { Discovery } from "../archive/discover.ts"
import { migrateFound } from "../migrate.ts"
import type { MigrationRecord } from "../report/migration-record.ts"
import { migrationText, migrationsText } from "../report/migration-text.ts"
import type { Cli } from "./context.ts"
import { withDiscovery } from "./discovery.ts"
import { jsonText } from "./json-text.ts"
import type { ExitStatus } from "./status.ts"
import { exitStatus, statusIn } from "./status.ts"
import { versionFlag } from "./version-flag.ts"

export interface MigrateFlags {
  readonly json: boolean
  readonly ndjson: boolean
  readonly color: boolean
  readonly out?: string
  readonly to?: number
  readonly dryRun: boolean
  readonly workers?: number
}

const statuses: Readonly<Record<MigrationRecord["status"], ExitStatus>> = {
  migrated: exitStatus.ok,
  current: exitStatus.ok,
  newer: exitStatus.ok,
  refused: exitStatus.findings,
  exists: exitStatus.findings,
  unreadable: exitStatus.unreadable,
  unwritten: exitStatus.failure,
}

const migrateTo = async (cli: Cli, flags: MigrateFlags, discovery: Discovery): Promise<void> => {
  const all: MigrationRecord[] = []
  let separator = '{"schema":"refold.migrate/1","migrations":['
  const records = migrateFound(discovery, {
    to: versionFlag(flags.to),
    out: flags.dryRun ? undefined : flags.out,
    workers: flags.workers,
    signal: cli.signal,
  })
  for await (const record of records) {
    cli.raise(statusIn(statuses, record))
    if (flags.ndjson) await cli.output.write(`${jsonText(cli, record)}\n`)
    else if (flags.json) {
      await cli.output.write(separator + jsonText(cli, record))
      separator = ","
    } else {
      await cli.output.write(migrationText(record))
      all.push({ ...record, seqMap: null, causes: [] })
    }
  }
  if (flags.json) await cli.output.write(separator === "," ? "]}\n" : `${separator}]}\n`)
  else if (!flags.ndjson) await cli.output.write(migrationsText(all))
}

export async function runMigrate(
  this: Cli,
  flags: MigrateFlags,
  ...paths: readonly string[]
): Promise<void> {
  if (flags.json && flags.ndjson) throw new UsageError("--json and --ndjson exclude each other")
  if (flags.out === undefined && !flags.dryRun)
    throw new UsageError("say where new logs go with --out DIR, or only try with --dry-run")
  await withDiscovery(this, paths, (discovery) => migrateTo(this, flags, discovery))
}
