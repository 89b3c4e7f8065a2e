import { createHash } from "node:crypto"
import { notStartedText } from "../../core/format/closers.ts"
import { UsageError } from "../border.ts"
import { discoverFile } from "../archive/discover.ts"
import { readOptionFile } from "../archive/option-file.ts"
import { standardInput, withStandardInput } from "../archive/standard-input.ts"
import type { RecoverOptions } from "../recover.ts"
import { recoverFound } from "../recover.ts"
import { outcomeUnknown } from "../recoverer.ts"
import { printableLine } from "../report/escape.ts"
import type { RecoveryRecord } from "../report/recovery-record.ts"
import { recoveryText } from "../report/recovery-text.ts"
import type { Cli } from "./context.ts"
import { jsonText } from "./json-text.ts"
import type { ExitStatus } from "./status.ts"
import { exitStatus, statusIn } from "./status.ts"

export interface RecoverFlags {
  readonly json: boolean
  readonly ndjson: boolean
  readonly color: boolean
  readonly out: string
  readonly openTurn: "keep" | "cut" | "close"
  readonly notStartedText?: string
}

const statuses: Readonly<Record<RecoveryRecord["status"], ExitStatus>> = {
  recovered: exitStatus.ok,
  whole: exitStatus.ok,
  refused: exitStatus.findings,
  exists: exitStatus.findings,
  unreadable: exitStatus.unreadable,
  unwritten: exitStatus.failure,
}

/** The text of calls that were never started, which readers know by its digest. */
const notStartedIn = (file: string): string => {
  const text = readOptionFile(file).toString("utf8")
  const hash = createHash("sha256").update(text, "utf8").digest("hex")
  if (hash !== notStartedText.sha256)
    throw new UsageError(
      `${file} is not the text that readers know: its SHA-256 should be ${notStartedText.sha256}`,
    )
  return text
}

export async function runRecover(this: Cli, flags: RecoverFlags, log: string): Promise<void> {
  if (flags.json && flags.ndjson) throw new UsageError("--json and --ndjson exclude each other")
  const { out, openTurn, notStartedText: file } = flags
  const notStarted = file === undefined ? null : notStartedIn(file)
  const options: RecoverOptions = {
    out,
    openTurn,
    texts: { notStarted, outcomeUnknown },
    signal: this.signal,
  }
  const record =
    log === standardInput
      ? await withStandardInput(this.input, this.signal, (found) => recoverFound(found, options))
      : await recoverFound(discoverFile(log), options)
  this.raise(statusIn(statuses, record))
  await this.output.write(
    flags.json || flags.ndjson
      ? `${jsonText(this, record)}\n`
      : recoveryText(record, (text) => printableLine(text)),
  )
}
