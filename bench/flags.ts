import { parseArgs } from "node:util"
import { shapeNames } from "./generate/shapes.ts"

/** Parts of a run that can be asked for alone. */
const partNames = [
  ...shapeNames,
  "archive",
  "growth",
  "check",
  "request",
  "zstd",
  "surface-fold",
  "assembly",
  "token-fold",
  "cache",
] as const

type PartName = (typeof partNames)[number]

export interface BenchFlags {
  /** Bytes of each log, and of all logs of the archive together. */
  readonly size: number
  /** Parts to run. */
  readonly parts: ReadonlySet<PartName>
  readonly with5Gb: boolean
  readonly writesBaseline: boolean
}

/** Wrong usage; the message says what was expected. */
export class BenchUsageError extends Error {}

export const benchUsage = `Measures refold against its floor and against what must be shown.

  npm run bench -- [flags]

  --size N          bytes of each log and of the archive (default 1e9)
  --only NAME       one part, may be repeated: ${partNames.join(", ")}
  --5gb             also the memory of a log of 5 GB
  --write-baseline  keep the ratios in bench/baseline.json

  npm run bench:compare -- COMMIT COMMIT [--size N] [--rounds N]
`

/** Reads a whole number above 0, such as 200e6. */
export const countIn = (flag: string, text: string): number => {
  const value = text.trim() === "" ? Number.NaN : Number(text)
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new BenchUsageError(`--${flag} must be a whole number above 0, not "${text}"`)
}

const partNamed = (text: string): PartName => {
  const name = partNames.find((part) => part === text)
  if (name !== undefined) return name
  throw new BenchUsageError(`--only must be one of ${partNames.join(", ")}, not "${text}"`)
}

const options = {
  size: { type: "string", default: "1e9" },
  only: { type: "string", multiple: true },
  "5gb": { type: "boolean", default: false },
  "write-baseline": { type: "boolean", default: false },
} as const

/** errors  a BenchUsageError, with a sentence for the person who typed the words */
export const benchFlags = (args: readonly string[]): BenchFlags => {
  let values
  try {
    values = parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    throw new BenchUsageError(error instanceof Error ? error.message : String(error))
  }
  const only = values.only?.map(partNamed)
  if (only !== undefined && values["write-baseline"])
    throw new BenchUsageError("--write-baseline keeps whole runs, without --only")
  return {
    size: countIn("size", values.size),
    parts: new Set(only ?? partNames),
    with5Gb: values["5gb"],
    writesBaseline: values["write-baseline"],
  }
}
