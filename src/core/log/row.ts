import type { Either } from "fp-ts/lib/Either.js"
import { isLeft, left, right } from "fp-ts/lib/Either.js"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonObject, ownValue } from "../data/json.ts"
import { parsedFault } from "../data/lossless-json.ts"
import type { EnvelopeRefusal, RowRefusal } from "../data/refusal.ts"
import type { Format } from "../format/format.ts"
import { envelopeFacts } from "./envelope.ts"
import type { EventFacts } from "./event-facts.ts"
import { isRunType, runFacts } from "./packed-run.ts"
import { hasTooManyValues, maxValues } from "./value-count.ts"

/** One line of the body of a log, read: what planning needs of it, and the payload. */
export interface LogRow {
  readonly facts: EventFacts
  /** The payload of the event, or of the whole packed run. */
  readonly data: JsonValue
  readonly value: JsonObject
}

/**
 * Parses one line of text.
 *
 * errors  blank-line, byte-order-mark, too-many-values, invalid-json, not-lossless (−0, overflow, depth)
 */
export const parseLine = (text: string): Either<RowRefusal, JsonValue> => {
  if (hasTooManyValues(text)) return left({ code: "too-many-values", limit: maxValues })
  let value: JsonValue
  try {
    value = JSON.parse(text) as JsonValue
  } catch {
    if (text.trim() === "") return left({ code: "blank-line" })
    return left({ code: text.startsWith("\uFEFF") ? "byte-order-mark" : "invalid-json" })
  }
  const fault = parsedFault(value)
  return fault === null ? right(value) : left({ code: "not-lossless", fault })
}

/** Reads a parsed row: an event, or in formats 0 and 1 a packed run. */
export const rowOf = (format: Format, value: JsonValue): Either<EnvelopeRefusal, LogRow> => {
  if (!isJsonObject(value)) return left({ code: "row-not-object", seq: null })
  const type = ownValue(value, "type")
  const { packedRuns } = format.rules
  const facts =
    packedRuns !== "none" && typeof type === "string" && isRunType(type)
      ? runFacts(packedRuns, type, value)
      : envelopeFacts(format, value)
  return isLeft(facts) ? facts : right({ facts: facts.right, data: value["data"] ?? null, value })
}

/** One line of the body of a log; parseLine, then rowOf. */
export const readRow = (
  format: Format,
  text: string,
): Either<RowRefusal | EnvelopeRefusal, LogRow> => {
  const value = parseLine(text)
  return isLeft(value) ? value : rowOf(format, value.right)
}
