import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { JsonObject } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import { losslessCopy } from "../data/lossless-json.ts"
import type { LosslessFault } from "../data/lossless-json.ts"
import { isSafeInt } from "../data/count.ts"
import type { ShapeFault } from "../data/refusal.ts"
import type { LogHeader } from "../log/header.ts"
import { parseLine } from "../log/row.ts"
import { checkOf } from "../log/shape-check.ts"
import { any, boolean, count, exactly, leaf, record, string } from "../log/shape.ts"
import { nullable } from "./builtin/nullable.ts"
import type { ProjectionRows } from "./checkpoint.ts"
import type { IdentityRefusal, SessionIdentity } from "./session-identity.ts"
import { sessionIdentity } from "./session-identity.ts"

/** What is stored of a session: whose rows they are, and the rows. */
export interface ProjectionRecord {
  readonly identity: SessionIdentity
  readonly rows: ProjectionRows
}

/** Why rows are not stored. */
export type RecordRefusal =
  | IdentityRefusal
  /** The row knows of events that the log may lose. */
  | {
      readonly code: "row-ahead"
      readonly key: string
      readonly seq: number
      readonly durableSeq: number
    }
  | { readonly code: "row-shape"; readonly key: string; readonly fault: ShapeFault }
  | { readonly code: "state-not-lossless"; readonly key: string; readonly fault: LosslessFault }

/** Why a text is no record that can be read. */
export type RecordFault =
  | { readonly code: "record-version"; readonly version: number }
  | { readonly code: "record-damaged"; readonly fault: ShapeFault }

// stands for the form of a record: one of another version is not read
const recordVersion = 1

const identityShape = exactly({
  createdAtMs: count,
  cwd: nullable(string, "string"),
  formatVersion: count,
  isSeeded: boolean,
  inheritedEventCount: count,
})

const recordCheck = checkOf(exactly({ version: count, identity: identityShape, rows: record }))

const watermark = leaf("seq or -1", (value) => isSafeInt(value) && value >= -1)
const rowCheck = checkOf(exactly({ ver: count, seq: watermark, val: any }))

/** The first row that is none. */
const rowsFault = (
  rows: JsonObject,
): { readonly key: string; readonly fault: ShapeFault } | null => {
  for (const [key, row] of Object.entries(rows)) {
    const fault = rowCheck.fault(row)
    if (fault !== null) return { key, fault }
  }
  return null
}

/**
 * The text that is stored of a session.
 *
 * units   `durableSeq` is the seq of the last event that the log is sure to keep, −1 for none
 * errors  inherited-unseeded; row-ahead, so that what is stored never knows of more than the log;
 *         row-shape; state-not-lossless
 */
export const recordText = (
  header: LogHeader,
  inheritedEventCount: number,
  rows: ProjectionRows,
  durableSeq: number,
): Either<RecordRefusal, string> => {
  const identity = sessionIdentity(header, inheritedEventCount)
  if (isLeft(identity)) return identity
  const kept: (readonly [string, unknown])[] = []
  for (const [key, { ver, seq, val }] of Object.entries(rows)) {
    if (seq > durableSeq) return left({ code: "row-ahead", key, seq, durableSeq })
    kept.push([key, { ver, seq, val }])
  }
  const copy = losslessCopy({
    version: recordVersion,
    identity: identity.right,
    rows: Object.fromEntries(kept),
  })
  if (isLeft(copy)) {
    const { what, path } = copy.left
    const [, key, , ...inner] = path
    return left({ code: "state-not-lossless", key: String(key), fault: { what, path: inner } })
  }
  const stored = copy.right as JsonObject
  const fault = rowsFault(stored["rows"] as JsonObject)
  return fault === null ? right(JSON.stringify(stored)) : left({ code: "row-shape", ...fault })
}

/**
 * Reads a stored text.
 *
 * errors  record-version, record-damaged
 */
export const recordOf = (text: string): Either<RecordFault, ProjectionRecord> => {
  const parsed = parseLine(text)
  if (isLeft(parsed) || !isJsonObject(parsed.right))
    return left({ code: "record-damaged", fault: { path: [], expected: "object" } })
  const stored = parsed.right
  const version = ownValue(stored, "version")
  if (typeof version === "number" && version !== recordVersion)
    return left({ code: "record-version", version })
  const fault = recordCheck.fault(stored)
  if (fault !== null) return left({ code: "record-damaged", fault })
  const rows = stored["rows"] as JsonObject
  const odd = rowsFault(rows)
  if (odd !== null) {
    const { path, expected } = odd.fault
    return left({ code: "record-damaged", fault: { path: ["rows", odd.key, ...path], expected } })
  }
  const { identity } = stored as unknown as ProjectionRecord
  return right({ identity, rows: rows as unknown as ProjectionRows })
}
