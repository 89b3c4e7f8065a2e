import { blameLog } from "../blame.ts"
import { blameReportRecord } from "../report/blame-record.ts"
import { blameText } from "../report/blame-text.ts"
import type { Cli } from "./context.ts"
import { jsonText } from "./json-text.ts"
import { tellEnd, withArgument } from "./one-log.ts"
import type { RequestsFlags } from "./request.ts"
import { requestOptions } from "./request.ts"

export async function runBlame(this: Cli, flags: RequestsFlags, argument: string): Promise<void> {
  const options = requestOptions(this, flags)
  const blamed = await withArgument(this, argument, (log) => blameLog(log, options))
  const record = blameReportRecord(blamed.report, blamed.rows)
  if (flags.json) await this.output.write(`${jsonText(this, record)}\n`)
  else if (flags.ndjson)
    for (const row of record.requests) await this.output.write(`${jsonText(this, row)}\n`)
  else await this.output.write(blameText(record))
  tellEnd(this, argument, blamed)
}
