import { UsageError } from "../border.ts"
import type { OpenFold } from "../one-log.ts"
import { promptsHead } from "../report/prompt-record.ts"
import { promptRow, promptsText } from "../report/prompt-text.ts"
import type { Cli } from "./context.ts"
import { jsonText } from "./json-text.ts"
import type { MessagesFlags } from "./messages.ts"
import { withLogArgument } from "./one-log.ts"
import { versionFlag } from "./version-flag.ts"

/** Writes the prompts one by one: their texts may be long, and there may be many. */
const writeRecords = async (cli: Cli, { json }: MessagesFlags, fold: OpenFold): Promise<void> => {
  const { output } = cli
  if (json)
    await output.write(`${jsonText(cli, promptsHead(fold.folded.report)).slice(0, -1)},"prompts":[`)
  let isFirst = true
  for (const record of fold.prompts()) {
    const text = jsonText(cli, record)
    await output.write(json ? `${isFirst ? "" : ","}${text}` : `${text}\n`)
    isFirst = false
    // a long list must not keep Ctrl-C waiting
    cli.signal.throwIfAborted()
  }
  if (json) await output.write("]}\n")
}

export async function runPrompts(this: Cli, flags: MessagesFlags, log: string): Promise<void> {
  if (flags.json && flags.ndjson) throw new UsageError("--json and --ndjson exclude each other")
  const options = {
    at: flags.at,
    as: versionFlag(flags.as),
    digest: false,
    prompts: true,
    tolerance: flags.recoverable ? ("recoverable" as const) : ("default" as const),
  }
  await withLogArgument(this, log, options, async (fold) => {
    if (flags.json || flags.ndjson) await writeRecords(this, flags, fold)
    else if (fold.folded.report.status !== "unreadable")
      await this.output.write(promptsText(Array.from(fold.prompts(), promptRow)))
  })
}
