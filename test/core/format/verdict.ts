import { isLeft } from "fp-ts/lib/Either.js"
import type { JsonObject, JsonValue } from "#core/data/json"
import type { ShapeFault } from "#core/data/refusal"
import { formats } from "#core/format/catalog"
import type { Format } from "#core/format/format"
import { payloadRefusal } from "#core/log/payload"
import { readRow } from "#core/log/row"

export const versions: readonly number[] = [0, 1, 2, 3, 4]

export const formatOf = (version: number): Format => {
  const format = formats[version]
  if (format === undefined) throw new Error(`no format ${version}`)
  return format
}

/** What a format finds wrong with the payload of a type, or null. */
export const faultOf = (version: number, type: string, data: JsonValue): ShapeFault | null => {
  const format = formatOf(version)
  const row = readRow(format, JSON.stringify({ type, seq: 0, time: 1, data }))
  if (isLeft(row)) throw new Error(`${type} is no row of format ${version}`)
  const refusal = payloadRefusal(format, row.right.facts, row.right.data)
  if (refusal !== null && (refusal.seq !== 0 || refusal.type !== type))
    throw new Error("a refusal of another event")
  return refusal?.fault ?? null
}

/** The object with some keys set anew; undefined removes one. */
export const changed = (object: JsonObject, keys: Record<string, unknown>): JsonObject =>
  JSON.parse(JSON.stringify({ ...object, ...keys })) as JsonObject

/** One row for each version and value. */
export const cases = <A>(of: readonly number[], values: readonly A[]): [number, A][] =>
  of.flatMap((version) => values.map((value): [number, A] => [version, value]))
