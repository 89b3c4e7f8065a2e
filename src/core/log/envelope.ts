import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { isCount, isSafeInt } from "../data/count.ts"
import type { JsonObject, JsonValue } from "../data/json.ts"
import { isJsonObject } from "../data/json.ts"
import type { EnvelopeRefusal } from "../data/refusal.ts"
import type { Format } from "../format/format.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { EventFacts, SurfaceOp } from "./event-facts.ts"
import { surfaceOp } from "./event-facts.ts"
import type { SourceRuns } from "./source-runs.ts"
import { citedFrom, citedTwice, sourceRunsOf } from "./source-runs.ts"

/** One event as it stands in a log: the envelope around a payload. */
export interface SessionEvent extends JsonObject {
  readonly type: string
  readonly seq: number
  readonly time: number
  readonly data: JsonValue
}

const misshapen = (
  seq: number | null,
  key: string,
  expected: string,
): Either<EnvelopeRefusal, never> =>
  left({ code: "envelope-shape", seq, fault: { path: [key], expected } })

interface Marker {
  readonly op: SurfaceOp
  readonly start: number
  readonly end: number
}

const noMarker: Marker = { op: surfaceOp.none, start: -1, end: -1 }
const appendMarker: Marker = { op: surfaceOp.append, start: -1, end: -1 }

const markerOf = (format: Format, value: JsonValue): Marker | null => {
  if (value === "append") return appendMarker
  if (!isJsonObject(value)) return null
  const [startKey, endKey] = format.rules.endpoints
  const start = value[startKey]
  const end = value[endKey]
  if (value["op"] !== "replace" || !isCount(start) || !isCount(end)) return null
  // exactly these three keys
  return Object.keys(value).length === 3 ? { op: surfaceOp.replace, start, end } : null
}

const citesEarlierOnce = (sources: SourceRuns, seq: number): boolean =>
  citedFrom(sources, seq) === null && citedTwice(sources) === null

const envelopeKeys: ReadonlySet<string> = new Set([
  "type",
  "seq",
  "time",
  "data",
  "ignorable",
  "sourceEventSeqs",
  "surfaceOp",
])

const unknownKey = (value: JsonObject): string =>
  Object.keys(value).find((key) => !envelopeKeys.has(key)) ?? ""

/**
 * Reads the envelope of one event, checking it against its format.
 *
 * shape   facts without the payload, which stays in `value.data`
 * errors  row-not-object, envelope-shape, event-type-unknown, sources-shape, surface-op-shape
 */
export const envelopeFacts = (
  format: Format,
  value: JsonValue,
): Either<EnvelopeRefusal, EventFacts> => {
  if (!isJsonObject(value)) return left({ code: "row-not-object", seq: null })
  const { type, seq, time, data, ignorable, sourceEventSeqs: cited, surfaceOp: marked } = value
  // the keys that are there must be the keys that were read
  let unread = 0
  for (const _ in value) unread++
  if (type !== undefined) unread--
  if (seq !== undefined) unread--
  if (time !== undefined) unread--
  if (data !== undefined) unread--
  if (ignorable !== undefined) unread--
  if (cited !== undefined) unread--
  if (marked !== undefined) unread--
  const known = isCount(seq) ? seq : null
  if (unread !== 0) return misshapen(known, unknownKey(value), "nothing")
  if (typeof type !== "string") return misshapen(known, "type", "string")
  if (known === null) return misshapen(null, "seq", "count")
  if (!isSafeInt(time)) return misshapen(known, "time", "safe integer")
  if (data === undefined) return misshapen(known, "data", "JSON value")
  if (ignorable !== undefined && ignorable !== true) return misshapen(known, "ignorable", "true")
  const kind = format.kinds.get(type)
  const isKnown = kind !== undefined
  if (!isKnown && ignorable !== true) return left({ code: "event-type-unknown", seq: known, type })

  const sources = cited === undefined ? null : sourceRunsOf(cited)
  if (cited !== undefined && sources === null) return left({ code: "sources-shape", seq: known })
  // an event that this reader does not know takes part in nothing, whatever it carries; its
  // citations must be readable all the same
  const isOpaque = !isKnown && format.rules.opaqueSurfaceFields
  if (isOpaque && sources !== null && !citesEarlierOnce(sources, known))
    return left({ code: "sources-shape", seq: known })
  const marker = marked === undefined || isOpaque ? noMarker : markerOf(format, marked)
  if (marker === null) return left({ code: "surface-op-shape", seq: known })
  return right({
    type,
    seq: known,
    count: 1,
    timeMs: time,
    lastTimeMs: time,
    kind: kind ?? surfaceKind.none,
    op: marker.op,
    start: marker.start,
    end: marker.end,
    sources: isOpaque ? null : sources,
  })
}
