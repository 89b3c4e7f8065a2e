import { discoverFile } from "../archive/discover.ts"
import { standardInput, withStandardInput } from "../archive/standard-input.ts"
import type { OneLogOptions, OpenFold } from "../one-log.ts"
import { withFold } from "../one-log.ts"
import { printableLine } from "../report/escape.ts"
import { foldRecord } from "../report/fold-record.ts"
import { reportText } from "../report/refusal-text.ts"
import type { Cli } from "./context.ts"
import { statusOf } from "./status.ts"

/** Folds the log of an argument, says on standard error what was wrong with it, and sets the status. */
export const withLogArgument = async (
  cli: Cli,
  argument: string,
  options: OneLogOptions,
  use: (fold: OpenFold) => Promise<void>,
): Promise<void> => {
  const all = { ...options, signal: cli.signal }
  const finish = async (fold: OpenFold): Promise<void> => {
    await use(fold)
    const { report } = fold.folded
    const cause = reportText(report)
    if (cause !== null)
      cli.note(`${printableLine(argument)}: ${report.status}: ${printableLine(cause)}`)
    const { native } = fold
    if (native !== null) {
      const ownCause = reportText(native)
      const own = `as format ${native.header?.formatVersion ?? "?"}`
      cli.note(
        `${printableLine(argument)}: ${own}: ${native.status}${ownCause === null ? "" : `: ${printableLine(ownCause)}`}`,
      )
    }
    cli.raise(statusOf(foldRecord(fold.folded)))
  }
  if (argument === standardInput)
    await withStandardInput(cli.input, cli.signal, (log) => withFold(log, all, finish))
  else await withFold(discoverFile(argument), all, finish)
}
