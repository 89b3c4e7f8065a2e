import { UsageError } from "../border.ts"
import { foldRecord } from "../report/fold-record.ts"
import { foldText } from "../report/fold-text.ts"
import type { Cli } from "./context.ts"
import { jsonText } from "./json-text.ts"
import { versionFlag } from "./version-flag.ts"
import { withLogArgument } from "./one-log.ts"

export interface FoldFlags {
  readonly json: boolean
  readonly ndjson: boolean
  readonly color: boolean
  readonly recoverable: boolean
  readonly digest: boolean
  readonly at?: string
  readonly as?: number
}

export async function runFold(this: Cli, flags: FoldFlags, log: string): Promise<void> {
  if (flags.json && flags.ndjson) throw new UsageError("--json and --ndjson exclude each other")
  const options = {
    at: flags.at,
    as: versionFlag(flags.as),
    digest: flags.digest,
    tolerance: flags.recoverable ? ("recoverable" as const) : ("default" as const),
  }
  await withLogArgument(this, log, options, async ({ folded, native }) => {
    const record = foldRecord(folded, native)
    // one record: one document is one line as well
    await this.output.write(
      flags.json || flags.ndjson ? `${jsonText(this, record)}\n` : foldText(record, folded),
    )
  })
}
