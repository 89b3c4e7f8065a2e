import fc from "fast-check"

/** Any number would do; fixed, so that two runs of one commit try the same cases. */
const fixedSeed = 0x5eed
const fixedRuns = 200
const exploreFactor = 100

const explore = process.env["REFOLD_EXPLORE"] === "1"

fc.configureGlobal({
  seed: explore ? Number(process.env["REFOLD_SEED"]) : fixedSeed,
  numRuns: explore ? fixedRuns * exploreFactor : fixedRuns,
})
