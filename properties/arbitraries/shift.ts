import type { JsonArray, JsonObject, JsonValue } from "#core/data/json"
import { citedSeqs, isArray, isObject } from "../model/naive-row.ts"

/** A new number for every seq of a log; grows strictly. */
export type Renumber = (seq: number) => number

const mapped = (value: JsonValue | undefined, to: Renumber): JsonValue =>
  typeof value === "number" ? to(value) : (value ?? null)

const marker = (op: JsonValue, to: Renumber): JsonValue => {
  if (!isObject(op)) return op
  return Object.fromEntries(
    Object.entries(op).map(([key, value]) => [key, key === "op" ? value : mapped(value, to)]),
  )
}

const payload = (data: JsonValue, to: Renumber): JsonValue => {
  if (!isObject(data)) return data
  const { headerSeq, targets } = data
  if (headerSeq !== undefined) return { ...data, headerSeq: mapped(headerSeq, to) }
  if (!isArray(targets)) return data
  const moved: JsonArray = targets.map((target) =>
    isObject(target) ? { ...target, seq: mapped(target["seq"], to) } : target,
  )
  return { ...data, targets: moved }
}

/** A right row with every reference to a seq renumbered. */
export const renumbered = (row: JsonObject, to: Renumber): JsonObject => {
  const { seq, seq0, sourceEventSeqs, surfaceOp, data } = row
  const cited = sourceEventSeqs === undefined ? null : citedSeqs(sourceEventSeqs)
  return {
    ...row,
    ...(seq === undefined ? {} : { seq: mapped(seq, to) }),
    ...(seq0 === undefined ? {} : { seq0: mapped(seq0, to) }),
    ...(cited === null ? {} : { sourceEventSeqs: cited.map(to) }),
    ...(surfaceOp === undefined ? {} : { surfaceOp: marker(surfaceOp, to) }),
    ...(data === undefined ? {} : { data: payload(data, to) }),
  }
}
