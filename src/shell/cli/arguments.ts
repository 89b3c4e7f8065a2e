import { UsageError } from "../border.ts"

/**
 * Refuses arguments that the parser would take for something else: a flag with `=` and nothing
 * behind it, which it takes for a path, and names that every object has, which it takes for flags.
 */
export const checkArguments = (inputs: readonly string[]): void => {
  for (const input of inputs) {
    if (input === "--") return
    const flag = /^--([^=]*)(=?)(.*)$/s.exec(input)
    if (flag === null) continue
    const [, name = "", equals, value] = flag
    if (name in {}) throw new UsageError(`no flag registered for --${name}`)
    if (equals === "=" && value === "") throw new UsageError(`--${name}= has no value`)
  }
}
