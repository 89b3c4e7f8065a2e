import type { ToolUpdateOption } from "../../core/request/tool-update.ts"
import { UsageError } from "../border.ts"
import { requestRecord } from "../report/request-record.ts"
import type { RequestLine } from "../report/request-text.ts"
import { requestLine, requestsText, requestText } from "../report/request-text.ts"
import type { RequestOptions, RequestsEnd } from "../requests.ts"
import { findRequest, requestsFrom } from "../requests.ts"
import type { Cli } from "./context.ts"
import { jsonText } from "./json-text.ts"
import { tellEnd, withArgument } from "./one-log.ts"
import { versionFlag } from "./version-flag.ts"

export interface RequestsFlags {
  readonly json: boolean
  readonly ndjson: boolean
  readonly color: boolean
  readonly recoverable: boolean
  readonly toolUpdate?: ToolUpdateOption
  readonly as?: number
}

export interface RequestFlags extends RequestsFlags {
  readonly at?: string
}

/** The options that flags stand for. */
export const requestOptions = (cli: Cli, flags: RequestsFlags): RequestOptions => {
  if (flags.json && flags.ndjson) throw new UsageError("--json and --ndjson exclude each other")
  return {
    as: versionFlag(flags.as),
    toolUpdate: flags.toolUpdate,
    tolerance: flags.recoverable ? "recoverable" : "default",
    signal: cli.signal,
  }
}

export async function runRequest(this: Cli, flags: RequestFlags, argument: string): Promise<void> {
  const options = requestOptions(this, flags)
  const found = await withArgument(this, argument, (log) => findRequest(log, flags.at, options))
  if (found.request !== null) {
    const record = requestRecord(found.request, found.report, flags.toolUpdate ?? null)
    await this.output.write(
      flags.json || flags.ndjson ? `${jsonText(this, record)}\n` : requestText(record),
    )
  }
  tellEnd(this, argument, found)
}

export async function runRequests(
  this: Cli,
  flags: RequestsFlags,
  argument: string,
): Promise<void> {
  const options = requestOptions(this, flags)
  const lines: RequestLine[] = []
  let count = 0
  const end = await withArgument(this, argument, async (log): Promise<RequestsEnd> => {
    for (let index = 0; ;) {
      const page = await requestsFrom(log, options, index, async (request, report) => {
        const record = requestRecord(request, report, flags.toolUpdate ?? null)
        count++
        if (flags.ndjson) await this.output.write(`${jsonText(this, record)}\n`)
        else if (flags.json)
          await this.output.write(`${count === 1 ? "[" : ","}${jsonText(this, record)}`)
        else lines.push(requestLine(record))
      })
      if (page.nextIndex === null) return page
      index = page.nextIndex
    }
  })
  if (flags.json) await this.output.write(count === 0 ? "[]\n" : "]\n")
  else if (!flags.ndjson && end.report.status !== "unreadable")
    await this.output.write(requestsText(lines))
  tellEnd(this, argument, end)
}
