import fc from "fast-check"

/** Runs of a law whose single cases are large: a share of the runs of all others. */
export const fewRuns = (share: number): { readonly numRuns: number } => ({
  numRuns: Math.max(1, Math.round((fc.readConfigureGlobal().numRuns ?? 100) * share)),
})

/** Numbers from 0 up to and without `below`, drawn from a seed: large cases need many of them. */
export const drawFrom = (seed: number): ((below: number) => number) => {
  let state = seed | 0
  return (below) => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
