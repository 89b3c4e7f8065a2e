import type { Message } from "../../core/messages/event-message.ts"
import { UsageError } from "../border.ts"
import type { OpenFold } from "../one-log.ts"
import { messageText } from "../report/message-text.ts"
import type { Cli } from "./context.ts"
import { jsonText } from "./json-text.ts"
import { versionFlag } from "./version-flag.ts"
import { withLogArgument } from "./one-log.ts"

export interface MessagesFlags {
  readonly json: boolean
  readonly ndjson: boolean
  readonly color: boolean
  readonly recoverable: boolean
  readonly at?: string
  readonly as?: number
}

/** Writes messages one by one: an array, a line each, or as text. */
const writeMessages = async (
  cli: Cli,
  flags: MessagesFlags,
  messages: Iterable<Message>,
): Promise<void> => {
  let number = 0
  for (const message of messages) {
    number++
    if (flags.ndjson) await cli.output.write(`${jsonText(cli, message)}\n`)
    else if (flags.json)
      await cli.output.write(`${number === 1 ? "[" : ","}${jsonText(cli, message)}`)
    else await cli.output.write(messageText(message, number))
    // a long list must not keep Ctrl-C waiting
    cli.signal.throwIfAborted()
  }
  if (flags.json) await cli.output.write(number === 0 ? "[]\n" : "]\n")
}

const run = async (
  cli: Cli,
  flags: MessagesFlags,
  log: string,
  transcript: boolean,
  pick: (fold: OpenFold) => Iterable<Message>,
): Promise<void> => {
  if (flags.json && flags.ndjson) throw new UsageError("--json and --ndjson exclude each other")
  const options = {
    at: flags.at,
    as: versionFlag(flags.as),
    digest: false,
    transcript,
    tolerance: flags.recoverable ? ("recoverable" as const) : ("default" as const),
  }
  await withLogArgument(cli, log, options, (fold) => writeMessages(cli, flags, pick(fold)))
}

export async function runMessages(this: Cli, flags: MessagesFlags, log: string): Promise<void> {
  await run(this, flags, log, false, (fold) => fold.messages())
}

export async function runTranscript(this: Cli, flags: MessagesFlags, log: string): Promise<void> {
  await run(this, flags, log, true, (fold) => fold.transcript())
}
