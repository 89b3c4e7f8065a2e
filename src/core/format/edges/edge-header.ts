import { isCount } from "../../data/count.ts"
import type { JsonObject, JsonValue } from "../../data/json.ts"
import { ownValue } from "../../data/json.ts"

// the order in which writers put the fields of a header
const order = [
  "type",
  "version",
  "id",
  "createdAt",
  "cwd",
  "parentSession",
  "seedLength",
  "isSeeded",
  "origin",
  "delegationDepth",
  "agentPreset",
]

/** A header with some fields set anew, or left out where undefined; in the order of writers. */
export const headerWith = (
  header: JsonObject,
  changes: Readonly<Record<string, JsonValue | undefined>>,
): JsonObject =>
  Object.fromEntries(
    order.flatMap((key) => {
      const value = Object.hasOwn(changes, key) ? changes[key] : ownValue(header, key)
      return value === undefined ? [] : [[key, value] as const]
    }),
  )

/** What edges read of a header, also of a wrong one. */
export interface EdgeHeader {
  readonly id: string
  readonly createdAtMs: number
  readonly hasParent: boolean
  /** Number of inherited events where the header states it, otherwise null. */
  readonly seedLength: number | null
  readonly isSeeded: boolean
}

export const edgeHeaderOf = (header: JsonObject): EdgeHeader => {
  const id = ownValue(header, "id")
  const createdAt = ownValue(header, "createdAt")
  const seedLength = ownValue(header, "seedLength")
  return {
    id: typeof id === "string" ? id : "",
    createdAtMs: isCount(createdAt) ? createdAt : 0,
    hasParent: typeof ownValue(header, "parentSession") === "string",
    seedLength: isCount(seedLength) ? seedLength : null,
    isSeeded: isCount(seedLength) || ownValue(header, "isSeeded") === true,
  }
}
