import type { Either } from "fp-ts/lib/Either.js"
import { left, right } from "fp-ts/lib/Either.js"
import { isCount, isSafeInt } from "../data/count.ts"
import type { JsonArray, JsonObject } from "../data/json.ts"
import { ownValue } from "../data/json.ts"
import type { EnvelopeRefusal, ShapeFault } from "../data/refusal.ts"
import { surfaceKind } from "../format/surface-kind.ts"
import type { EventFacts } from "./event-facts.ts"
import { surfaceOp } from "./event-facts.ts"
import type { ShapeCheck } from "./shape-check.ts"
import { checkOf } from "./shape-check.ts"
import type { Shape } from "./shape.ts"
import { arrayOf, count, exactly, leaf, nonempty, oneOf, safeInt, string } from "./shape.ts"

/** How a format checks the fields of a packed run: format 0 its types alone, format 1 their values. */
export type PackedRuns = "none" | "typed" | "checked"

interface Run {
  readonly typed: ShapeCheck
  readonly checked: ShapeCheck
  /** The key of the members under `data`. */
  readonly members: string
}

const number: Shape = leaf("number", (value) => typeof value === "number")

const runOf = (
  tag: string,
  members: string,
  data: (place: Shape, id: Shape) => Shape,
): readonly [string, Run] => {
  const row = (inner: Shape): ShapeCheck =>
    checkOf(exactly({ type: oneOf(tag), seq0: count, time0: safeInt, data: inner }))
  return [tag, { typed: row(data(number, string)), checked: row(data(count, nonempty)), members }]
}

const common = (place: Shape): Readonly<Record<string, Shape>> => ({
  turn: place,
  step: place,
  index: place,
  dt: arrayOf(safeInt),
})

const texts = (place: Shape): Shape => exactly({ ...common(place), texts: arrayOf(string, 1) })
const args = (place: Shape, id: Shape): Shape =>
  exactly({ ...common(place), id, args: arrayOf(string, 1) }, { name: string })

const runs: ReadonlyMap<string, Run> = new Map([
  runOf("text-chunks", "texts", texts),
  runOf("reasoning-chunks", "texts", texts),
  runOf("tool-call-chunks", "args", args),
])

/** Whether a row type marks a packed run; event types have a slash, these have none. */
export const isRunType = (type: string): boolean => runs.has(type)

const misshapen = (seq: number | null, fault: ShapeFault): Either<EnvelopeRefusal, never> =>
  left({ code: "run-shape", seq, fault })

/**
 * Reads a packed run: consecutive deltas of one stream block, stored as one row.
 *
 * shape   facts with `count` members; member k has seq `seq + k`
 * errors  run-shape, also when a reconstructed seq or time leaves ±(2^53−1)
 */
export const runFacts = (
  rule: Exclude<PackedRuns, "none">,
  type: string,
  row: JsonObject,
): Either<EnvelopeRefusal, EventFacts> => {
  const run = runs.get(type)
  const seq0 = ownValue(row, "seq0")
  const seq = isCount(seq0) ? seq0 : null
  if (run === undefined) return misshapen(seq, { path: ["type"], expected: "packed run" })
  const fault = run[rule].fault(row)
  if (fault !== null || seq === null)
    return misshapen(seq, fault ?? { path: ["seq0"], expected: "count" })
  const data = row["data"] as JsonObject
  const members = (data[run.members] as JsonArray).length
  const gaps = data["dt"] as readonly number[]
  if (gaps.length !== members - 1)
    return misshapen(seq, { path: ["data", "dt"], expected: `array of ${members - 1}` })
  // members − 1 first: seq + members may already be rounded
  if (!isCount(seq + (members - 1)))
    return misshapen(seq, { path: ["seq0"], expected: "count for every member" })
  const timeMs = row["time0"] as number
  let lastTimeMs = timeMs
  for (const [i, gap] of gaps.entries()) {
    lastTimeMs += gap
    if (!isSafeInt(lastTimeMs))
      return misshapen(seq, { path: ["data", "dt", i], expected: "time within safe integers" })
  }
  return right({
    type,
    seq,
    count: members,
    timeMs,
    lastTimeMs,
    kind: surfaceKind.none,
    op: surfaceOp.none,
    start: -1,
    end: -1,
    sources: null,
  })
}

/** The facts of the first `count` members of a run: where a prefix ends inside it. */
export const runPrefix = (facts: EventFacts, row: JsonObject, count: number): EventFacts => {
  const gaps = (row["data"] as JsonObject)["dt"] as readonly number[]
  let lastTimeMs = facts.timeMs
  for (let i = 0; i < count - 1; i++) lastTimeMs += gaps[i] ?? 0
  return { ...facts, count, lastTimeMs }
}
