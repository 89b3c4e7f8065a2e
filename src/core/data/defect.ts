/**
 * Stops on a broken precondition of our own code.
 *
 * Expected failures are values (`Refusal`); this is the one place of the core that throws.
 */
export const defect = (what: string): never => {
  throw new RangeError(`defect: ${what}`)
}
