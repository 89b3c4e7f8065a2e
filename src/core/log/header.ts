import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { isCount } from "../data/count.ts"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { RowRefusal } from "../data/refusal.ts"
import { formatOfVersion, newestVersion } from "../format/catalog.ts"
import type { Format } from "../format/format.ts"

/** The first row of a log: whose it is, and which format its rows have. */
export interface LogHeader {
  readonly format: Format
  readonly id: string
  readonly createdAtMs: number
  readonly delegationDepth: number
  readonly cwd: string | null
  readonly parentSession: string | null
  readonly origin: string | null
  readonly agentPreset: string | null
  /** Whether the log begins with events that it took over from another session. */
  readonly isSeeded: boolean
  /** Their number where the header states it (formats 0 and 1), otherwise null. */
  readonly seedLength: number | null
}

const textOf = (header: JsonObject, key: string): string | null => {
  const value = ownValue(header, key)
  return typeof value === "string" ? value : null
}

const numberOf = (header: JsonObject, key: string): number | null => {
  const value = ownValue(header, key)
  return typeof value === "number" ? value : null
}

/**
 * Reads a parsed first line.
 *
 * errors  not-a-log, version-unsupported, header-field
 */
export const headerOf = (value: JsonValue): Either<RowRefusal, LogHeader> => {
  if (!isJsonObject(value) || ownValue(value, "type") !== "session")
    return left({ code: "not-a-log" })
  const version = ownValue(value, "version")
  if (!isCount(version))
    return left({ code: "header-field", fault: { path: ["version"], expected: "count" } })
  const format = formatOfVersion(version)
  if (format === null) return left({ code: "version-unsupported", version, newest: newestVersion })
  const retired = format.rules.retiredHeaderKeys.find((key) => Object.hasOwn(value, key))
  const fault =
    retired === undefined ? format.header.fault(value) : { path: [retired], expected: "nothing" }
  if (fault !== null) return left({ code: "header-field", fault })
  const seedLength = numberOf(value, "seedLength")
  return right({
    format,
    id: textOf(value, "id") ?? "",
    createdAtMs: numberOf(value, "createdAt") ?? 0,
    delegationDepth: numberOf(value, "delegationDepth") ?? 0,
    cwd: textOf(value, "cwd"),
    parentSession: textOf(value, "parentSession"),
    origin: textOf(value, "origin"),
    agentPreset: textOf(value, "agentPreset"),
    isSeeded:
      format.rules.inheritedCut === "header"
        ? seedLength !== null
        : ownValue(value, "isSeeded") === true,
    seedLength,
  })
}
