import { foldRecord } from "../report/fold-record.ts"
import { foldText } from "../report/fold-text.ts"
import type { Cli } from "./context.ts"
import { withLogArgument } from "./one-log.ts"

export interface FoldFlags {
  readonly json: boolean
  readonly color: boolean
  readonly recoverable: boolean
  readonly digest: boolean
  readonly at?: string
}

export async function runFold(this: Cli, flags: FoldFlags, log: string): Promise<void> {
  const options = {
    at: flags.at,
    digest: flags.digest,
    tolerance: flags.recoverable ? ("recoverable" as const) : ("default" as const),
  }
  await withLogArgument(this, log, options, async ({ folded }) => {
    const record = foldRecord(folded)
    await this.output.write(flags.json ? `${JSON.stringify(record)}\n` : foldText(record, folded))
  })
}
