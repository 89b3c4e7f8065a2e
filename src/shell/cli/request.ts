import type { ToolUpdateOption } from "../../core/request/tool-update.ts"
import type { FoundLog } from "../archive/discover.ts"
import { UsageError } from "../border.ts"
import { messageText } from "../report/message-text.ts"
import { requestRecord } from "../report/request-record.ts"
import type { RequestRecord } from "../report/request-record.ts"
import { requestHead, requestsText } from "../report/request-text.ts"
import type { RequestOptions, RequestsEnd } from "../requests.ts"
import { findRequest, listRequests, requestsFrom } from "../requests.ts"
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

/** Writes a record as JSON piece by piece: all messages in one text may be more than one can hold. */
const writeRecord = async (cli: Cli, { messages, ...rest }: RequestRecord): Promise<void> => {
  await cli.output.write(`${jsonText(cli, rest).slice(0, -1)},"messages":[`)
  for (const [i, message] of messages.entries())
    await cli.output.write(`${i === 0 ? "" : ","}${jsonText(cli, message)}`)
  await cli.output.write("]}")
}

export async function runRequest(this: Cli, flags: RequestFlags, argument: string): Promise<void> {
  const options = requestOptions(this, flags)
  const found = await withArgument(this, argument, (log) => findRequest(log, flags.at, options))
  if (found.request !== null) {
    const record = requestRecord(found.request, found.report, flags.toolUpdate ?? null)
    if (flags.json || flags.ndjson) {
      await writeRecord(this, record)
      await this.output.write("\n")
    } else {
      await this.output.write(requestHead(record))
      for (const [i, message] of record.messages.entries())
        await this.output.write(messageText(message, i + 1))
    }
  }
  tellEnd(this, argument, found)
}

/** Writes all requests whole; they are read page by page. */
const writeRequests = async (
  cli: Cli,
  flags: RequestsFlags,
  log: FoundLog,
): Promise<RequestsEnd> => {
  const options = requestOptions(cli, flags)
  let count = 0
  for (let index = 0; ;) {
    const page = await requestsFrom(log, options, index, async (request, report) => {
      if (flags.json) await cli.output.write(count === 0 ? "[" : ",")
      await writeRecord(cli, requestRecord(request, report, flags.toolUpdate ?? null))
      if (flags.ndjson) await cli.output.write("\n")
      count++
    })
    if (page.nextIndex === null) {
      if (flags.json) await cli.output.write(count === 0 ? "[]\n" : "]\n")
      return page
    }
    index = page.nextIndex
  }
}

export async function runRequests(
  this: Cli,
  flags: RequestsFlags,
  argument: string,
): Promise<void> {
  const options = requestOptions(this, flags)
  const end = await withArgument(this, argument, async (log) => {
    if (flags.json || flags.ndjson) return await writeRequests(this, flags, log)
    const listed = await listRequests(log, options)
    if (listed.report.status !== "unreadable")
      await this.output.write(requestsText(listed.requests))
    return listed
  })
  tellEnd(this, argument, end)
}
