import { requestDiff } from "../../core/request/request-diff.ts"
import { diffRecord } from "../report/diff-record.ts"
import { diffText } from "../report/diff-text.ts"
import { findRequests } from "../requests.ts"
import type { Cli } from "./context.ts"
import { jsonText } from "./json-text.ts"
import { tellEnd, withArgument } from "./one-log.ts"
import type { RequestsFlags } from "./request.ts"
import { requestOptions } from "./request.ts"
import { exitStatus } from "./status.ts"

export async function runDiff(
  this: Cli,
  flags: RequestsFlags,
  argument: string,
  a: string,
  b: string,
): Promise<void> {
  const options = requestOptions(this, flags)
  const [before, after] = await withArgument(this, argument, (log) =>
    findRequests(log, [a, b], options),
  )
  if (before.request !== null && after.request !== null) {
    const diff = requestDiff(before.request, after.request)
    const record = diffRecord(before.request, after.request, diff, before.report)
    await this.output.write(
      flags.json || flags.ndjson ? `${jsonText(this, record)}\n` : diffText(record),
    )
    if (!record.isSame) this.raise(exitStatus.findings)
  }
  tellEnd(this, argument, after)
}
