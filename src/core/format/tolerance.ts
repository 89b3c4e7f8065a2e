import type { JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import type { Finding } from "../data/relation-refusal.ts"
import type { FormatVersion } from "./format.ts"

/** How much of a damaged log is read: as written, or as the agent's recoverable mode does. */
export type Tolerance = "default" | "recoverable"

const rowDamage: ReadonlySet<string> = new Set([
  "blank-line",
  "byte-order-mark",
  "invalid-utf8",
  "invalid-json",
  "not-lossless",
  "too-many-values",
  "row-not-object",
  "envelope-shape",
  "run-shape",
  "sources-shape",
  "seq-not-contiguous",
])

// since format 2 the storage form itself has no seq twice and none that is not earlier
const citationDamage: ReadonlySet<string> = new Set(["sources-repeated", "source-not-earlier"])

/**
 * Whether a refused row may be taken for the start of a torn tail in recoverable mode: damage of
 * the row itself, not a well-formed event that breaks a rule. At format 3 a missing or misshapen
 * surface marker counts as damage too.
 */
export const isRowDamage = ({ code }: Pick<Finding, "code">, version: FormatVersion): boolean =>
  rowDamage.has(code) ||
  (version >= 2 && citationDamage.has(code)) ||
  (version === 3 && (code === "surface-op-missing" || code === "surface-op-shape"))

/**
 * Whether a row shows that a turn was completed: damage before it lies in the committed region,
 * and dropping the rest of the log would lose what was promised.
 */
export const isCommitRow = (row: JsonValue): boolean =>
  isJsonObject(row) && ownValue(row, "type") === "turn/end"
