import type { Cli } from "./context.ts"
import { formatNumber, text } from "./flags.ts"

type Run<Flags, Args extends readonly unknown[]> = (
  this: Cli,
  flags: Flags,
  ...args: Args
) => Promise<void>

/** A command whose failures go to `fail`, not into the text that the parser has for them. */
export const guarded = <Flags, Args extends readonly unknown[]>(
  run: Run<Flags, Args>,
): Run<Flags, Args> =>
  async function (this: Cli, flags, ...args) {
    try {
      await run.call(this, flags, ...args)
      await this.output.flush()
    } catch (cause) {
      this.fail(cause)
    }
  }

interface Argument {
  readonly brief: string
  readonly parse: (input: string) => string
  readonly placeholder: string
}

export const logArgument: {
  readonly kind: "tuple"
  readonly parameters: readonly [Argument]
} = {
  kind: "tuple",
  parameters: [{ brief: "A session log; - for standard input", parse: text, placeholder: "log" }],
}

export const pathArguments: {
  readonly kind: "array"
  readonly minimum: 1
  readonly parameter: Argument
} = {
  kind: "array",
  minimum: 1,
  parameter: {
    brief: "A log, a session directory, a sessions root or any folder; - for standard input",
    parse: text,
    placeholder: "path",
  },
}

interface OptionalFlag<A> {
  readonly kind: "parsed"
  readonly parse: (input: string) => A
  readonly brief: string
  readonly placeholder: string
  readonly optional: true
}

/** A flag for a format version. */
export const versionParameter = (brief: string): OptionalFlag<number> => ({
  kind: "parsed",
  parse: formatNumber,
  brief,
  placeholder: "n",
  optional: true,
})

export const atFlag: OptionalFlag<string> = {
  kind: "parsed",
  parse: text,
  brief: "End at a seq (42), a step (2.1) or an attempt (2.1.3)",
  placeholder: "address",
  optional: true,
}

export const asFlag: OptionalFlag<number> = versionParameter(
  "Read the log as one of this format, after the upgrade",
)
