import type { JsonObject } from "../data/json.ts"
import type { Format } from "../format/format.ts"
import type { SessionEvent } from "../log/envelope.ts"

/** Where and when the next event of a log would be appended. */
export interface LogEnd {
  readonly nextSeq: number
  readonly timeMs: number
}

/** An event before it has a seq; `sourceEventSeqs` and `surfaceOp` where it has any. */
export interface EventBody {
  readonly type: string
  readonly data: JsonObject
  readonly sourceEventSeqs?: readonly number[]
  readonly surfaceOp?: JsonObject
}

/** Events as they would stand at the end of a log, one after another. */
export const eventsAt = (
  { nextSeq, timeMs }: LogEnd,
  bodies: readonly EventBody[],
): readonly SessionEvent[] =>
  bodies.map(({ type, data, ...surface }, i) => ({
    type,
    seq: nextSeq + i,
    time: timeMs,
    data,
    ...surface,
  }))

/** The marker of a replacement of the nodes from one to another, in the words of a format. */
export const replacementMarker = (format: Format, start: number, end: number): JsonObject => {
  const [startKey, endKey] = format.rules.endpoints
  return { op: "replace", [startKey]: start, [endKey]: end }
}

/** The price of nodes that the very next event replaces: nothing may come in between. */
export const shadowedFigures = (
  shadowedSeqs: readonly number[],
  shadowedTokenCount: number,
): JsonObject => ({
  shadowedRange: { start: shadowedSeqs[0] ?? -1, end: shadowedSeqs.at(-1) ?? -1 },
  shadowedSeqs,
  shadowedTokenCount,
})
