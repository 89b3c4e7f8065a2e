import type { CommandContext, StricliProcess } from "@stricli/core"
import type { Output } from "./output.ts"
import type { ExitStatus } from "./status.ts"

/** What a command may touch of the world; handed in, so that commands are tested without a process. */
export interface Cli extends CommandContext {
  readonly process: StricliProcess
  /** The result. */
  readonly output: Output
  /** A note on standard error. */
  readonly note: (text: string) => void
  /** Standard input, for `-`. */
  readonly input: AsyncIterable<Uint8Array>
  readonly isTerminal: { readonly output: boolean; readonly notes: boolean }
  /** Whether the environment allows colours where a terminal shows them. */
  readonly colours: boolean
  /** Aborted by Ctrl-C and its like. */
  readonly signal: AbortSignal
  /** Raises the exit status of the process; the largest applies. */
  readonly raise: (status: ExitStatus) => void
  /** Ends the command for a cause: wrong usage, a closed pipe, an abort or a defect. */
  readonly fail: (cause: unknown) => void
}
