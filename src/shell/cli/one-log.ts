import type { LogReport } from "../../core/fold/log-report.ts"
import type { FoundLog } from "../archive/discover.ts"
import { discoverFile } from "../archive/discover.ts"
import { standardInput, withStandardInput } from "../archive/standard-input.ts"
import type { OneLogOptions, OpenFold } from "../one-log.ts"
import { withFold } from "../one-log.ts"
import { printableLine } from "../report/escape.ts"
import { refusalFields } from "../report/session-record.ts"
import { reportText } from "../report/refusal-text.ts"
import type { Cli } from "./context.ts"
import { statusOf } from "./status.ts"

/** How a log ended, and how it ends by its own format where it was read as another. */
interface LogEnd {
  readonly report: LogReport
  readonly native: LogReport | null
}

/** Says on standard error what was wrong with a log, and sets the status. */
export const tellEnd = (cli: Cli, argument: string, { report, native }: LogEnd): void => {
  const cause = reportText(report)
  if (cause !== null)
    cli.note(`${printableLine(argument)}: ${report.status}: ${printableLine(cause)}`)
  if (native !== null) {
    const ownCause = reportText(native)
    const own = `as format ${native.header?.formatVersion ?? "?"}`
    cli.note(
      `${printableLine(argument)}: ${own}: ${native.status}${ownCause === null ? "" : `: ${printableLine(ownCause)}`}`,
    )
  }
  cli.raise(statusOf({ status: report.status, ...refusalFields(report) }))
}

/** Hands the log of an argument to `use`: a file, or standard input. */
export const withArgument = async <A>(
  cli: Cli,
  argument: string,
  use: (log: FoundLog) => Promise<A>,
): Promise<A> =>
  argument === standardInput
    ? await withStandardInput(cli.input, cli.signal, use)
    : await use(discoverFile(argument))

/** Folds the log of an argument, hands it to `use`, and tells how it ended. */
export const withLogArgument = async (
  cli: Cli,
  argument: string,
  options: OneLogOptions,
  use: (fold: OpenFold) => Promise<void>,
): Promise<void> => {
  const all = { ...options, signal: cli.signal }
  await withArgument(cli, argument, (log) =>
    withFold(log, all, async (fold) => {
      await use(fold)
      tellEnd(cli, argument, { report: fold.folded.report, native: fold.native })
    }),
  )
}
