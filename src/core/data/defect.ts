/**
 * Stops on a broken precondition of our own code.
 *
 * Expected failures are values (`Refusal`); this is the one place of the core that throws.
 */
export const defect = (what: string): never => {
  throw new RangeError(`defect: ${what}`)
}

/** Marks a union as exhausted; reached only when a case was forgotten. */
export const absurd = (value: never): never => defect(`unexpected case ${String(value)}`)
