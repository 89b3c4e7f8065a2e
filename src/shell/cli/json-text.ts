import { printableJson } from "../report/escape.ts"
import type { Cli } from "./context.ts"

/** A value as JSON, safe to print where it goes to a terminal. */
export const jsonText = (cli: Cli, value: unknown): string => {
  const json = JSON.stringify(value)
  return cli.isTerminal.output ? printableJson(json) : json
}
