import { parseArgs } from "node:util"
import type { ArchiveRequest } from "./archive.ts"
import type { BigLogRequest } from "./big-log.ts"
import { formatVersions, type FormatVersion } from "./dialect.ts"
import { shapeNames, type ShapeName } from "./shapes.ts"

/** What the command line asks for. */
export type Task =
  | { readonly kind: "help" | "samples" }
  | ({ readonly kind: "log"; readonly out: string; readonly expect: string | null } & BigLogRequest)
  | ({
      readonly kind: "archive"
      readonly root: string
      readonly expect: string | null
    } & ArchiveRequest)

/** Wrong usage; the message says what was expected. */
export class UsageError extends Error {}

export const usage = `Writes made-up session logs.

  npm run generate -- --out FILE      one log
  npm run generate -- --archive DIR   many logs, as a sessions root; DIR must be empty or missing
  npm run generate -- --samples       samples/ and the expectations committed beside this script

  --shape NAME    ${shapeNames.join(", ")} (default mixed)
  --format N      ${formatVersions.join(", ")} (default 0)
  --seed N        same seed, same bytes (default 1)
  --bytes N       size, of each log with --archive, such as 100e6 (default 100e6, 200e3 with --archive)
  --count N       how many logs, with --archive only (default 100)
  --expect FILE   also writes what a reader must find in each log
`

const options = {
  out: { type: "string" },
  archive: { type: "string" },
  samples: { type: "boolean" },
  shape: { type: "string" },
  format: { type: "string" },
  seed: { type: "string" },
  bytes: { type: "string" },
  count: { type: "string" },
  expect: { type: "string" },
  help: { type: "boolean" },
} as const

const countOf = (flag: string, text: string | undefined, otherwise: number): number => {
  if (text === undefined) return otherwise
  const value = text.trim() === "" ? Number.NaN : Number(text)
  if (!Number.isSafeInteger(value) || value < 1) {
    throw new UsageError(`--${flag} must be a whole number above 0, such as 200e3, not "${text}"`)
  }
  return value
}

const seedOf = (text: string | undefined): number => {
  const seed = Number(text ?? "1")
  if (Number.isSafeInteger(seed) && seed >= 0 && text?.trim() !== "") return seed
  throw new UsageError(`--seed must be a whole number, not "${text ?? ""}"`)
}

const shapeNamed = (text: string): ShapeName => {
  const name = shapeNames.find((shape) => shape === text)
  if (name !== undefined) return name
  throw new UsageError(`--shape must be one of ${shapeNames.join(", ")}, not "${text}"`)
}

const formatNamed = (text: string): FormatVersion => {
  const format = formatVersions.find((version) => String(version) === text)
  if (format !== undefined) return format
  throw new UsageError(`--format must be one of ${formatVersions.join(", ")}, not "${text}"`)
}

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: false }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/**
 * The task behind the words of a command line.
 *
 * errors  UsageError, with a sentence for the person who typed them
 */
export const parseTask = (args: readonly string[]): Task => {
  const flags = parse(args)
  if (flags.help === true) return { kind: "help" }
  const { out, archive, samples } = flags
  const targets = [out, archive, samples].filter((target) => target !== undefined)
  if (targets.length !== 1) {
    throw new UsageError("give exactly one of --out FILE, --archive DIR, --samples")
  }
  if (samples === true) {
    if (Object.keys(flags).length > 1) throw new UsageError("--samples takes no other flag")
    return { kind: "samples" }
  }
  const expect = flags.expect ?? null
  const common = {
    shape: shapeNamed(flags.shape ?? "mixed"),
    format: formatNamed(flags.format ?? "0"),
    seed: seedOf(flags.seed),
  }
  if (out !== undefined) {
    if (flags.count !== undefined) throw new UsageError("--count needs --archive")
    return { kind: "log", out, expect, ...common, bytes: countOf("bytes", flags.bytes, 100e6) }
  }
  return {
    kind: "archive",
    root: archive ?? "",
    expect,
    ...common,
    bytes: countOf("bytes", flags.bytes, 200e3),
    count: countOf("count", flags.count, 100),
  }
}
