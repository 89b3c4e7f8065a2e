import type { ApplicationText } from "@stricli/core"
import {
  ArgumentParseError,
  ArgumentScannerError,
  EnumValidationError,
  formatMessageForArgumentScannerError,
  text_en,
} from "@stricli/core"
import { printableLine } from "../report/escape.ts"

const reasonOf = (cause: unknown): string =>
  cause instanceof Error ? cause.message : String(cause)

/** What is wrong with the words of a command, as all other failures are told. */
const wrongWords = (cause: unknown): string => {
  if (cause instanceof ArgumentParseError)
    return `--${cause.externalFlagNameOrPlaceholder}: ${reasonOf(cause.exception)}`
  if (cause instanceof EnumValidationError)
    return `--${cause.externalFlagName}: "${cause.input}" is none of ${cause.values.join(", ")}`
  return cause instanceof ArgumentScannerError
    ? formatMessageForArgumentScannerError(cause, {})
    : reasonOf(cause)
}

const wrongCommand = (input: string, corrections: readonly string[]): string => {
  // nobody who writes -x means a command that looks like it
  const near = input.startsWith("-") ? [] : corrections
  const meant = near.length === 0 ? "" : `, did you mean ${near.join(" or ")}?`
  return `No command registered for \`${input}\`${meant}`
}

const told = (text: string): string => `refold: ${printableLine(text)}`

/** The texts of the parser, of which those about wrong usage begin as ours do. */
export const usageText: ApplicationText = {
  ...text_en,
  exceptionWhileParsingArguments: (cause) => told(wrongWords(cause)),
  noCommandRegisteredForInput: ({ input, corrections }) => told(wrongCommand(input, corrections)),
}
